// Estimates of contracts that write where gas is short: what is foretold is enough, near what the search alone finds, and
// takes few runs.
import { expect, it } from 'vitest';
import { assemble } from '../../../packages/test-support/evm/assemble.ts';
import { type CodeRun, called, runCode } from '../../../packages/test-support/evm/run-code.ts';
import { estimateGas } from './estimate-gas.ts';

const limit = 15_000_000;
const inner = 0xc0de000000000000000000000000000000000099n;
// Slot 0 is 1 outside, 2 inside, as guards of libraries have it.
const guarded = (work: string): string => `PUSH 2 PUSH 0 SSTORE ${work} PUSH 1 PUSH 0 SSTORE STOP`;
const callInner = `PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH ${inner} GAS CALL PUSH @done JUMPI PUSH 0 PUSH 0 REVERT :done JUMPDEST`;

const state = (code: string): CodeRun => ({
  contract: { storage: new Map([[0n, 1n]]) },
  accounts: [{ address: inner, num: 1099n, storage: new Map([[0n, 1n]]), code: assemble(code) }],
});

it.each([
  ['a guard alone', guarded(''), 'STOP'],
  ['a guard around a read', guarded('PUSH 7 SLOAD POP'), 'STOP'],
  ['a guard around a write', guarded('PUSH 5 PUSH 9 SSTORE'), 'STOP'],
  ['a guard around a call of one with a guard', guarded(callInner), guarded('PUSH 7 SLOAD POP')],
  ['a write of what is there', 'PUSH 1 PUSH 0 SSTORE STOP', 'STOP'],
])('%s', async (_name, code, other) => {
  const options = state(other);
  const estimate = async (isForetold: boolean) => {
    let runs = 0;
    const found = await estimateGas(limit, async (gasLimit, tracer) => {
      runs += 1;
      const traced = tracer && isForetold ? { tracer } : {};
      return runCode(code, { ...options, ...traced, transaction: { to: called, gasLimit } });
    });
    if (found.kind !== 'estimated') throw new Error(`It ended as ${found.kind}`);
    return { gas: found.gas, runs };
  };
  const foretold = await estimate(true);
  const searched = await estimate(false);
  expect(foretold.gas).toBe(searched.gas);
  expect(foretold.runs).toBeLessThanOrEqual(3);
  expect(runCode(code, { ...options, transaction: { gasLimit: foretold.gas } }).status).toBe('SUCCESS');
});
