// Balances of many accounts: current, or of a snapshot. A snapshot's rows are read account by account, with one index
// probe for the next account and its newest row: a busy account has thousands of rows in a month.

import { anyRange, emptyRange, isEmptyRange, type Range } from '../../kit/range.ts';
import type { TextCondition } from '../../kit/text-condition.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { type PageOfAccountsFilter, selectPageOfAccounts } from './page-of-accounts.ts';
import { tokensOfAccount } from './select-account.ts';
import type { Snapshot } from './select-balance-snapshot.ts';
import type { PageFilter } from './select-page.ts';
import { columns, expression, type Selection, selectAll, selectQuery } from './statement/columns.ts';
import { alongOwner } from './statement/owner-part.ts';
import { type Part, toLiteralLimit, toRangePart } from './statement/statement-parts.ts';
import { toTextPart } from './statement/text-part.ts';
import { readTokenBalances, tokenBalances } from './token-balances.ts';

/** `tokenBalanceLimit`: longest list of token balances of one account. */
export type BalancesFilter = PageOfAccountsFilter & { tokenBalanceLimit: number };

/** Tokens in the order of the page. */
export async function selectBalances(db: Database, filter: BalancesFilter) {
  const { order, tokenBalanceLimit } = filter;
  const rows = await selectPageOfAccounts(db, filter, {
    name: 'select-balances',
    shape: `${tokenBalanceLimit}`,
    select: selectAll(
      columns('entity', { account: 'id', balance: 'balance', balance_timestamp: 'balance_timestamp' }, 'e'),
      tokensOfAccount(db, tokenBalanceLimit, order),
    ),
    reads: ['id', 'balance', 'balance_timestamp'],
  });
  return rows.map((row) => ({ ...row, tokens: readTokenBalances(row.tokens) }));
}

/** Rows of snapshots from `from` to `at` (ns) count, the newest of each account. */
type SnapshotFilter = { snapshot: Snapshot };

export type BalancesAtFilter = Omit<BalancesFilter, 'publicKey'> & SnapshotFilter & { publicKey: string | null };

/** `publicKey`: exactly this key; null = any. */
export async function selectBalancesAt(db: Database, filter: BalancesAtFilter): ReturnType<typeof selectBalances> {
  const { order, tokenBalanceLimit, snapshot, publicKey } = filter;
  if (isEmptyRange(filter.id)) return [];
  if (db.isDistributed && publicKey !== null) {
    const id = await withinKey(db, filter.id, [{ operator: 'eq', text: publicKey }], 'true');
    return selectBalancesAt(db, { ...filter, id, publicKey: null });
  }
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [snapshot.from, snapshot.at];
  const account = toRangePart(filter.id, values);
  const balance = toRangePart(filter.balance, values);
  if (publicKey !== null) values.push(publicKey);
  const accounts =
    publicKey === null
      ? eachAccount('account_balance', `true${account.sql('account_id')}`, order)
      : withNewest(
          `accounts as (
  select id as account_id from entity where public_key = $${values.length}${account.sql('id')} order by id ${order}
)`,
          'account_balance',
          'true',
        );
  const tokens = tokenBalances(
    `select distinct on (account_id, token_id) token_id, balance from token_balance
    where ${alongOwner({ isDistributed: false }, { owner: 'account_id', id: 'n.account_id', column: 'token_id' })} and ${withinSnapshot}
    order by account_id ${order}, token_id ${order}, consensus_timestamp desc limit ${tokenBalanceLimit}`,
    order,
  );
  const query = selectQuery({
    name: 'select-balances-at',
    shape: `${order}${limit}-${account.code}-${balance.code}-${publicKey === null ? '' : 'k'}-${tokenBalanceLimit}`,
    tables: accounts.tables,
    select: selectAll(columns('account_balance', { account: 'account_id', balance: 'balance' }, 'n'), tokens),
    from: pageOf(accounts.rows, balance.sql('balance'), limit, order),
    values,
  });
  const rows = await db.query(query);
  return rows
    .slice(0, filter.limit)
    .map((row) => ({ ...row, balanceTimestamp: snapshot.at, tokens: readTokenBalances(row.tokens) }));
}

/** The first accounts with such a balance, as `n`. */
function pageOf(rows: string, balances: string, limit: number, order: string): string {
  return `from (
  select * from (${rows}) a where true${balances} limit ${limit}
) n
order by n.account_id ${order}`;
}

/** `publicKey`: of accounts; null = any. */
export type TokenBalancesFilter = PageFilter & {
  tokenId: bigint;
  account: Range;
  balance: Range;
  publicKey: TextCondition | null;
};

/** `decimals` is null for an unknown token. */
export async function selectTokenBalances(db: Database, filter: TokenBalancesFilter) {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.tokenId];
  const account = toRangePart(filter.account, values);
  const balance = toRangePart(filter.balance, values);
  const publicKey = toKeyPart(filter.publicKey, values);
  const query = {
    name: 'select-token-balances',
    shape: `${order}${limit}-${account.code}-${balance.code}-${publicKey.code}`,
    from: `from token_account
where token_id = $1 and associated${account.sql('account_id')}${balance.sql('balance')}${publicKey.sql('account_id')}
order by account_id ${order} limit ${limit}`,
    values,
  };
  const named = { account: 'account_id', balance: 'balance', balance_timestamp: 'balance_timestamp' } as const;
  const listed = columns('token_account', named);
  const rows = await selectWithDecimals(db, query, { listed, token: '$1', tokenId: filter.tokenId });
  return rows.slice(0, filter.limit);
}

