// How much room the database takes, and what a day of the ledger adds: by the days that the import has counted.
import { afterEach, describe, expect, it } from 'vitest';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockRow } from '../../../packages/test-support/rpc/chain-rows.ts';
import { createStorageQuestion, daysLeft, describeStorage, findStorage, type Storage } from './storage.ts';

const hour = 3_600_000_000_000n;
const day = 24n * hour;
const firstDay = 20_000n;

let stored: StoredRows | undefined;
afterEach(async () => {
  await stored?.close();
  stored = undefined;
});

/** Blocks from the first moment to the last one, in hours since the first day, and transactions by day. */
async function store(
  hours: [number, number] | null,
  transactions: number[],
  more: SetupRow[] = [],
): Promise<StoredRows> {
  const moments = hours?.map((at) => firstDay * day + BigInt(at * 3600) * 1_000_000_000n) ?? [];
  stored = await storeRows([
    ...moments.map((at, n) => blockRow(BigInt(n), { consensus_start: at, consensus_end: at })),
    ...transactions.map((count, n) => ({
      table: 'ledger_day',
      row: { day: Number(firstDay) + n, blocks: 1, transactions: count },
    })),
    ...more,
  ]);
  return stored;
}

describe('what a day adds, as a part of the size', () => {
  it.each<[what: string, hours: [number, number] | null, transactions: number[], share: number | null]>([
    ['an empty ledger', null, [], null],
    ['less than an hour', [1, 1.9], [500], null],
    ['half a day', [6, 18], [500], 2],
    ['two days', [0, 48], [500, 500, 0], 0.5],
    ['ten days, the newest of them twice as busy', [0, 240], [1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 0], 2 / 17],
    ['days without a transaction', [0, 240], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], null],
    ['days before the oldest block, whose rows were dropped', [48, 96], [900, 900, 5, 5, 0], 0.5],
  ])('%s', async (_what, hours, transactions, share) => {
    const { db } = await store(hours, transactions);
    const { bytes, bytesADay } = (await findStorage(db, null))!;
    expect(bytes).toBeGreaterThan(1_000_000n);
    if (share === null) expect(bytesADay).toBeNull();
    else expect(Number(bytesADay) / Number(bytes)).toBeCloseTo(share, 4);
  });

  it('is not known while days are still to be counted', async () => {
    const { db } = await store([0, 48], [500, 500, 0], [{ table: 'ledger_day_fill', row: { day: Number(firstDay) } }]);
    expect((await findStorage(db, null))!.bytesADay).toBeNull();
  });
});

it('looks again after ten minutes', async () => {
  const { db } = await store([0, 48], [500, 500, 0]);
  let [now, looks] = [0n, 0];
  const ask = createStorageQuestion({ db, clock: () => now, freeBytes: () => BigInt(++looks) });
  expect([await ask(), await ask()].map((found) => found!.freeBytes)).toEqual([1n, 1n]);
  now = hour / 6n - 1n;
  expect((await ask())!.freeBytes).toBe(1n);
  now = hour / 6n;
  expect((await ask())!.freeBytes).toBe(2n);
});

const bytes = 12_345_678_901n;
it.each<[sentence: string, storage: Storage, isCut: boolean, left: bigint | null]>([
  ['12.3 GB.', { bytes, bytesADay: null, freeBytes: 5n }, false, null],
  [
    '12.3 GB; a day of the ledger takes about 812 MB.',
    { bytes, bytesADay: 812_000_000n, freeBytes: null },
    false,
    null,
  ],
  [
    '12.3 GB; a day of the ledger takes about 812 MB, and there is room for about 99 more.',
    { bytes, bytesADay: 812_000_000n, freeBytes: 81_199_999_999n },
    false,
    99n,
  ],
  [
    '12.3 GB; a day of the ledger takes about 812 MB, for which as much of the oldest days is dropped.',
    { bytes, bytesADay: 812_000_000n, freeBytes: 81_200_000_000n },
    true,
    100n,
  ],
  [
    '12.3 GB; a day of the ledger takes about 1.0 MB, and there is room for more than ten years.',
    { bytes, bytesADay: 1_000_000n, freeBytes: 3_651_000_000n },
    false,
    3651n,
  ],
  ['9 B; a day of the ledger takes about 0 B.', { bytes: 9n, bytesADay: 0n, freeBytes: 1n }, false, null],
])('%s', (sentence, storage, isCut, left) => {
  expect([describeStorage(storage, isCut), daysLeft(storage)]).toEqual([sentence, left]);
});
