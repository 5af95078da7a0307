// Balances of a snapshot, read in the order of the index, are those that are found account by account.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyRange, toRange } from '../../../packages/kit/range.ts';
import { withClient } from '../../../packages/postgres/wire/connect-client.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  selectAccountInSnapshot,
  selectSnapshotBalance,
  selectSnapshotTokens,
} from '../../../packages/store/read/select-balance-snapshot.ts';
import { selectBalancesAt, selectTokenBalancesAt } from '../../../packages/store/read/select-balances.ts';
import { recordQueries } from '../../../packages/test-support/postgres/record-queries.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { createBalances } from './create-balances.ts';
import { findSnapshot, toSnapshotSearch } from './snapshot-search.ts';

const month = BigInt(Date.UTC(2023, 4, 1)) * 1_000_000n;
const minute = 60_000_000_000n;
/** One before the month, one as it begins, and more later ones than are read for a page. */
const snapshots = [
  month - 1n,
  month,
  ...Array.from({ length: 2_100 }, (_, index) => month + BigInt(index + 1) * minute),
];
const end = snapshots.at(-1)!;
const treasury = 2n;
/** Has a row in every snapshot, as the treasury. */
const busy = 1_020n;
const ids = Array.from({ length: 40 }, (_, index) => 1_000n + BigInt(index));
const tokenId = 5_000n;
const always = [treasury, busy];
/** The snapshots that other accounts are in. */
const singleRows = 100;

let stored: StoredRows;
beforeAll(async () => {
  const held = (id: bigint) => (id % 2n === 0n ? [tokenId, tokenId + 1n] : [tokenId]);
  const rows = snapshots.slice(0, singleRows).flatMap((consensus_timestamp, turn) =>
    [treasury, ...ids]
      .filter((id) => always.includes(id) || (id + BigInt(turn)) % 23n === 0n || (turn === 1 && id % 3n > 0n))
      .flatMap((account_id) => {
        const row = { account_id, consensus_timestamp, balance: (account_id * BigInt(turn + 7)) % 11n };
        const ofTokens = held(account_id).map((token_id) => ({ table: 'token_balance', row: { ...row, token_id } }));
        return [{ table: 'account_balance', row }, ...ofTokens];
      }),
  );
  const token = {
    ...{ token_id: tokenId, name: 'T', symbol: 'S', decimals: 3n, initial_supply: 0n, total_supply: 0n },
    ...{ treasury_account_id: 2n, created_timestamp: 1n, timestamp_range: '[1,)', freeze_status: 0n, kyc_status: 0n },
  };
  stored = await storeRows([...rows, { table: 'token', row: token }]);
  const later = `select id, (id * (turn + 7)) % 11 as balance, ${month} + (turn - 1) * ${minute} as at
    from generate_series(${singleRows}::int8, ${snapshots.length - 1}) turn, unnest('{${always}}'::int8[]) id`;
  await withClient(stored.connectionString, 'test', async (client) => {
    await client.query(`insert into account_balance (account_id, balance, consensus_timestamp) ${later}`);
    await client.query(`insert into token_balance (account_id, balance, consensus_timestamp, token_id)
      select rows.*, token from (${later}) rows, unnest('{${held(busy)}}'::int8[]) token`);
  });
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

const inOrder = ['select-first-balances-at'];
const oneByOne = [...inOrder, 'select-snapshot-timestamp', 'select-balances-at'];
const newestOfBusy = (busy * BigInt(snapshots.length + 6)) % 11n;

it.each([
  ['in order', busy - 1n, anyRange, busy - 1n, inOrder],
  ['one by one where an account has many rows of tokens', busy, anyRange, busy, oneByOne],
  [
    'one by one where the rows of an account do not fill the page',
    busy,
    toRange([{ operator: 'ne', value: newestOfBusy }]),
    busy - 1n,
    oneByOne,
  ],
])('accounts are read %s', async (_case, highest, balance, found, expected) => {
  const names: string[] = [];
  const balances = createBalances({ db: recordQueries(stored.db, ({ name }) => names.push(name)), ...options });
  const id = toRange([{ operator: 'lte', value: highest }]);
  const timestamp = toRange([{ operator: 'lte', value: end }]);
  const page = await balances.list({
    ...{ order: 'desc', limit: 1, id, timestamp, balance, publicKey: [], tokenBalanceLimit: 5 },
  });
  expect([page.items[0]!.account, names]).toEqual([found, expected]);
});
