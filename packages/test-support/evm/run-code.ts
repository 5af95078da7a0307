// Runs code at an address of its own, called by an account with hbar.

import { newestRules, rulesOf } from '../../machine/rules/versions.ts';
import { runTransaction } from '../../machine/run/run-transaction.ts';
import type { Finished, RunOptions, Transaction } from '../../machine/run/transaction.ts';
import { createMemoryState, type KnownAccount, type KnownFact } from '../../machine/state/memory-state.ts';
import type { MissingFact, StateReader } from '../../machine/state/state-reader.ts';
import { assemble } from './assemble.ts';

export const caller = 0xa11ce00000000000000000000000000000000001n;
export const called = 0xc0de000000000000000000000000000000000010n;
export const testBlock = { number: 1000n, timestamp: 1_700_000_000n, prevRandao: 77n, chainId: 298n };

export type CodeRun = Partial<Omit<RunOptions, 'rules'>> & {
  version?: string;
  /** Beside the caller and the contract. */
  accounts?: readonly KnownAccount[];
  contract?: Partial<KnownAccount>;
  transaction?: Partial<Transaction>;
  hashes?: Map<bigint, bigint>;
  facts?: readonly KnownFact[];
  isKnown?: (fact: MissingFact) => boolean;
  /** What is put on top of all of these. */
  over?(below: StateReader): StateReader;
};

/** The result of a run that ended; `code` is text for assemble(), or bytes. */
export function runCode(code: string | Uint8Array, run: CodeRun = {}): Finished {
  const result = tryCode(code, run);
  if (result.kind !== 'finished') throw new Error(`The run ended with ${JSON.stringify(result.kind)}`);
  return result;
}

export function tryCode(code: string | Uint8Array, run: CodeRun = {}) {
  const { version, accounts = [], contract, transaction, hashes, facts, isKnown, over, ...options } = run;
  const bytes = typeof code === 'string' ? assemble(code) : code;
  const state = createMemoryState(
    [
      { address: caller, num: 1001n, balance: 10n ** 12n },
      { address: called, num: 1002n, code: bytes, ...contract },
      ...accounts,
    ],
    { hashes, facts, isKnown },
  );
  return runTransaction(
    {
      sender: caller,
      to: called,
      value: 0n,
      data: new Uint8Array(0),
      gasLimit: 1_000_000,
      gasPrice: 7n,
      ...transaction,
    },
    {
      rules: version === undefined ? newestRules : rulesOf(version),
      state: over ? over(state) : state,
      block: testBlock,
      nextNum: 5000n,
      ...options,
    },
  );
}

/** Leaves what is on top of the stack as the output. */
export const returnTop = 'PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN';

export function wordOf(output: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(output).toString('hex') || '0'}`);
}
