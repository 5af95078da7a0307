// Compiles the sources of a semantic test.
import type { ForkName } from '../../../packages/machine/rules/forks.ts';
import type { SolidityTest } from './solidity-test-file.ts';

/** Standard JSON in and out. */
export type Compiler = (input: string) => string;

export type CompiledTest = {
  /** Init code of a library, `file:name`, or of the last contract of the last source. Throws where there is none. */
  codeOf(name: string | null, libraries: ReadonlyMap<string, bigint>): Uint8Array;
};

type Place = { start: number; length: number };
type Bytecode = { object: string; linkReferences: Record<string, Record<string, Place[]>> };
type Node = { nodeType: string; name: string };
type Output = {
  errors?: { severity: string; formattedMessage: string; type: string }[];
  contracts?: Record<string, Record<string, { evm: { bytecode: Bytecode } }>>;
  sources?: Record<string, { ast: { nodes: Node[] } }>;
};
type How = { compiler: Compiler; fork: ForkName; viaIr: boolean };

/** A text: why it cannot be compiled. */
export function compileSolidity(test: SolidityTest, how: How): CompiledTest | string {
  const main = [...test.sources.keys()].filter((name) => !test.externalSources.has(name)).at(-1) ?? '';
  let output = compile(test, how, false);
  // As the compiler's own test program: what does not fit the stack is compiled with the optimizer.
  if (how.viaIr && errorsOf(output).some((text) => /stack/i.test(text))) output = compile(test, how, true);
  const [error] = errorsOf(output);
  if (error !== undefined) return `it is not compiled: ${error}`;
  const last = output.sources![main]!.ast.nodes.filter(({ nodeType }) => nodeType === 'ContractDefinition').at(-1);
  return {
    codeOf: (name, libraries) => {
      const at = name?.lastIndexOf(':') ?? 0;
      const [file, contract] = name === null ? [main, last!.name] : [name.slice(0, at), name.slice(at + 1)];
      const found = output.contracts?.[file]?.[contract];
      if (found === undefined) throw new Error(`There is no contract ${file}:${contract}`);
      return link(found.evm.bytecode, libraries);
    },
  };
}

function errorsOf({ errors = [] }: Output): string[] {
  return errors.filter(({ severity }) => severity === 'error').map(({ formattedMessage }) => formattedMessage);
}

function compile({ sources, settings }: SolidityTest, { compiler, fork, viaIr }: How, optimizes: boolean): Output {
  const revertStrings = settings.get('revertStrings') ?? 'default';
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([name, content]) => [name, { content }])),
    settings: {
      ...{ evmVersion: fork, viaIR: viaIr, debug: { revertStrings } },
      optimizer: optimizes ? { enabled: true } : { enabled: false },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.bytecode.linkReferences'], '': ['ast'] } },
    },
  };
  return JSON.parse(compiler(JSON.stringify(input)));
}

function link({ object, linkReferences }: Bytecode, libraries: ReadonlyMap<string, bigint>): Uint8Array {
  let digits = object;
  for (const [file, named] of Object.entries(linkReferences)) {
    for (const [name, places] of Object.entries(named)) {
      const address = libraries.get(`${file}:${name}`);
      if (address === undefined) throw new Error(`Library ${file}:${name} is not deployed`);
      const text = address.toString(16).padStart(40, '0');
      for (const { start, length } of places) {
        digits = digits.slice(0, 2 * start) + text + digits.slice(2 * (start + length));
      }
    }
  }
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}
