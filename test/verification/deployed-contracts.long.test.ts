// Contracts of our own over eight compilers, each deployed in an EVM: which level a record must reach on either side,
// what must have been filled in from the chain, and what the answer says when it is not a match.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkWithKept } from '../../packages/test-support/verification/kept-compilers.ts';
import { createVerifier } from '../../packages/verification/create-verifier.ts';
import { readMinimalProxy } from '../../packages/verification/onchain/minimal-proxy.ts';
import type { OnchainContract } from '../../packages/verification/terms/onchain-contract.ts';
import type { CompilerInput, SourceClaim } from '../../packages/verification/terms/source-claim.ts';
import type {
  OutcomeCode,
  SideOutcome,
  VerificationOutcome,
} from '../../packages/verification/terms/verification-outcome.ts';
import { type CompiledContract, type CompiledOutput, compileSolidity } from '../support/contracts/compile-solidity.ts';
import { createEvm, type Evm } from '../support/contracts/evm-deployment.ts';
import { judge, type ReferenceQuestion } from '../support/contracts/reference-verdict.ts';
import { contractSources, longVersions } from './contract-sources.ts';

type Level = 'perfect' | 'partial' | null;

type Deployed = { onchain: Partial<OnchainContract>; original: CompilerInput; output: CompiledOutput; evm: Evm };

type Case = {
  compiler: keyof typeof longVersions;
  /** Compiled again, in a process for this check, as in the program; what the others compile to is kept. */
  isAlone?: true;
  /** Key of the contract in its own source, also in contractSources. */
  contract: keyof typeof contractSources;
  settings?: CompilerInput['settings'];
  /** ABI-encoded constructor arguments, hex. */
  arguments?: string;
  /** Addresses that are linked into the creation code by hand. */
  link?: Record<string, string>;
  /** What is on chain after all, if it is not just the contract itself. */
  onchain?: (deployed: Deployed) => Promise<Partial<OnchainContract>> | Partial<OnchainContract>;
  /** How the record differs from what was compiled. */
  claim?: (claim: SourceClaim) => Partial<SourceClaim>;
  runtime: Level;
  creation: Level;
  code?: OutcomeCode;
  /** Reasons of the transformations, runtime then creation. */
  filled?: [string[], string[]];
  message?: RegExp;
  /** Sourcify says otherwise, and why that is not good enough. */
  unlikeSourcify?: string;
};

const word = (value: number) => value.toString(16).padStart(64, '0');
const address = (byte: string) => `0x${byte.repeat(20)}`;
const optimized = { optimizer: { enabled: true, runs: 200 } };

