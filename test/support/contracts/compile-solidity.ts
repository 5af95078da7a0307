// Compiles Solidity with the installed packages: `solc`, and aliases `solc-<version>`. What was compiled before is
// kept.
import { openKeptCompiler, soljsonOf } from '../../../packages/test-support/verification/kept-compilers.ts';
import type { CompilerInput } from '../../../packages/verification/terms/source-claim.ts';

export type CompiledContract = {
  abi: unknown[];
  evm: {
    bytecode: { object: string; linkReferences: Record<string, Record<string, { start: number }[]>> };
    deployedBytecode: { object: string };
    methodIdentifiers: Record<string, string>;
  };
};

export type CompiledOutput = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, CompiledContract>>;
};

/** Outputs in the order of the inputs, with bytecode, ABI and metadata. */
export async function compileSolidity(number: string, inputs: CompilerInput[]): Promise<CompiledOutput[]> {
  const selection = {
    '*': { '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers'] },
  };
  const selecting = inputs.map((input) => ({ ...input, settings: { ...input.settings, outputSelection: selection } }));
  const compiler = await openKeptCompiler(soljsonOf(number));
  const outputs: CompiledOutput[] = [];
  for (const input of selecting) outputs.push(JSON.parse(await compiler.compile(JSON.stringify(input))));
  for (const { errors } of outputs) {
    const error = errors?.find(({ severity }) => severity === 'error');
    if (error) throw new Error(error.formattedMessage);
  }
  return outputs;
}
