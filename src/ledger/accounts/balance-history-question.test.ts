// Balances over time against a sum over all transfers, for ledgers that begin anywhere.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { openRowLoader, type RowLoader } from '../../../packages/test-support/rows/load-rows.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockRow, blockTimes, entityRow } from '../../../packages/test-support/rpc/chain-rows.ts';
import { createLedger } from '../create-ledger.ts';
import type { Ledger } from '../ledger.ts';
import { maxHistoryTransfers } from './balance-history-question.ts';

let stored: StoredRows;
let loader: RowLoader;
let ledger: Ledger;

beforeAll(async () => {
  stored = await storeRows([]);
  loader = await openRowLoader(stored.connectionString);
  ledger = createLedger({ db: stored.db, clock: () => 0n, system: usualRealm });
});
afterAll(async () => {
  await loader?.close();
  await stored?.close();
});

const day = 86_400_000_000_000n;
const start = 1_700_000_000_000_000_000n;
const transfer = (at: bigint, amount: bigint, entity_id = 1001n, errata: string | null = null): SetupRow => ({
  table: 'crypto_transfer',
  row: { consensus_timestamp: at, payer_account_id: 1002n, entity_id, amount, is_approval: false, errata },
});
const snapshot = (at: bigint, balance: bigint): SetupRow => ({
  table: 'account_balance',
  row: { account_id: 1001n, consensus_timestamp: at, balance },
});

describe('the balance over time', () => {
  it('is the sum of all transfers until each moment that changed it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ gap: fc.integer({ min: 0, max: 3 }), amount: fc.integer({ min: -50, max: 50 }) }), {
          maxLength: 40,
        }),
        fc.integer({ min: 0, max: 1000 }),
        async (moves, before) => {
          let at = start;
          const transfers = moves.map(({ gap, amount }) => {
            at += BigInt(gap);
            return { at, amount: BigInt(amount) };
          });
          const balanceAfter = (moment: bigint): bigint =>
            transfers.reduce((sum, one) => (one.at <= moment ? sum + one.amount : sum), BigInt(before));
          await loader.load([
            blockRow(0n),
            entityRow(1001n, { balance: balanceAfter(at) }),
            ...transfers.map((one) => transfer(one.at, one.amount)),
            transfer(start + 1n, 7n, 1003n),
            transfer(start + 1n, 7n, 1001n, 'DELETE'),
          ]);
          const found = (await ledger.accounts.balanceHistory(1001n))!;
          const moments = [...new Set(transfers.map((one) => one.at))];
          const expected = moments.map((moment) => ({ at: moment, balance: balanceAfter(moment) }));
          const noMoment = [{ at: blockTimes(0n).end, balance: BigInt(before) }];
          expect(found).toEqual({
            exact: expected.length > 0 ? expected : noMoment,
            snapshots: [],
            isWhole: true,
          });
          for (const moment of [start - 1n, ...moments, at + 1n]) {
            expect(await ledger.accounts.balanceAt(1001n, moment)).toBe(balanceAfter(moment));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('goes on in snapshots where there are more transfers than are read', async () => {
    const count = maxHistoryTransfers + 500;
    const times = Array.from({ length: count }, (_, place) => start + BigInt(place) * (day / 10n));
    await loader.load([
      blockRow(0n),
      entityRow(1001n, { balance: BigInt(count) }),
      ...times.map((at) => transfer(at, 1n)),
      // Each tenth day; the first of them before any transfer.
      ...Array.from({ length: 6 }, (_, place) =>
        snapshot(start - 1n + BigInt(place) * 10n * day, BigInt(place) * 100n),
      ),
    ]);
    const { exact, snapshots, isWhole } = (await ledger.accounts.balanceHistory(1001n))!;
    expect([exact.length, isWhole]).toEqual([maxHistoryTransfers, false]);
    expect(exact[0]).toEqual({ at: times[500], balance: 501n });
    expect(exact.at(-1)).toEqual({ at: times.at(-1), balance: BigInt(count) });
    expect(snapshots.map(({ balance }) => balance)).toEqual([0n, 100n, 200n, 300n, 400n]);
    expect(snapshots.at(-1)!.at).toBeLessThan(exact[0]!.at);
  });

  it('has no snapshots where none are stored, and knows a past balance only near the present', async () => {
    const { exact, snapshots } = (await ledger.accounts.balanceHistory(1001n))!;
    expect([exact.length, snapshots.length]).toEqual([maxHistoryTransfers, 5]);
    await loader.load([
      entityRow(1001n, { balance: 3000n }),
      ...Array.from({ length: 3000 }, (_, place) => transfer(start + BigInt(place), 1n)),
    ]);
    expect((await ledger.accounts.balanceHistory(1001n))!.snapshots).toEqual([]);
    expect(await ledger.accounts.balanceAt(1001n, start + 2999n)).toBe(3000n);
    expect(await ledger.accounts.balanceAt(1001n, start + 1500n)).toBe(1501n);
    expect(await ledger.accounts.balanceAt(1001n, start)).toBeNull();
  });

  it('of an account whose transfers no index has is what snapshots and the present say', async () => {
    await loader.load([
      blockRow(5n),
      entityRow(98n, { balance: 9n }),
      { table: 'account_balance', row: { account_id: 98n, consensus_timestamp: 5n, balance: 4n } },
    ]);
    const { exact, snapshots, isWhole } = (await ledger.accounts.balanceHistory(98n))!;
    expect(exact).toEqual([{ at: blockTimes(5n).end, balance: 9n }]);
    expect([snapshots, isWhole]).toEqual([[{ at: 5n, balance: 4n }], false]);
    expect(await ledger.accounts.balanceAt(98n, 5n)).toBeNull();
  });

  it('is unknown of what is not stored, and of a balance that is not known', async () => {
    await loader.load([entityRow(1001n, { balance: null })]);
    expect(await ledger.accounts.balanceHistory(1001n)).toBeNull();
    expect(await ledger.accounts.balanceHistory(5555n)).toBeNull();
    expect(await ledger.accounts.balanceAt(1001n, 1n)).toBeNull();
  });
});