const cases: Record<string, Case> = {
  'constructor argument': {
    compiler: '0.4.26',
    isAlone: true,
    contract: 'Old',
    arguments: word(7),
    runtime: 'perfect',
    creation: 'perfect',
    filled: [[], ['constructorArguments']],
  },
  'library linked by hand, placeholder of before 0.5': {
    compiler: '0.4.26',
    contract: 'OldLinked',
    link: { Adder: address('ab') },
    runtime: 'perfect',
    creation: 'perfect',
    filled: [['library'], ['library']],
  },
  'library linked by the compiler, record without it': {
    compiler: '0.4.26',
    contract: 'OldLinked',
    settings: { libraries: { 'OldLinked.sol': { Adder: address('ab') } } },
    claim: ({ input }) => ({ input: { ...input, settings: {} } }),
    runtime: 'partial',
    creation: 'partial',
    filled: [
      ['library', 'cborAuxdata'],
      ['library', 'cborAuxdata'],
    ],
    message: /not exactly those it was compiled from/,
  },
  "library linked by the compiler, record's Library field": {
    compiler: '0.4.26',
    contract: 'OldLinked',
    settings: { libraries: { 'OldLinked.sol': { Adder: address('ab') } } },
    claim: ({ input }) => ({
      input: { ...input, settings: {} },
      libraries: [{ name: 'Adder', address: address('ab') }],
    }),
    unlikeSourcify: 'it does not use the Library field',
    runtime: 'perfect',
    creation: 'perfect',
    filled: [[], []],
  },
  'library itself: its own address protects its calls': {
    compiler: '0.5.17',
    contract: 'Adder',
    runtime: 'perfect',
    creation: 'perfect',
    filled: [['callProtection'], []],
  },
  'factory with another comment: every metadata hash is found': {
    compiler: '0.5.17',
    contract: 'Factory',
    settings: optimized,
    claim: withSource('Factory.sol', (source) => `// another comment\n${source}`),
    runtime: 'partial',
    creation: 'partial',
    filled: [
      ['cborAuxdata', 'cborAuxdata'],
      ['cborAuxdata', 'cborAuxdata'],
    ],
  },
  'factory as it was': {
    compiler: '0.5.17',
    contract: 'Factory',
    settings: optimized,
    runtime: 'perfect',
    creation: 'perfect',
    filled: [[], []],
  },
  'made by a factory: runtime only': {
    compiler: '0.8.4',
    contract: 'Factory',
    onchain: async ({ evm, onchain, output }) => {
      const selector = contractOf(output, 'Factory').evm.methodIdentifiers['make(uint256)']!;
      const made = await evm.create(onchain.address!, Buffer.from(selector + word(5), 'hex'));
      return { runtimeCode: made.code, address: made.address, creationCodes: [] };
    },
    claim: () => ({ target: { path: 'Factory.sol', name: 'Child' } }),
    runtime: 'perfect',
    creation: null,
    filled: [[], []],
    message: /Creation code: not known/,
  },
  immutables: {
    compiler: '0.6.12',
    contract: 'Fixed',
    arguments: word(0xbeef),
    runtime: 'perfect',
    creation: 'perfect',
    filled: [['immutable', 'immutable', 'immutable', 'immutable'], ['constructorArguments']],
  },
  'immutables, optimizer, text argument': {
    compiler: '0.7.6',
    isAlone: true,
    contract: 'Named',
    settings: optimized,
    arguments: word(64) + word(3) + word(5) + Buffer.from('hello').toString('hex').padEnd(64, '0'),
    runtime: 'perfect',
    creation: 'perfect',
    filled: [['immutable'], ['constructorArguments']],
  },
  'other line ends': {
    compiler: '0.7.6',
    contract: 'Named',
    arguments: word(64) + word(3) + word(0),
    claim: withSource('Named.sol', (source) => source.replaceAll('\n', '\r\n')),
    runtime: 'perfect',
    creation: 'perfect',
  },
  'another name of a variable': {
    compiler: '0.8.4',
    contract: 'Store',
    claim: withSource('Store.sol', (source) => source.replaceAll('secret', 'hidden')),
    runtime: 'partial',
    creation: 'partial',
    filled: [['cborAuxdata'], ['cborAuxdata']],
  },
  'record names another compiler': {
    compiler: '0.8.4',
    isAlone: true,
    contract: 'Store',
    claim: () => ({ compilerVersion: longVersions['0.8.19'] }),
    runtime: null,
    creation: null,
    code: 'no_match',
    message: /names the compiler 0\.8\.4, the record says 0\.8\.19/,
  },
  'no hash in the metadata': {
    compiler: '0.8.19',
    contract: 'Store',
    settings: { metadata: { bytecodeHash: 'none' } },
    runtime: 'partial',
    creation: 'partial',
    filled: [[], []],
    message: /no metadata hash that could prove/,
  },
  'no metadata in code': {
    compiler: '0.8.19',
    contract: 'Store',
    settings: { metadata: { appendCBOR: false } },
    runtime: 'partial',
    creation: 'partial',
    filled: [[], []],
    message: /no metadata that could prove/,
  },
  'no metadata in code, but in what the record makes': {
    compiler: '0.8.19',
    contract: 'Store',
    settings: { metadata: { appendCBOR: false } },
    onchain: () => ({ creationCodes: [] }),
    claim: ({ input }) => ({ input: { ...input, settings: {} } }),
    runtime: 'partial',
    creation: null,
    filled: [['cborAuxdata'], []],
  },
  'via IR, optimizer on': {
    compiler: '0.8.19',
    contract: 'Fixed8',
    settings: { viaIR: true, ...optimized },
    arguments: word(0xbeef),
    runtime: 'perfect',
    creation: 'perfect',
  },
  'via IR, optimizer off': {
    compiler: '0.8.19',
    contract: 'Store',
    settings: { viaIR: true, optimizer: { enabled: false } },
    runtime: 'perfect',
    creation: 'perfect',
  },
  'other logic of the same length': {
    compiler: '0.8.19',
    contract: 'Store',
    claim: withSource('Store.sol', (source) => source.replace('kept = 41', 'kept = 42')),
    runtime: null,
    creation: null,
    code: 'no_match',
    message: /They first differ at byte \d+: 0x29\w* on chain, 0x2a\w* compiled.*metadata hashes differ too/s,
  },
  'other logic of other length': {
    compiler: '0.8.19',
    contract: 'Store',
    claim: withSource('Store.sol', (source) => source.replace('kept = 41', 'kept = 41; kept = kept + msg.value')),
    runtime: null,
    creation: null,
    code: 'bytecode_length_mismatch',
    message: /On chain there are \d+ bytes, compiled \d+/,
  },
  'changed after compiling: metadata equal, code not': {
    compiler: '0.8.19',
    contract: 'Store',
    settings: optimized,
    onchain: ({ onchain }) => ({ runtimeCode: withByte(onchain.runtimeCode!, 20, 0x5b), creationCodes: [] }),
    runtime: null,
    creation: null,
    code: 'extra_file_input_bug',
    message: /metadata hashes match but not the bytecodes/,
  },
  'minimal proxy of the contract': {
    compiler: '0.8.28',
    contract: 'Store',
    onchain: ({ onchain }) => toClone(onchain),
    runtime: 'perfect',
    creation: 'perfect',
    message: /is a minimal proxy \(EIP-1167\) of 0x/,
  },
  'abstract contract': {
    compiler: '0.8.28',
    contract: 'Store',
    claim: ({ input }) => ({
      input: { ...input, sources: { 'A.sol': { content: 'abstract contract A { function f() external virtual; }' } } },
      target: { path: 'A.sol', name: 'A' },
    }),
    runtime: null,
    creation: null,
    code: 'compiled_bytecode_is_zero',
    message: /Are you trying to verify an abstract contract/,
  },
  'library in another file behind a remapping, Library field': {
    compiler: '0.8.28',
    contract: 'Remapped',
    settings: { remappings: ['@lib/=lib/'], libraries: { 'lib/Far.sol': { Far: address('cd') } } },
    claim: ({ input }) => ({
      input: { ...input, settings: { remappings: ['@lib/=lib/'] } },
      libraries: [{ name: 'Far', address: address('cd') }],
    }),
    unlikeSourcify: 'it does not use the Library field',
    runtime: 'perfect',
    creation: 'perfect',
    filled: [[], []],
  },
  'library at another address than the record says': {
    compiler: '0.8.28',
    contract: 'Remapped',
    settings: { remappings: ['@lib/=lib/'] },
    link: { Far: address('cd') },
    onchain: ({ onchain }) => ({ runtimeCode: withByte(onchain.runtimeCode!, 10, 0x5b), creationCodes: [] }),
    claim: () => ({ libraries: [{ name: 'Far', address: address('ef') }] }),
    runtime: null,
    creation: null,
    code: 'no_match',
    message: /Library lib\/Far\.sol:Far: 0x(cd)+ on chain, 0x(ef)+ in the record/,
  },
  'one immutable with two values': {
    compiler: '0.8.37',
    contract: 'Fixed8',
    arguments: word(0xbeef),
    onchain: ({ onchain }) => ({ runtimeCode: withoutOneValue(onchain.runtimeCode!), creationCodes: [] }),
    unlikeSourcify: 'it looks at one place of each only',
    runtime: null,
    creation: null,
    code: 'no_match',
  },
  'more behind the creation code than its constructor takes': {
    compiler: '0.8.37',
    contract: 'Store',
    onchain: ({ onchain }) => ({ creationCodes: [Buffer.concat([onchain.creationCodes![0]!, Buffer.alloc(32)])] }),
    runtime: 'perfect',
    creation: null,
    message: /what follows are not its constructor arguments/,
  },
  'several guesses of the creation code': {
    compiler: '0.8.37',
    contract: 'Fixed8',
    arguments: word(0xbeef),
    onchain: ({ onchain: { creationCodes } }) => ({
      creationCodes: [Buffer.concat([creationCodes![0]!, Buffer.from(word(1), 'hex')]), creationCodes![0]!],
    }),
    unlikeSourcify: 'it knows one creation code',
    runtime: 'perfect',
    creation: 'perfect',
    filled: [['immutable', 'immutable', 'immutable', 'immutable'], ['constructorArguments']],
  },
  'runtime code unknown': {
    compiler: '0.8.37',
    contract: 'Fixed8',
    arguments: word(0xbeef),
    onchain: () => ({ runtimeCode: null }),
    unlikeSourcify: 'it needs the runtime code',
    runtime: null,
    creation: 'perfect',
    message: /Runtime code: not known/,
  },
  'creation code of another contract': {
    compiler: '0.8.37',
    contract: 'Store',
    onchain: async ({ evm, output }) => ({
      runtimeCode: (await evm.deploy(creationOf(contractOf(output, 'Other')))).code,
    }),
    runtime: null,
    creation: null,
    code: 'bytecode_length_mismatch',
  },
  'file of the contract not named': {
    compiler: '0.8.37',
    contract: 'Store',
    claim: () => ({ target: { path: '', name: 'Store' } }),
    unlikeSourcify: 'it needs the file',
    runtime: 'perfect',
    creation: 'perfect',
  },
  Yul: {
    compiler: '0.8.37',
    isAlone: true,
    contract: 'Yul',
    runtime: 'partial',
    creation: 'partial',
  },
};

