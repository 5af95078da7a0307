// Everyone who follows gets every span after the moment of joining, once and in order, however the ledger grows.
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { pause } from '../../../packages/kit/pause.ts';
import type { BlockState } from '../../../packages/store/notify/block-watch.ts';
import { createLedgerFeed, type Growth } from './ledger-feed.ts';

function openFeed(watch: BlockState) {
  const ledger = { end: 5n, fails: false, reads: 0 };
  const errors: unknown[] = [];
  const feed = createLedgerFeed({
    async readEnd() {
      ledger.reads += 1;
      await pause(0);
      if (ledger.fails) throw new Error('no database');
      return ledger.end;
    },
    watch,
    onError: (error) => errors.push(error),
    ...{ lookEveryMs: 1, askEveryMs: 2 },
  });
  return { feed, ledger, errors };
}

const untold = (): BlockState => ({ turn: 0, epoch: 0, newestEnd: null, confirmedMs: 0 });

it('spans meet, whoever comes and goes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          grows: fc.nat(3),
          joins: fc.boolean(),
          fails: fc.boolean(),
          isSlow: fc.boolean(),
          told: fc.boolean(),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      async (steps) => {
        const watch = untold();
        const { feed, ledger } = openFeed(watch);
        const all: { since: bigint; spans: Growth[] }[] = [];
        for (const { grows, joins, fails, isSlow, told } of steps) {
          if (joins) {
            const spans: Growth[] = [];
            const listener = async (growth: Growth) => {
              if (isSlow) await pause(1);
              spans.push(growth);
            };
            ledger.fails = false;
            all.push({ since: (await feed.follow(listener)).since, spans });
          }
          ledger.fails = fails;
          ledger.end += BigInt(grows);
          if (told) Object.assign(watch, { turn: watch.turn + 1, newestEnd: ledger.end });
          else watch.newestEnd = null;
          await pause(1);
        }
        ledger.fails = false;
        await vi.waitUntil(() => all.every(({ since, spans }) => (spans.at(-1)?.to ?? since) === ledger.end), {
          timeout: 5000,
        });
        for (const { since, spans } of all) {
          expect(
            spans.reduce((end, { after, to }) => {
              expect(after).toBe(end);
              expect(to).toBeGreaterThan(after);
              return to;
            }, since),
          ).toBe(ledger.end);
        }
        await feed.close();
      },
    ),
    { numRuns: 30 },
  );
});

it('asks nothing while blocks are told of and none came, nor when nobody follows', async () => {
  const watch = { ...untold(), newestEnd: 5n, turn: 1 };
  const { feed, ledger } = openFeed(watch);
  const { stop } = await feed.follow(() => {});
  await vi.waitUntil(() => ledger.reads === 2);
  await pause(50);
  expect(ledger.reads).toBe(2);
  Object.assign(watch, { turn: 2, newestEnd: 6n });
  ledger.end = 6n;
  await vi.waitUntil(() => ledger.reads === 3);
  stop();
  watch.newestEnd = null as never;
  await pause(20);
  expect([ledger.reads, feed.followers()]).toEqual([3, 0]);
  await feed.close();
});

it('a listener that comes again before it has gone is told', async () => {
  const { feed, ledger } = openFeed(untold());
  const spans: Growth[] = [];
  const listener = (growth: Growth) => void spans.push(growth);
  const first = await feed.follow(listener);
  const second = await feed.follow(listener);
  first.stop();
  ledger.end = 9n;
  await vi.waitUntil(() => spans.length === 1);
  expect(spans).toEqual([{ after: 5n, to: 9n }]);
  second.stop();
  await feed.close();
});
