// A page of a snapshot's balances, from the highest account down, in one statement with the search of the snapshot. It reads
// rows in the order of the index until the page is full, and gives up after some thousands: then single accounts have so many
// that they are better found one by one (`select-balances.ts`). A probe for one account costs as much as reading a hundred
// rows in order, because PostgreSQL looks at a whole page of the index for each.
// Time and token are no values of the part that reads balances, hence `offset 0`: PostgreSQL would find the plan for each
// value cheaper than one for all, and plan the statement each time, which took longer than running it. So is the number of rows:
// where it is known to be large, everything is read and sorted.
import { isEmptyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { type SnapshotSearch, toSnapshotPart } from './select-balance-snapshot.ts';
import { type BalancesAtFilter, type TokenBalancesFilter, tokensOfSnapshot } from './select-balances.ts';
import type { PageFilter } from './select-page.ts';
import { columns, expression, type Selection, selectAll, selectQuery } from './statement/columns.ts';
import { toOwnerPart } from './statement/owner-part.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';
import { readTokenBalances } from './token-balances.ts';

/** How many rows of each account are read. */
const mostRowsEach = 80;

type Searched<Filter> = Omit<Filter, 'snapshot'> & { search: SnapshotSearch };

/** Tokens in the order of the page. null = that is not known without reading each account. */
export async function selectFirstBalancesAt(db: Database, filter: Searched<BalancesAtFilter>) {
  if (filter.publicKey !== null) return null;
  const rows = await selectFirst(db, filter, {
    name: 'select-first-balances-at',
    table: 'account_balance',
    shape: `${filter.tokenBalanceLimit}`,
    account: filter.id,
    select: (within) => tokensOfSnapshot(within, filter),
  });
  return rows?.map((row) => ({ ...row, tokens: readTokenBalances(row.tokens) })) ?? null;
}

/** null = that is not known without reading each account. */
export async function selectFirstTokenBalancesAt(db: Database, filter: Searched<TokenBalancesFilter>) {
  if (filter.publicKey !== null) return null;
  return selectFirst(db, filter, {
    name: 'select-first-token-balances-at',
    table: 'token_balance',
    tokenId: filter.tokenId,
    account: filter.account,
    select: () => expression('decimals', 'int8', '(select decimals from token where token_id = $1)').nullable(),
  });
}

type Query<Row> = {
  name: string;
  table: 'account_balance' | 'token_balance';
  shape?: string;
  /** Only balances in this token, which is `$1`. */
  tokenId?: bigint;
  account: Range;
  /** Beside account and balance; over `n` and `snapshot`. `within`: conditions on the times of a table of balances. */
  select(within: string): Selection<Row>;
};

async function selectFirst<Row>(
  db: Database,
  filter: PageFilter & { balance: Range; search: SnapshotSearch },
  { name, table, shape = '', tokenId, account, select }: Query<Row>,
) {
  const { search, balance } = filter;
  if (db.isDistributed || filter.order === 'asc') return null;
  if (isEmptyRange(account)) return [];
  const limit = toLiteralLimit(filter.limit);
  const maxRows = limit * mostRowsEach;
  const values: unknown[] = tokenId === undefined ? [] : [tokenId];
  const owned = toOwned(db, { tokenId, account }, values);
  const accounts = toRangePart(account, values);
  const balances = toRangePart(balance, values);
  const snapshot = toSnapshotPart(search, values);
  const inOrder = `
      select ${owned.keys.replaceAll(' desc', '')}, consensus_timestamp, balance from ${table}${owned.sql}${accounts.sql('account_id')}
        and ${snapshot.within}
      order by ${owned.keys} desc, consensus_timestamp desc limit (select ${maxRows})`;
  const query = selectQuery({
    name,
    shape: `${limit}-${snapshot.code}-${owned.code}-${accounts.code}-${balances.code}-${shape}`,
    select: selectAll(
      columns(table, { balance: 'balance' }, 'n'),
      expression('account', 'int8', 'n.account_id').nullable(),
      expression('balance_timestamp', 'int8', 'snapshot.at'),
      select(snapshot.within),
    ),
    from: `from ${tokenId === undefined ? snapshot.sql : `(select *, $1::int8 as token_id from ${snapshot.sql}) snapshot`}
cross join lateral (
  select account_id, balance from (
    select distinct on (${owned.keys.replaceAll(' desc', '')}) account_id, balance from (${inOrder}) first_rows
    order by ${owned.keys} desc, consensus_timestamp desc
  ) newest where true${balances.sql('balance')}
  union all select null, count(*) from (${inOrder}) first_rows limit ${limit}
) n
order by n.account_id desc nulls last`,
    values,
  });
  const rows = await db.query(query);
  // Behind a page that is not full stands how many rows were read.
  const last = rows.at(-1);
  const isFull = last?.account !== null;
  if (!isFull && last.balance >= BigInt(maxRows)) return null;
  return (isFull ? rows : rows.slice(0, -1)).slice(0, filter.limit) as ((typeof rows)[number] & { account: bigint })[];
}

/** The rows of a token, or all. */
function toOwned(db: Database, { tokenId, account }: Pick<Query<unknown>, 'tokenId' | 'account'>, values: unknown[]) {
  if (tokenId === undefined) return { code: '', sql: ' where true', keys: 'account_id' };
  const ofToken = { owner: 'token_id', id: 'snapshot.token_id', column: 'account_id', range: account };
  return { ...toOwnerPart(db, ofToken, values), keys: 'token_id desc, account_id' };
}
