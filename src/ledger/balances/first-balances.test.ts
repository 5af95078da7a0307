// Balances of a snapshot, read in the order of the index, are those that are found account by account.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordQueries } from '../../../packages/test-support/postgres/record-queries.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { anyRange, toRange } from '../../kit/range.ts';
import { usualRealm } from '../../protocol/hapi/system-entity.ts';
import {
  selectAccountInSnapshot,
  selectSnapshotBalance,
  selectSnapshotTokens,
} from '../../store/read/select-balance-snapshot.ts';
import { selectBalancesAt, selectTokenBalancesAt } from '../../store/read/select-balances.ts';
import { createBalances } from './create-balances.ts';
import { findSnapshot, toSnapshotSearch } from './snapshot-search.ts';

const month = BigInt(Date.UTC(2023, 4, 1)) * 1_000_000n;
const minute = 60_000_000_000n;
/** One before the month, one as it begins, and 200 later ones. */
const snapshots = [month - 1n, month, ...Array.from({ length: 200 }, (_, index) => month + BigInt(index + 1) * minute)];
const end = snapshots.at(-1)!;
const treasury = 2n;
/** Has a row in every snapshot, as the treasury. */
const busy = 1_020n;
const ids = Array.from({ length: 40 }, (_, index) => 1_000n + BigInt(index));
const tokenId = 5_000n;

let stored: StoredRows;
beforeAll(async () => {
  const rows = snapshots.flatMap((consensus_timestamp, turn) =>
    [treasury, ...ids]
      .filter(
        (id) => id === treasury || id === busy || (id + BigInt(turn)) % 23n === 0n || (turn === 1 && id % 3n > 0n),
      )
      .flatMap((account_id) => {
        const row = { account_id, consensus_timestamp, balance: (account_id * BigInt(turn + 7)) % 11n };
        const held = (token: bigint) => ({ table: 'token_balance', row: { ...row, token_id: token } });
        return [
          { table: 'account_balance', row },
          held(tokenId),
          ...(account_id % 2n === 0n ? [held(tokenId + 1n)] : []),
        ];
      }),
  );
  const token = {
    ...{ token_id: tokenId, name: 'T', symbol: 'S', decimals: 3n, initial_supply: 0n, total_supply: 0n },
    ...{ treasury_account_id: 2n, created_timestamp: 1n, timestamp_range: '[1,)', freeze_status: 0n, kyc_status: 0n },
  };
  stored = await storeRows([...rows, { table: 'token', row: token }]);
});
afterAll(() => stored?.close());

const moment = fc.oneof(
  fc.constantFrom(month - 2n, month - 1n, month, month + 1n, month + minute, end, end + minute),
  fc.bigInt({ min: month - 2n, max: end + minute }),
);
const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;
const conditions = <T>(value: fc.Arbitrary<T>, maxLength: number) =>
  fc.array(fc.record({ operator: fc.constantFrom(...operators), value }), { maxLength });
const filters = fc.record({
  timestamp: conditions(moment, 3)
    .filter(({ length }) => length > 0)
    .map(toRange),
  account: conditions(fc.bigInt({ min: 998n, max: 1_042n }), 2).map(toRange),
  balance: fc.oneof(
    { weight: 3, arbitrary: fc.constant(anyRange) },
    conditions(fc.bigInt({ min: 0n, max: 10n }), 1).map(toRange),
  ),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.constantFrom(1, 2, 5, 25, 100),
});
const options = { clock: () => end + minute, system: usualRealm };
const shown = (rows: readonly object[]) => rows.map((row) => Object.entries(row).sort());

it('a page is the same as account by account', async () => {
  const asked = new Map<string, number>();
  const count = ({ name }: { name: string }) => asked.set(name, (asked.get(name) ?? 0) + 1);
  const balances = createBalances({ db: recordQueries(stored.db, count), ...options });
  const each = async ({ timestamp, account, ...filter }: typeof filters extends fc.Arbitrary<infer F> ? F : never) => {
    const search = toSnapshotSearch(timestamp, options);
    const snapshot = search && (await findSnapshot(stored.db, search));
    const page = await balances.list({ ...filter, id: account, timestamp, publicKey: [], tokenBalanceLimit: 1 });
    const ofToken = await balances.listOfToken({ ...filter, account, timestamp, tokenId, publicKey: null });
    const [expected, expectedOfToken] = snapshot
      ? await Promise.all([
          selectBalancesAt(stored.db, { ...filter, id: account, snapshot, publicKey: null, tokenBalanceLimit: 1 }),
          isNone(account.equals)
            ? selectTokenBalancesAt(stored.db, { ...filter, account, snapshot, tokenId, publicKey: null })
            : ofToken.items,
        ])
      : [[], []];
    expect(shown(page.items)).toEqual(shown(expected));
    expect(shown(ofToken.items)).toEqual(shown(expectedOfToken));
    expect(page.timestamp).toBe(expected.length > 0 ? snapshot!.at : null);
  };
  await fc.assert(fc.asyncProperty(filters, each), { numRuns: 300 });
  // Both ways were taken: the busy account fills what is read for a page of one.
  const first = asked.get('select-first-balances-at')!;
  expect(asked.get('select-balances-at')).toBeGreaterThan(0);
  expect(first).toBeGreaterThan(asked.get('select-balances-at')! / 2);
});

it('an account is the same as by three statements', async () => {
  const accounts = fc.constantFrom(treasury, busy, 1_001n, 1_002n, 999n);
  const each = async (timestamp: typeof anyRange, account: bigint) => {
    const search = toSnapshotSearch(timestamp, options);
    if (!search) return;
    const snapshot = await findSnapshot(stored.db, search);
    const expected = snapshot && {
      balance: await selectSnapshotBalance(stored.db, account, snapshot),
      timestamp: snapshot.at,
      tokens: await selectSnapshotTokens(stored.db, account, snapshot, 2),
    };
    expect(await selectAccountInSnapshot(stored.db, account, search, 2)).toEqual(expected);
  };
  const timestamps = filters.map(({ timestamp }) => timestamp);
  await fc.assert(fc.asyncProperty(timestamps, accounts, each), { numRuns: 300 });
});

/** Of a token every condition must hold, so that several exact accounts are none. */
function isNone(equals: readonly bigint[]): boolean {
  return equals.length === 0;
}

it.each([
  ['filled', anyRange, busy, ['select-first-balances-at']],
  [
    'not filled by the first rows, all of the busy account',
    toRange([{ operator: 'ne', value: (busy * BigInt(snapshots.length + 6)) % 11n }]),
    busy - 1n,
    ['select-first-balances-at', 'select-snapshot-timestamp', 'select-balances-at'],
  ],
])('a page that is %s', async (_case, balance, found, expected) => {
  const names: string[] = [];
  const balances = createBalances({ db: recordQueries(stored.db, ({ name }) => names.push(name)), ...options });
  const id = toRange([{ operator: 'lte', value: busy }]);
  const timestamp = toRange([{ operator: 'lte', value: end }]);
  const page = await balances.list({
    ...{ order: 'desc', limit: 1, id, timestamp, balance, publicKey: [], tokenBalanceLimit: 5 },
  });
  expect([page.items[0]!.account, names]).toEqual([found, expected]);
});
