// What is told is told once and in order, whatever fails on the way and whoever comes and goes.
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { noBlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { createLedgerFeed } from './ledger-feed.ts';
import { createTeller, type Teller } from './teller.ts';

/** A ledger that grows when the test says so. */
function createGrowingLedger() {
  let end = 0n;
  let isAway = false;
  const failures: unknown[] = [];
  const readEnd = async (): Promise<bigint> => {
    if (isAway) throw new Error('The database is away.');
    return end;
  };
  const feed = createLedgerFeed({
    ...{
      readEnd,
      watch: noBlockWatch,
      onError: (error: unknown) => failures.push(error),
      lookEveryMs: 1,
      askEveryMs: 1,
    },
  });
  return {
    feed,
    goAway: (is: boolean) => {
      isAway = is;
    },
    end: () => end,
    /** Resolves when the growth was told, or the telling has failed. */
    async grow(by: bigint, teller: Teller): Promise<{ hasFailed: boolean }> {
      const before = failures.length;
      end += by;
      await vi.waitUntil(() => teller.position() === end || failures.length > before, { interval: 1 });
      await teller.rested();
      return { hasFailed: failures.length > before };
    },
  };
}

it('a telling that fails half-way goes on where it was', async () => {
  const steps = fc.array(fc.record({ by: fc.bigInt(1n, 6n), failsAfter: fc.option(fc.nat(5)) }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(steps, async (growths) => {
      const { feed, grow, end } = createGrowingLedger();
      const told: bigint[] = [];
      let left = Number.POSITIVE_INFINITY;
      const teller = createTeller(feed, async function* (after, to) {
        for (let at = after + 1n; at <= to; at++) {
          if (left === 0) throw new Error('The database is away.');
          left -= 1;
          told.push(at);
          yield at;
        }
      });
      await teller.join();
      for (const { by, failsAfter } of growths) {
        left = failsAfter ?? Number.POSITIVE_INFINITY;
        const { hasFailed } = await grow(by, teller);
        expect(hasFailed).toBe(teller.position() < end());
      }
      left = Number.POSITIVE_INFINITY;
      await grow(1n, teller);
      await feed.close();
      expect(told).toEqual(Array.from({ length: Number(end()) }, (_, at) => BigInt(at) + 1n));
    }),
    { numRuns: 30 },
  );
});

it('the ledger is followed while there is anybody', async () => {
  const { feed, grow } = createGrowingLedger();
  const told: [bigint, bigint][] = [];
  const teller = createTeller(feed, async function* (after, to) {
    told.push([after, to]);
    yield to;
  });
  const first = await teller.join();
  await grow(2n, teller);
  const second = await teller.join();
  first.leave();
  first.leave();
  expect(feed.followers()).toBe(1);
  await grow(1n, teller);
  second.leave();
  await vi.waitUntil(() => feed.followers() === 0);
  await teller.join();
  await grow(1n, teller);
  await feed.close();
  expect(told).toEqual([
    [0n, 2n],
    [2n, 3n],
    [3n, 4n],
  ]);
});

it('who cannot follow is not counted', async () => {
  const { feed, goAway } = createGrowingLedger();
  const teller = createTeller(feed, async function* (_after, to) {
    yield to;
  });
  goAway(true);
  const refused = await Promise.allSettled([teller.join(), teller.join()]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  goAway(false);
  const { leave } = await teller.join();
  expect(feed.followers()).toBe(1);
  leave();
  await vi.waitUntil(() => feed.followers() === 0);
  await feed.close();
});
