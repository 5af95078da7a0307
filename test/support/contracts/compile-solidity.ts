// Compiles Solidity in a separate process, with the installed packages: `solc`, and aliases `solc-<version>`.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
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
  const child = spawn(process.execPath, ['-e', program, soljsonOf(number)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(selecting));
  const outputs = JSON.parse(await text(child.stdout)) as CompiledOutput[];
  for (const { errors } of outputs) {
    const error = errors?.find(({ severity }) => severity === 'error');
    if (error) throw new Error(error.formattedMessage);
  }
  return outputs;
}

const require = createRequire(import.meta.url);

const program = `
const solc = require(${JSON.stringify(require.resolve('solc/wrapper'))})(require(process.argv[1]));
const inputs = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const outputs = inputs.map((input) => JSON.parse(solc.compile(JSON.stringify(input))));
require('node:fs').writeFileSync(1, JSON.stringify(outputs));
`;

/** Path of a compiler's program by its number. */
export function soljsonOf(number: string): string {
  try {
    return require.resolve(`solc-${number}/soljson.js`);
  } catch {
    return require.resolve('solc/soljson.js');
  }
}
