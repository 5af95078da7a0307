// `timestamp=ne:T` of an account and a contract: in `spec` it leaves out a moment, in `hiero` every version of that
// moment.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answers, openAnswers } from '../../../packages/test-support/http/answers.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const base = 1_600_000_000_000_000_000n;
const at = (ns: number): string => `1600000000.${String(ns).padStart(9, '0')}`;
/** [from, to) in ns after the base; null = still valid. */
const versions: [number, number | null][] = [
  [0, 10],
  [10, 11],
  [11, 13],
  [13, null],
];

let stored: StoredRows;
let answers: Answers;
beforeAll(async () => {
  const toVersion = (num: bigint, [from, to]: (typeof versions)[number]) => ({
    num,
    memo: `from ${from}`,
    timestamp_range: `[${base + BigInt(from)},${to === null ? '' : base + BigInt(to)})`,
  });
  const setup = {
    accounts: versions.map((version) => toVersion(1001n, version)),
    contracts: versions.map((version) => toVersion(1002n, version)),
  };
  stored = await storeRows(toSetupRows(setup, { shard: 0n, realm: 0n }));
  answers = openAnswers(stored.db);
});
afterAll(async () => {
  await answers?.close();
  await stored?.close();
});

it.each([
  // [conditions, first moment of the version in spec, the same in hiero]
  [[`ne:${at(500)}`], 13, 11],
  [[`ne:${at(13)}`], 13, 11],
  [[`ne:${at(12)}`], 13, 13],
  [[`lte:${at(13)}`, `ne:${at(13)}`], 11, 11],
  [[`lte:${at(12)}`, `ne:${at(12)}`], 11, 10],
  [[`lte:${at(12)}`, `ne:${at(12)}`, `ne:${at(11)}`], 10, 10],
  [[`lte:${at(10)}`, `ne:${at(10)}`], 0, 0],
  // The version of one moment is left out inside of a span, too.
  [[`gte:${at(9)}`, `lte:${at(10)}`, `ne:${at(10)}`], 0, 0],
  [[`lt:${at(11)}`, `ne:${at(10)}`, `ne:${at(9)}`], 0, null],
  [[`gte:${at(10)}`, `lte:${at(12)}`, `ne:${at(11)}`, `ne:${at(12)}`], 10, 10],
  [[`gte:${at(10)}`, `lte:${at(10)}`, `ne:${at(10)}`], null, null],
  [[`ne:${at(10)}`, `ne:${at(11)}`, `ne:${at(12)}`, `lte:${at(13)}`], 13, 13],
  [[`lt:${at(14)}`, `ne:${at(13)}`, `ne:${at(12)}`, `ne:${at(11)}`, `gt:${at(9)}`], 10, 10],
])('%s', async (conditions, inSpec, inHiero) => {
  const query = conditions.map((condition) => `timestamp=${condition}`).join('&');
  for (const [dialect, from] of [['spec', inSpec] as const, ['hiero', inHiero] as const]) {
    for (const path of ['accounts/1001', 'contracts/1002']) {
      const { status, body } = await answers.get(dialect, `/api/v1/${path}?${query}`);
      expect([dialect, path, status, body.memo]).toEqual([
        ...[dialect, path],
        ...(from === null ? [404, undefined] : [200, `from ${from}`]),
      ]);
    }
  }
});
