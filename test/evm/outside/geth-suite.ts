// go-ethereum's vectors of precompiles and of opcodes that take two words, below core/vm/testdata.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { precompilesOf } from '../../../packages/machine/precompiles/table.ts';
import { tryCode } from '../../../packages/test-support/evm/run-code.ts';
import { filesBelow } from './files-below.ts';
import { intendedOfGeth } from './intended-differences.ts';
import { count, createTally, type Tally } from './tally.ts';

type Vector = { Name: string; Input: string; Expected?: string; Gas?: number; ExpectedError?: string };
type Words = { X: string; Y: string; Expected: string };

/** By the name of the file, without `fail-` and in lower case. */
const precompileAddresses: Readonly<Record<string, number>> = {
  ...{ ecrecover: 1, modexp: 5, modexp_eip2565: 5, bn256add: 6, bn256scalarmul: 7, bn256pairing: 8, blake2f: 9 },
  ...{ pointevaluation: 0xa, blsg1add: 0xb, blsg1mul: 0xc, blsg1multiexp: 0xc, blsg2add: 0xd, blsg2mul: 0xe },
  ...{ blsg2multiexp: 0xe, blspairing: 0xf, blsmapg1: 0x10, blsmapg2: 0x11 },
};
const opcodeNames: Readonly<Record<string, string>> = { signext: 'SIGNEXTEND' };
const precompiles = precompilesOf('prague');

export function runGethSuite(folder: string, { only = /./ } = {}): Tally {
  const tally = createTally();
  const judge = (name: string, difference: () => string | null) => {
    if (only.test(name)) count(tally, name, difference(), intendedOfGeth);
  };
  for (const path of filesBelow(join(folder, 'precompiles'), '.json')) {
    const vectors: Vector[] = JSON.parse(readFileSync(path, 'utf8'));
    const file = basename(path, '.json');
    const address = precompileAddresses[file.replace('fail-', '').toLowerCase()];
    // Of forks that no ledger has had.
    if (address === undefined) tally.skipped += vectors.length;
    else {
      for (const vector of vectors) {
        judge(`${file} ${vector.Name}`, () => judgePrecompile(address, vector));
      }
    }
  }
  for (const path of filesBelow(folder, '.json').filter((name) => basename(name).startsWith('testcases_'))) {
    const file = basename(path, '.json').replace('testcases_', '');
    const words: Words[] = JSON.parse(readFileSync(path, 'utf8'));
    for (const one of words) judge(`${file} ${one.X} ${one.Y}`, () => judgeWords(file, one));
  }
  return tally;
}

/** What differs; null: nothing. */
function judgePrecompile(address: number, { Input, Expected, Gas }: Vector): string | null {
  const { gas, run } = precompiles.get(BigInt(address))!;
  const data = Uint8Array.from(Buffer.from(Input, 'hex'));
  const output = run(data, () => {});
  if (output === null) return Expected === undefined ? null : 'it fails';
  if (Expected === undefined) return 'it has to fail';
  const text = Buffer.from(output).toString('hex');
  if (text !== Expected) return `it gives ${text}`;
  return gas(data) === Gas ? null : `it costs ${gas(data)}, and has to cost ${Gas}`;
}

/** The first word lies below the second one. */
function judgeWords(name: string, { X, Y, Expected }: Words): string | null {
  const opcode = opcodeNames[name] ?? name.toUpperCase();
  const result = tryCode(`PUSH 0x${X} PUSH 0x${Y} ${opcode} PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN`);
  if (result.kind !== 'finished') return `it ended with ${result.kind}`;
  const text = Buffer.from(result.output).toString('hex');
  return text === Expected ? null : `it gives ${text}`;
}
