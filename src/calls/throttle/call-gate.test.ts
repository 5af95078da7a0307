// The gas that a call takes, and what comes back after it.
import { expect, it } from 'vitest';
import { PoolFull, ThreadLost } from '../pool/call-pool.ts';
import type { Outcome } from '../thread/job.ts';
import type { FilteredCall } from './call-filters.ts';
import { createCallGate } from './call-gate.ts';

const gas = 1_000_000;
const call: FilteredCall = {
  from: null,
  to: 1n,
  value: 0n,
  data: new Uint8Array(0),
  gas,
  estimate: false,
  block: null,
};
const limits = { requestsPerSecond: 1000, gasPerSecond: gas, gasRefundPercent: 100, filters: [] };
const run = (status: 'SUCCESS' | 'INSUFFICIENT_GAS', gasUsed: number): Outcome => ({
  kind: 'finished',
  run: { status, halt: null, output: new Uint8Array(0), gasUsed, isBelowIntrinsic: false, failedChildren: [] },
  runs: 1,
});
const hour = 3_600_000;

/** Gas of the largest call that passes at the same moment, of 0 to 100 parts. */
async function leftAfter(answer: Outcome | { kind: 'noBlock' } | Error, given: Partial<typeof limits> = {}) {
  // Nothing is refilled.
  const gate = createCallGate({ ...limits, ...given }, { clock: () => hour });
  const first = gate.pass('a', call, () =>
    answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer),
  );
  if (answer instanceof Error) await expect(first).rejects.toBe(answer);
  else expect(await first).toBe(answer);
  for (let parts = 100; parts > 0; parts--) {
    const passed = await gate.pass('a', { ...call, gas: (gas / 100) * parts }, async () => ({
      kind: 'noBlock' as const,
    }));
    if (passed.kind === 'noBlock') return parts;
    expect(passed).toEqual({ kind: 'throttled', by: 'gas' });
  }
  return 0;
}

it.each<[string, Outcome | { kind: 'noBlock' } | Error, number]>([
  ['what a run did not use', run('SUCCESS', 400_000), 60],
  ['what an estimate does not need', { kind: 'estimated', gas: 250_000, runs: 1 }, 75],
  ['what traced calls did not use', { kind: 'tracedCalls', bodies: [], gasConsumed: 300_000 }, 70],
  ['nothing, where it used all', run('SUCCESS', gas), 0],
  ['nothing, where it failed with all', run('INSUFFICIENT_GAS', gas), 0],
  ['what a failed run did not use', run('INSUFFICIENT_GAS', 900_000), 10],
  ['all, where it did not begin', { kind: 'noSender' }, 100],
  ['all, where there is no such block', { kind: 'noBlock' }, 100],
  ['nothing, where it met what is not supported', { kind: 'notSupported', called: 'f()', asker: 1n }, 0],
  ['nothing, where a limit ended it', { kind: 'stopped', limit: 'time' }, 0],
  ['nothing, where its thread was lost', new ThreadLost('lost'), 0],
  ['all, where no thread had time for it', new PoolFull('all', 'full'), 100],
])('gives back %s', async (_, answer, parts) => {
  expect(await leftAfter(answer)).toBe(parts);
});

it('gives back no larger part than it is told', async () => {
  expect(await leftAfter(run('SUCCESS', 400_000), { gasRefundPercent: 20 })).toBe(20);
  expect(await leftAfter({ kind: 'estimated', gas: 250_000, runs: 1 }, { gasRefundPercent: 0 })).toBe(0);
  expect(await leftAfter(run('SUCCESS', 950_000), { gasRefundPercent: 20 })).toBe(5);
  expect(await leftAfter(run('INSUFFICIENT_GAS', gas), { gasRefundPercent: 20 })).toBe(0);
});

it('gives back all of a call that a filter refuses', async () => {
  const filters = [{ action: 'reject', rate: 100, limit: 1, conditions: [] } as const];
  const gate = createCallGate({ ...limits, filters }, { clock: () => hour });
  const begin = async () => run('SUCCESS', gas);
  expect(await gate.pass('a', call, begin)).toEqual({ kind: 'throttled', by: 'filter' });
  expect(await gate.pass('a', call, begin)).toMatchObject({ kind: 'finished' });
  expect(await gate.pass('a', call, begin)).toEqual({ kind: 'throttled', by: 'gas' });
});

it('counts what each client takes, and all together up to four times as much', async () => {
  const gate = createCallGate({ ...limits, requestsPerSecond: 2 }, { clock: () => hour });
  const pass = (client: string) =>
    gate.pass(client, { ...call, gas: 0 }, async () => ({ kind: 'noBlock' as const })).then(({ kind }) => kind);
  expect([await pass('a'), await pass('a'), await pass('a')]).toEqual(['noBlock', 'noBlock', 'throttled']);
  for (const client of ['b', 'c', 'd'])
    expect([await pass(client), await pass(client)]).toEqual(['noBlock', 'noBlock']);
  expect(await pass('e')).toBe('throttled');
});

it('filters every call that runs with another', async () => {
  const condition = { field: 'to', isWhole: true, text: '2'.padStart(40, '0') } as const;
  const filters = [{ action: 'reject', rate: 100, limit: -1, conditions: [condition] }] as const;
  const gate = createCallGate({ ...limits, filters }, { clock: () => hour });
  const ask = (others: FilteredCall[]) => gate.pass('a', call, async () => run('SUCCESS', 0), others);
  expect(await ask([{ ...call, to: 3n }])).toMatchObject({ kind: 'finished' });
  expect(
    await ask([
      { ...call, to: 3n },
      { ...call, to: 2n },
    ]),
  ).toEqual({ kind: 'throttled', by: 'filter' });
});
