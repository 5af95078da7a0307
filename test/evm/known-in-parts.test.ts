// Whatever programs do, and whatever of the state is in memory, the machine ends with a result; what it needs it finds
// out round by round, and the last result is that of a state that is known from the beginning.
import { expect, it } from 'vitest';
import type { Tracer } from '../../packages/machine/frame/machine.ts';
import { rulesOf, versionNames } from '../../packages/machine/rules/versions.ts';
import { runTransaction } from '../../packages/machine/run/run-transaction.ts';
import type { Transaction } from '../../packages/machine/run/transaction.ts';
import { createMemoryState } from '../../packages/machine/state/memory-state.ts';
import type { MissingFact } from '../../packages/machine/state/state-reader.ts';
import { plainAccount, randomWorld, sender } from './programs.ts';

const block = { number: 1000n, timestamp: 1_700_000_000n, prevRandao: 5n, chainId: 298n };
const programs = 300;

it('needs few rounds, and ends as with all of the state, and with a tracer', { timeout: 240_000 }, () => {
  let rounds = 0;
  let seen = 0;
  const ends = new Set<string>();
  for (let seed = 1; seed <= programs; seed++) {
    const { contracts, to, value, data, gas } = randomWorld(seed);
    const rules = rulesOf(versionNames[seed % versionNames.length]!);
    const plain = [
      { address: sender, num: 1001n, balance: 10n ** 12n },
      { address: plainAccount, num: 1002n, balance: 5n },
      { address: 5n, balance: 3n },
    ];
    const transaction: Transaction = {
      sender,
      to,
      value,
      data,
      gasLimit: 60_000 + gas,
      gasPrice: 1n,
      countsNonce: true,
    };
    const known = new Set<string>();
    const run = (isKnown: (fact: MissingFact) => boolean, tracer?: Tracer) =>
      runTransaction(transaction, {
        rules,
        state: createMemoryState([...plain, ...contracts], { isKnown }),
        block,
        nextNum: 5000n,
        withActions: true,
        tracer,
      });
    const whole = run(() => true);
    let parts = run((fact) => known.has(nameOf(fact)));
    for (rounds += 1; parts.kind === 'missing'; rounds += 1) {
      for (const fact of parts.facts) known.add(nameOf(fact));
      parts = run((fact) => known.has(nameOf(fact)));
    }
    expect(parts).toEqual(whole);
    const tracer = { before: () => seen++ };
    expect(run(() => true, tracer)).toEqual(whole);
    if (whole.kind === 'finished') ends.add(whole.status);
  }
  expect(rounds / programs).toBeLessThan(6);
  expect(seen / programs).toBeGreaterThan(100);
  expect([...ends]).toEqual(expect.arrayContaining(['SUCCESS', 'INSUFFICIENT_GAS', 'CONTRACT_REVERT_EXECUTED']));
  expect([...ends]).toEqual(expect.arrayContaining(['INVALID_CONTRACT_ID', 'CONTRACT_EXECUTION_EXCEPTION']));
});

function nameOf(fact: MissingFact): string {
  if (fact.kind === 'account') return `account ${fact.address}`;
  return fact.kind === 'slot' ? `slot ${fact.account.address} ${fact.slot}` : fact.kind;
}