const common = {
  compilers: { folder: null, download: 'off' as const, downloadUrl: '' },
  limits: { compileMs: 120_000, memoryBytes: 2_000_000_000, concurrent: 2, queue: 100, inputBytes: 1_000_000 },
  log: () => undefined,
};
const verifier = createVerifier({ ...common, niceness: 0 });
const keeping = createVerifier({ ...common, runCheck: checkWithKept });
afterAll(() => Promise.all([verifier.close(), keeping.close()]));

/** By the name of the case. */
const toJudge = new Map<string, { question: ReferenceQuestion; outcome: VerificationOutcome }>();

describe.each(Object.keys(longVersions) as Case['compiler'][])('compiled by %s', (compiler) => {
  const theirs = Object.entries(cases).filter(([, one]) => one.compiler === compiler);
  const outputs = new Map<string, CompiledOutput>();

  beforeAll(async () => {
    const distinct = new Map(theirs.map(([, one]) => [JSON.stringify(originalOf(one)), originalOf(one)]));
    const compiled = await compileSolidity(compiler, [...distinct.values()]);
    for (const [index, key] of [...distinct.keys()].entries()) outputs.set(key, compiled[index]!);
  });

  test.for(theirs)('%s', async ([name, one], { expect }) => {
    const original = originalOf(one);
    const output = outputs.get(JSON.stringify(original))!;
    const evm = await createEvm();
    const creation = creationOf(contractOf(output, nameOf(one)), one.link, one.arguments);
    const { address: at, code } = await evm.deploy(creation);
    const plain = contractAt({ address: at, runtimeCode: code, creationCodes: [creation] });
    const onchain = { ...plain, ...(await one.onchain?.({ onchain: plain, original, output, evm })) };
    const plainClaim: SourceClaim = {
      language: one.contract === 'Yul' ? 'Yul' : 'Solidity',
      compilerVersion: `v${longVersions[one.compiler]}`,
      input: original,
      target: { path: Object.keys(original.sources)[0]!, name: nameOf(one) },
    };
    const claim = { ...plainClaim, ...one.claim?.(plainClaim) };
    const outcome = await (one.isAlone ? verifier : keeping).verify(onchain, claim);
    const { runtime, creation: created } = outcome;
    toJudge.set(name, { question: toQuestion(onchain, claim), outcome });
    expect({ runtime: runtime.match, creation: created.match, code: outcome.code }, outcome.message).toEqual({
      runtime: one.runtime,
      creation: one.creation,
      code: one.code ?? 'match',
    });
    if (one.filled) {
      const reasons = [runtime, created].map(({ transformations }) => transformations.map(({ reason }) => reason));
      expect(reasons).toEqual(one.filled);
    }
    if (one.message) expect(outcome.message).toMatch(one.message);
    expect(Object.values(outcome.libraryMap)).toEqual(
      outcome.code === 'match' && (one.filled ?? []).flat().includes('library') ? [address('ab').slice(2)] : [],
    );
  });

  test("Sourcify's own verification says the same, but where it falls short", async () => {
    for (const [name, { question, outcome }] of toJudge) {
      // That which the record names.
      if (question.claim.compilerVersion.replace(/^v/, '') !== longVersions[compiler]) continue;
      toJudge.delete(name);
      const verdict = await judge(compiler, question);
      const { code, runtime, creation } = outcome;
      const ours = { code, runtime: toReferenceSide(runtime), creation: toReferenceSide(creation) };
      if (cases[name]!.unlikeSourcify === undefined) expect(ours, name).toEqual(verdict);
      else expect(ours, name).not.toEqual(verdict);
    }
  });
});

