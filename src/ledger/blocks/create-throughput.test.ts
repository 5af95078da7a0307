// Transactions of each minute, as blocks come: every look gives what a count of all blocks gives.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { recordQueries } from '../../../packages/test-support/postgres/record-queries.ts';
import { createScratchDatabase } from '../../../packages/test-support/postgres/scratch-database.ts';
import { addRows } from '../../../packages/test-support/rows/load-rows.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockRow } from '../../../packages/test-support/rpc/chain-rows.ts';
import { createThroughput } from './create-throughput.ts';

const minute = 60_000_000_000n;
const second = 1_000_000_000n;
const begin = 28_000_000n * minute;

let stored: StoredRows;
beforeAll(async () => {
  stored = await storeRows([]);
});
afterAll(async () => {
  await stored?.close();
});

type Block = { start: bigint; end: bigint; count: bigint };
const toRow = ({ start, end, count }: Block, index: number) =>
  blockRow(BigInt(index), { consensus_start: start, consensus_end: end, count });

/** By the definition: whole minutes after the oldest block's beginning, a day of them at most. */
function countMinutes(blocks: readonly Block[]): { end: bigint; minutes: bigint[] } {
  const end = (blocks.at(-1)!.end / minute) * minute;
  const minutes: bigint[] = [];
  for (let start = end - minute; minutes.length < 1440 && start >= blocks[0]!.start; start -= minute) {
    const inside = blocks.filter((block) => block.end >= start && block.end < start + minute);
    minutes.unshift(inside.reduce((sum, { count }) => sum + count, 0n));
  }
  return { end, minutes };
}

it('nothing is known of an empty ledger', async () => {
  const throughput = createThroughput({ db: stored.db, clock: () => 0n });
  expect(await throughput()).toBeNull();
});

it('each look gives what a count of all blocks gives', async () => {
  const pauses = fc.array(
    fc.record({ seconds: fc.oneof(fc.nat(20), fc.nat(40_000)), count: fc.nat(9), looks: fc.boolean() }),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(pauses, fc.nat(59), async (steps, offset) => {
      const scratch = await createScratchDatabase();
      const db = openDatabase({ connectionString: scratch.connectionString });
      try {
        let now = 0n;
        const throughput = createThroughput({ db, clock: () => now });
        const blocks: Block[] = [];
        let at = begin + BigInt(offset) * second;
        let waiting: ReturnType<typeof toRow>[] = [];
        for (const [index, { seconds, count, looks }] of steps.entries()) {
          const block = { start: at, end: at + second, count: BigInt(count) };
          at += second + BigInt(seconds) * second + 1n;
          blocks.push(block);
          waiting.push(toRow(block, index));
          if (!looks && index < steps.length - 1) continue;
          await addRows(scratch.connectionString, waiting);
          waiting = [];
          now += minute;
          expect(await throughput()).toEqual(countMinutes(blocks));
        }
      } finally {
        await db.close();
        await scratch.close();
      }
    }),
    { numRuns: 15 },
  );
});

it('a look is taken once a minute, and reads only what is new', async () => {
  const blocks = Array.from({ length: 10 }, (_, index) => ({
    start: begin + BigInt(index) * minute,
    end: begin + BigInt(index) * minute + second,
    count: 7n,
  }));
  await addRows(stored.connectionString, blocks.map(toRow));
  const asked: unknown[][] = [];
  const db = recordQueries(stored.db, ({ name, values = [] }) => {
    if (name.startsWith('select-minute-counts')) asked.push([...values]);
  });
  let now = 100n * minute;
  const throughput = createThroughput({ db, clock: () => now });
  const [one, other] = await Promise.all([throughput(), throughput()]);
  expect(one).toBe(other);
  expect(one).toEqual({ end: begin + 9n * minute, minutes: Array(9).fill(7n) });
  now += minute - 1n;
  expect(await throughput()).toBe(one);
  await addRows(stored.connectionString, [
    toRow({ start: begin + 11n * minute, end: begin + 11n * minute + 1n, count: 3n }, 10),
  ]);
  now += 1n;
  expect((await throughput())!.minutes).toEqual([...Array(10).fill(7n), 0n]);
  expect(asked).toEqual([
    [begin, begin + 9n * minute],
    [begin + 9n * minute, begin + 11n * minute],
  ]);
});