export async function selectTokenBalancesAt(
  db: Database,
  filter: TokenBalancesFilter & SnapshotFilter,
): ReturnType<typeof selectTokenBalances> {
  const { order, snapshot } = filter;
  if (isEmptyRange(filter.account)) return [];
  if (db.isDistributed && filter.publicKey?.operator === 'eq') {
    const account = await withinKey(db, filter.account, [filter.publicKey], `type = 'ACCOUNT'`);
    return selectTokenBalancesAt(db, { ...filter, account, publicKey: null });
  }
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [snapshot.from, snapshot.at, filter.tokenId];
  const account = toRangePart(filter.account, values);
  const balance = toRangePart(filter.balance, values);
  const publicKey = toKeyPart(filter.publicKey, values);
  const ofToken = `token_id = $3${account.sql('account_id')}${publicKey.sql('account_id')}`;
  const accounts = eachAccount('token_balance', ofToken, order);
  const query = {
    name: 'select-token-balances-at',
    shape: `${order}${limit}-${account.code}-${balance.code}-${publicKey.code}`,
    tables: accounts.tables,
    from: pageOf(accounts.rows, balance.sql('balance'), limit, order),
    values,
  };
  const listed = columns('token_balance', { account: 'account_id', balance: 'balance' }, 'n');
  const rows = await selectWithDecimals(db, query, { listed, token: '$3', tokenId: filter.tokenId });
  return rows.slice(0, filter.limit).map((row) => ({ ...row, balanceTimestamp: snapshot.at }));
}

/**
 * Each row with the decimals of the token. In a distributed database the token may lie on another machine: a second
 * query.
 */
async function selectWithDecimals<Row extends object>(
  db: Database,
  query: Omit<Parameters<typeof selectQuery>[0], 'select'>,
  { listed, token, tokenId }: { listed: Selection<Row>; token: '$1' | '$3'; tokenId: bigint },
): Promise<(Row & { decimals: bigint | null })[]> {
  if (!db.isDistributed) {
    const ofToken = `(select decimals from token where token_id = ${token})`;
    const select = selectAll(listed, expression('decimals', 'int8', ofToken).nullable());
    return db.query(selectQuery({ ...query, select }));
  }
  const ofToken = selectQuery({
    name: 'select-decimals',
    select: columns('token', ['decimals']),
    from: 'from token where token_id = $1',
    values: [tokenId],
  });
  const [rows, tokens] = await Promise.all([db.query(selectQuery({ ...query, select: listed })), db.query(ofToken)]);
  return rows.map((row) => ({ ...row, decimals: tokens[0]?.decimals ?? null }));
}

/** The accounts of the range that have this key, in a distributed database. */
async function withinKey(
  db: Database,
  account: Range,
  publicKey: readonly TextCondition[],
  further: string,
): Promise<Range> {
  const values: unknown[] = [];
  const key = toTextPart(publicKey, values);
  const range = toRangePart(account, values);
  const query = selectQuery({
    name: 'select-ids-by-key',
    shape: `${key.code}-${range.code}-${further}`,
    select: columns('entity', ['id']),
    from: `from entity where ${further}${key.sql('public_key')}${range.sql('id')}`,
    values,
  });
  const equals = (await db.query(query)).map(({ id }) => id);
  return equals.length === 0 ? emptyRange : { ...anyRange, equals };
}

const withinSnapshot = 'consensus_timestamp >= $1 and consensus_timestamp <= $2';

/** `rows` selects account_id and balance in the order of the page. */
type SnapshotAccounts = { tables: string; rows: string };

/**
 * Each account with a row in the snapshot, in order, found from the one before; accounts after the query's limit are
 * never read. Downwards the first row found is the newest; upwards that takes another probe. The first account is found
 * from a number beyond all, so that the text names the table once: PostgreSQL plans the statement for its values each
 * time, which took as long as running it.
 */
function eachAccount(table: string, condition: string, order: 'asc' | 'desc'): SnapshotAccounts {
  const next = (columns: string, isBehind: string, keys: string): string => `cross join lateral (
    select ${columns} from ${table}
    where ${condition} and account_id ${isBehind} accounts.account_id and ${withinSnapshot} order by ${keys} limit 1
  ) following`;
  if (order === 'asc') {
    return withNewest(
      `recursive accounts as (
  select ${-(2n ** 63n - 1n)} as account_id
  union all
  select following.account_id from accounts ${next('account_id', '>', 'account_id')}
)`,
      table,
      condition,
    );
  }
  return {
    tables: `recursive accounts as (
  select ${2n ** 63n - 1n} as account_id, null::int8 as balance
  union all
  select following.* from accounts ${next('account_id, balance', '<', 'account_id desc, consensus_timestamp desc')}
)`,
    rows: 'select account_id, balance from accounts where balance is not null',
  };
}

/** `accounts`: a table expression of that name. */
function withNewest(accounts: string, table: string, condition: string): SnapshotAccounts {
  return {
    tables: accounts,
    rows: `select accounts.account_id, newest.balance from accounts cross join lateral (
    select balance from ${table} where ${condition} and account_id = accounts.account_id and ${withinSnapshot}
    order by consensus_timestamp desc limit 1
  ) newest`,
  };
}

/** Accounts with a key: one key's accounts are selected at once, otherwise each account is tested. */
function toKeyPart(publicKey: TextCondition | null, values: unknown[]): Part {
  if (publicKey === null) return { code: '', sql: () => '' };
  const part = toTextPart([publicKey], values);
  const ofKey = (what: string) => `select id from entity where type = 'ACCOUNT'${part.sql('public_key')}${what}`;
  return {
    code: part.code,
    sql: (column) =>
      publicKey.operator === 'eq'
        ? ` and ${column} = any(array(${ofKey('')}))`
        : ` and exists (${ofKey(` and id = ${column}`)})`,
  };
}
