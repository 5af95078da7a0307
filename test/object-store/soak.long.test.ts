// The short form of run-soak.ts: the importer as a process, killed once, on a store that is throttled and fails.
import { beforeAll, expect, it } from 'vitest';
import { storeCredentials } from '../support/servers/object-server.ts';
import { listManyNames, soakBuckets } from './soak-buckets.ts';

beforeAll(() => {
  Object.assign(process.env, storeCredentials);
});

it('an import that is killed goes on from a bucket that fails: complete, in order, nothing twice', {
  timeout: 300_000,
}, async () => {
  const groups = 60;
  const report = await soakBuckets({ groups, kills: 1, seed: '1', requestsPerSecond: 300, say() {} });
  expect(report.numbers).toEqual(Array.from({ length: groups }, (_, at) => BigInt(at)));
  expect(report.differences).toEqual([]);
  expect(Object.keys(report.faults)).toEqual(expect.arrayContaining(['SlowDown', 'reset', 'truncate']));
});

it('a listing costs no more than its pages, and nothing for what lies behind', async () => {
  const all = await listManyNames(20_000, 0);
  expect([all.groups, all.requests]).toEqual([10_000, 20]);
  const last = await listManyNames(1_000_000, 0.999);
  // 1,000 names are left, and those of the second before.
  expect([last.groups, last.requests]).toEqual([500, 1]);
});
