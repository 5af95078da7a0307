// What one transaction leaves, as the next one finds it.
import { expect, it } from 'vitest';
import { type CodeRun, called, caller, runCode, wordOf } from '../../test-support/evm/run-code.ts';
import { ask, people, tokens } from '../../test-support/evm/token-world.ts';
import { creationAddress } from '../calls/start-creation.ts';
import type { Tracer } from '../frame/machine.ts';
import { createCarriedState } from './carried-state.ts';
import type { StateReader } from './state-reader.ts';
import type { World } from './world.ts';

/** Keeps what the transaction leaves. */
function keepWorld(): { tracer: Tracer; left(): World } {
  let world: World | null = null;
  const tracer: Tracer = {
    leave(frame, machine) {
      if (frame.parent === null) world = machine.world;
    },
  };
  return { tracer, left: () => world! };
}

function after(below: StateReader, ...worlds: World[]) {
  const carried = createCarriedState(below, 5000n);
  for (const world of worlds) carried.take(world);
  return carried;
}

const other = 0xbeef000000000000000000000000000000000020n;
/** Of the contract. */
const balance = 50n;

it('a slot, a transient slot, a nonce and a balance are as they were left', () => {
  const kept = keepWorld();
  const counting = `
    PUSH 1 SLOAD PUSH 1 ADD PUSH 1 SSTORE
    PUSH 1 TLOAD PUSH 1 ADD PUSH 1 TSTORE
    PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 7 PUSH ${other} PUSH 50000 CALL POP
    PUSH 1 SLOAD PUSH 0 MSTORE PUSH 1 TLOAD PUSH 32 MSTORE PUSH ${other} BALANCE PUSH 64 MSTORE SELFBALANCE PUSH 96 MSTORE
    PUSH 128 PUSH 0 RETURN`;
  const run: CodeRun = { contract: { balance }, accounts: [{ address: other, num: 1003n, balance: 1n }] };
  const words = ({ output }: { output: Uint8Array }) =>
    [0, 32, 64, 96].map((start) => wordOf(output.subarray(start, start + 32)));
  const first = runCode(counting, { ...run, tracer: kept.tracer });
  expect(words(first)).toEqual([1n, 1n, 8n, 43n]);
  const again = keepWorld();
  const second = runCode(counting, { ...run, tracer: again.tracer, over: (below) => after(below, kept.left()) });
  expect(words(second)).toEqual([2n, 1n, 15n, 36n]);
  const third = runCode(counting, {
    ...run,
    over: (below) => after(below, kept.left(), again.left()),
  });
  expect(words(third)).toEqual([3n, 1n, 22n, 29n]);
  expect(words(runCode(counting, run))).toEqual([1n, 1n, 8n, 43n]);
});

it('what failed leaves nothing', () => {
  const kept = keepWorld();
  const code = 'PUSH 1 SLOAD PUSH 1 ADD PUSH 1 SSTORE PUSH 0 PUSH 0 REVERT';
  expect(runCode(code, { tracer: kept.tracer }).status).toBe('CONTRACT_REVERT_EXECUTED');
  const contract = {
    ...{ num: 1002n, address: called, kind: 'contract' as const, balance: 0n, nonce: 1n, code: Uint8Array.of(0) },
  };
  const state = after(
    { account: () => contract, slot: () => 9n, blockHash: () => null, fact: () => undefined },
    kept.left(),
  );
  expect([state.account(called), state.slot(contract, 1n)]).toEqual([contract, 9n]);
  expect(state.nextNum).toBe(5000n);
});

it('a contract that was made is there, under its number too, and one that destroyed itself is not', () => {
  const kept = keepWorld();
  // Code of one byte; then code that destroys itself as it is made.
  const make = (init: string, bytes: number) =>
    `PUSH 0x${init} PUSH 0 MSTORE PUSH ${bytes} PUSH ${32 - bytes} PUSH 0 CREATE POP`;
  const code = `${make('60016000f3', 5)} ${make('33ff', 2)} STOP`;
  runCode(code, { contract: { nonce: 1n }, tracer: kept.tracer });
  const asked: bigint[] = [];
  const below = {
    account: (address: bigint) => {
      asked.push(address);
      return null;
    },
    slot: () => 9n,
    blockHash: () => null,
    fact: () => undefined,
  };
  const state = after(below, kept.left());
  const [made, gone] = [creationAddress(called, 1n), creationAddress(called, 2n)];
  const contract = state.account(made)!;
  expect(contract).toMatchObject({ num: 5000n, address: made, kind: 'contract', nonce: 1n, code: Uint8Array.of(0) });
  expect(state.account(5000n)).toBe(contract);
  expect(state.slot(contract, 3n)).toBe(0n);
  expect(state.account(gone)).toBeNull();
  expect(state.account(called)).toMatchObject({ nonce: 3n });
  expect(asked).toEqual([]);
  // What is gone has no number.
  expect(state.nextNum).toBe(5001n);
});

it('tokens that were moved stay moved', () => {
  const kept = keepWorld();
  const balanceOf = { to: tokens.plainCoin, signature: 'balanceOf(address)', args: [caller] };
  const move = { to: tokens.plainCoin, signature: 'transfer(address,uint256)', args: [people.owner.num, 9n] };
  const before = wordOf(ask(balanceOf).output);
  expect(ask({ ...move, tracer: kept.tracer }).status).toBe('SUCCESS');
  const over: CodeRun['over'] = (below) => after(below, kept.left());
  expect(wordOf(ask({ ...balanceOf, over }).output)).toBe(before - 9n);
  expect(wordOf(ask(balanceOf).output)).toBe(before);
});