test('Sourcify has judged them all', () => expect([...toJudge.keys()]).toEqual([]));

test('every compiler of the table is found by its own version', async () => {
  expect(await verifier.listCompilers()).toEqual(expect.arrayContaining(Object.values(longVersions)));
});

function toQuestion({ implementation, ...onchain }: OnchainContract, claim: SourceClaim): ReferenceQuestion {
  const { runtimeCode, creationCodes } = implementation ?? onchain;
  const [creationCode = null] = creationCodes.map((code) => `0x${code.toString('hex')}`);
  return { claim, creationCode, runtimeCode: `0x${runtimeCode?.toString('hex') ?? ''}` };
}

function toReferenceSide({ match, transformations, transformationValues }: SideOutcome) {
  return { match, transformations, values: transformationValues };
}

function originalOf({ contract, settings = {} }: Case): CompilerInput {
  const sources = contractSources[contract];
  const entries = Object.entries(sources).map(([path, content]) => [path, { content }]);
  return { language: contract === 'Yul' ? 'Yul' : 'Solidity', sources: Object.fromEntries(entries), settings };
}

/** Its own settings name contracts otherwise than their key. */
function nameOf({ contract }: Case): string {
  return contract === 'Fixed8' ? 'Fixed' : contract;
}

function contractOf(output: CompiledOutput, name: string): CompiledContract {
  const file = Object.values(output.contracts).find((contracts) => Object.hasOwn(contracts, name));
  return file![name]!;
}

