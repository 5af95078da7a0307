// A page of a snapshot's balances, from the highest account down, in one statement with the search of the snapshot. It
// reads rows in the order of the index until the page is full, and gives up after some thousands: then single accounts
// have so many that they are better found one by one (`select-balances.ts`). A probe for one account costs as much as
// reading a hundred rows in order, because PostgreSQL looks at a whole page of the index for each; so the accounts'
// tokens are one scan too. Time and token are no values of the part that reads balances, hence `offset 0`: PostgreSQL
// would find the plan for each value cheaper than one for all, and plan the statement each time, which took longer than
// running it. So is the number of rows: where it is known to be large, everything is read and sorted.

import { isEmptyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { type SnapshotSearch, toSnapshotPart } from './select-balance-snapshot.ts';
import type { BalancesAtFilter, TokenBalancesFilter } from './select-balances.ts';
import type { PageFilter } from './select-page.ts';
import { expression, type Selection, selectAll, selectQuery } from './statement/columns.ts';
import { toOwnerPart } from './statement/owner-part.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';
import type { TokenBalance } from './token-balances.ts';

/** How many rows are read for each account of a page, which counts as one of 25 at least. */
const mostRowsEach = 80;
const maxRowsOf = ({ limit }: Pick<PageFilter, 'limit'>): number => Math.max(toLiteralLimit(limit), 25) * mostRowsEach;

type Searched<Filter> = Omit<Filter, 'snapshot'> & { search: SnapshotSearch };

/** Tokens in the order of the page. null = that is not known without reading each account. */
export async function selectFirstBalancesAt(db: Database, filter: Searched<BalancesAtFilter>) {
  if (filter.publicKey !== null) return null;
  const first = await selectFirst(db, filter, {
    name: 'select-first-balances-at',
    table: 'account_balance',
    account: filter.id,
    select: selectTokens,
  });
  const tokens = first && readTokens(first.row.tokens, maxRowsOf(filter), filter.tokenBalanceLimit);
  return tokens && first.accounts.map((row) => ({ ...row, tokens: tokens.get(row.account) ?? [] }));
}

/** null = that is not known without reading each account. */
export async function selectFirstTokenBalancesAt(db: Database, filter: Searched<TokenBalancesFilter>) {
  if (filter.publicKey !== null) return null;
  const first = await selectFirst(db, filter, {
    name: 'select-first-token-balances-at',
    table: 'token_balance',
    tokenId: filter.tokenId,
    account: filter.account,
    select: () => expression('decimals', 'int8', '(select decimals from token where token_id = $1)').nullable(),
  });
  if (first === null) return null;
  const { decimals = null } = first.row;
  return first.accounts.map((row) => ({ ...row, decimals }));
}

type Query<Row> = {
  name: string;
  table: 'account_balance' | 'token_balance';
  /** Only balances in this token, which is `$1`. */
  tokenId?: bigint;
  account: Range;
  /**
   * Of the whole page: over `page`, with its `lowest` and `highest` account. `within`: SQL, the times of balances that
   * count.
   */
  select(within: string, maxRows: number): Selection<Row>;
};

type SearchedPage = PageFilter & { balance: Range; search: SnapshotSearch };

async function selectFirst<Row>(db: Database, filter: SearchedPage, query: Query<Row>) {
  const { order, limit } = filter;
  if (db.isDistributed || order === 'asc') return null;
  if (isEmptyRange(query.account)) return { accounts: [], row: {} as Partial<Row> };
  const rows = await db.query(toQuery(db, filter, query));
  const [row] = rows as [(typeof rows)[number]];
  const accounts = readAccounts(row.accounts, row.at!).slice(0, limit);
  const isCutOff = accounts.length < limit && row.counted !== null && row.counted >= maxRowsOf(filter);
  return isCutOff ? null : { accounts, row: row as Partial<Row> };
}

/**
 * Always one row. `accounts`: each with its balance, 16 bytes; `counted`: how many rows were read, if they do not fill
 * a page.
 */
function toQuery<Row>(db: Database, filter: SearchedPage, { name, table, tokenId, account, select }: Query<Row>) {
  const limit = toLiteralLimit(filter.limit);
  const maxRows = maxRowsOf(filter);
  const values: unknown[] = tokenId === undefined ? [] : [tokenId];
  const { owner, keys, ...owned } = toOwned(db, { tokenId, account }, values);
  const accounts = toRangePart(account, values);
  const balances = toRangePart(filter.balance, values);
  const snapshot = toSnapshotPart(filter.search, values);
  const inOrder = `
      select ${keys.join(', ')}, consensus_timestamp, balance from ${table}${owned.sql}${accounts.sql('account_id')}
        and ${snapshot.within('snapshot')}
      order by ${keys.join(' desc, ')} desc, consensus_timestamp desc limit (select ${maxRows})`;
  return selectQuery({
    name,
    shape: `${limit}-${snapshot.code}-${owned.code}-${accounts.code}-${balances.code}`,
    select: selectAll(
      expression('at', 'int8', 'page.at').nullable(),
      expression('accounts', 'bytea', 'page.accounts').nullable(),
      expression('counted', 'int8', 'page.counted').nullable(),
      select(snapshot.within('page'), maxRows),
    ),
    from: `from (
  select max(snapshot.at) as at, max(snapshot.start) as start, min(n.account_id) as lowest, max(n.account_id) as highest,
    max(n.balance) filter (where n.account_id is null) as counted,
    string_agg(int8send(n.account_id) || int8send(n.balance), ''::bytea order by n.account_id desc) as accounts
  from ${owner === '' ? snapshot.sql : `(select *${owner} from ${snapshot.sql}) snapshot`}
  cross join lateral (
    select account_id, balance from (
      select distinct on (${keys.join(', ')}) account_id, balance from (${inOrder}) first_rows
      order by ${keys.join(' desc, ')} desc, consensus_timestamp desc
    ) newest where true${balances.sql('balance')}
    union all select null, count(*) from (${inOrder}) first_rows limit ${limit}
  ) n
) page`,
    values,
  });
}

/** The rows of a token, or all. */
function toOwned(db: Database, { tokenId, account }: Pick<Query<unknown>, 'tokenId' | 'account'>, values: unknown[]) {
  if (tokenId === undefined) return { code: '', sql: ' where true', keys: ['account_id'], owner: '' };
  const ofToken = { owner: 'token_id', id: 'snapshot.token_id', column: 'account_id', range: account };
  return { ...toOwnerPart(db, ofToken, values), keys: ['token_id', 'account_id'], owner: ', $1::int8 as token_id' };
}

/** Tokens of all accounts between those of the page: 24 bytes for each account, token and balance, the newest first. */
function selectTokens(within: string, maxRows: number): Selection<{ tokens: Buffer | null }> {
  const sql = `(select string_agg(int8send(account_id) || int8send(token_id) || int8send(balance), ''::bytea) from (
    select account_id, token_id, balance from token_balance
    where account_id >= page.lowest and account_id <= page.highest and ${within}
    order by account_id desc, token_id desc, consensus_timestamp desc limit (select ${maxRows})
  ) held)`;
  return expression('tokens', 'bytea', sql).nullable();
}

function readAccounts(
  bytes: Buffer | null,
  at: bigint,
): { account: bigint; balance: bigint; balanceTimestamp: bigint }[] {
  const accounts = [];
  for (let place = 0; place < (bytes?.length ?? 0); place += 16) {
    const [account, balance] = [bytes!.readBigInt64BE(place), bytes!.readBigInt64BE(place + 8)];
    accounts.push({ account, balance, balanceTimestamp: at });
  }
  return accounts;
}

/** By account, at most `limit` of each. null = there may be more than were read. */
function readTokens(
  bytes: Buffer | null | undefined,
  maxRows: number,
  limit: number,
): Map<bigint, TokenBalance[]> | null {
  const byAccount = new Map<bigint, TokenBalance[]>();
  if (!bytes) return byAccount;
  if (bytes.length / 24 >= maxRows) return null;
  for (let place = 0; place < bytes.length; place += 24) {
    // Older rows of the same account and token.
    if (place > 0 && bytes.compare(bytes, place - 24, place - 8, place, place + 16) === 0) continue;
    const account = bytes.readBigInt64BE(place);
    const tokens = byAccount.get(account);
    if (tokens && tokens.length >= limit) continue;
    const token = { tokenId: bytes.readBigInt64BE(place + 8), balance: bytes.readBigInt64BE(place + 16) };
    if (tokens) tokens.push(token);
    else byAccount.set(account, [token]);
  }
  return byAccount;
}