function creationOf(contract: CompiledContract, link: Record<string, string> = {}, args = ''): Buffer {
  let hex = contract.evm.bytecode.object;
  for (const libraries of Object.values(contract.evm.bytecode.linkReferences)) {
    for (const [name, places] of Object.entries(libraries)) {
      for (const { start } of places) {
        hex = `${hex.slice(0, start * 2)}${link[name]!.slice(2)}${hex.slice(start * 2 + 40)}`;
      }
    }
  }
  return Buffer.from(hex + args, 'hex');
}

function withSource(path: string, change: (source: string) => string): Case['claim'] {
  return ({ input }) => {
    const content = change(input.sources[path]!.content!);
    if (content === input.sources[path]!.content) throw new Error(`${path} was not changed`);
    return { input: { ...input, sources: { ...input.sources, [path]: { content } } } };
  };
}

function withByte(code: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(code);
  changed[at] = changed[at] === value ? value ^ 1 : value;
  return changed;
}

/** The last of the places that hold 0xbeef gets another value. */
function withoutOneValue(code: Buffer): Buffer {
  const changed = Buffer.from(code);
  changed[code.lastIndexOf(Buffer.from(word(0xbeef), 'hex'))] = 0x77;
  return changed;
}

function toClone(implementation: Partial<OnchainContract>): Partial<OnchainContract> {
  const code = Buffer.from(
    `363d3d373d3d3d363d73${implementation.address!.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    'hex',
  );
  expect(readMinimalProxy(code)).toBe(implementation.address);
  return { address: address('99'), runtimeCode: code, creationCodes: [], implementation: contractAt(implementation) };
}

function contractAt(known: Partial<OnchainContract>): OnchainContract {
  return {
    chainId: '298',
    address: address('77'),
    otherAddresses: [],
    kind: 'contract',
    runtimeCode: null,
    creationCodes: [],
    deleted: false,
    creation: null,
    implementation: null,
    ...known,
  };
}
