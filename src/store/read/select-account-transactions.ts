// A page of the transactions that an account paid for or took part in: four sources, each read along its own index and
// cut early. For transactions of some types the sources are read only a little way: where that does not fill the page
// (a busy account, a rare type) the types' own index is tried, and only then everything is gone through.
import type { Range } from '../../kit/range.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { Database } from '../wire/database.ts';
import type { TransactionPage, TransactionPageQuery } from './select-transaction-page.ts';
import { selectTransactionPage } from './select-transaction-page.ts';
import type { Part } from './statement-parts.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';

export type AccountTransactionsFilter = {
  accountId: bigint;
  timestamp: Range;
  types: { numbers: readonly number[]; except: boolean } | null;
  order: 'asc' | 'desc';
  limit: number;
  /** The account that pays staking rewards (0.0.800). */
  rewardAccountId: bigint;
};

export async function selectAccountTransactions(
  db: Database,
  filter: AccountTransactionsFilter,
): Promise<TransactionPage> {
  if (!filter.types) return cut(await selectTransactionPage(db, toPageOfAccount(filter)), filter);
  for (const toQuery of [toFirstRowsOfAccount, toFirstRowsOfTypes]) {
    const page = cut(await selectTransactionPage(db, toQuery(filter)), filter);
    if (page.horizon === null || page.rows.length === filter.limit) return page;
  }
  return cut(await selectTransactionPage(db, toRowsOfAccount(filter, null)), filter);
}

function cut(page: TransactionPage, filter: AccountTransactionsFilter): TransactionPage {
  return { ...page, rows: page.rows.slice(0, filter.limit) };
}

type Source = { table: string; condition: string; type: string };

/** Where a transaction says that the account took part; `$1` is the account. */
function sourcesOf(accountId: bigint): Source[] {
  const ofTransaction =
    '(select t.type from transaction t where t.consensus_timestamp = s.consensus_timestamp limit 1)';
  return [
    { table: 'transaction', condition: `s.payer_account_id = $1 and ${isListedForPayer('s')}`, type: 's.type' },
    { table: 'entity_transaction', condition: 's.entity_id = $1', type: 's.type' },
    { table: 'crypto_transfer', condition: transferCondition(accountId).sql, type: ofTransaction },
    { table: 'token_transfer', condition: 's.account_id = $1', type: ofTransaction },
  ];
}

// Inner calls of a contract have a nonce and no parent.
function isListedForPayer(alias: string): string {
  return `(${alias}.nonce = 0 or ${alias}.parent_consensus_timestamp is not null or ${alias}.type in (${typeNumber.cryptoCreateAccount}, ${typeNumber.cryptoUpdateAccount}))`;
}

// The index (entity_id, consensus_timestamp) leaves out 98, on some databases 98 and 800, and PostgreSQL uses it only
// when the text itself says so. Nearly every transaction pays 98, so its page is read along the timestamps; only a literal
// tells the planner that, `$1` stands for an account with average traffic.
function transferCondition(accountId: bigint): { code: string; sql: string } {
  if (accountId === 98n) return { code: 'F', sql: 's.entity_id = 98' };
  if (accountId === 800n) return { code: 'R', sql: 's.entity_id = 800 and s.entity_id <> 98' };
  return { code: '', sql: 's.entity_id = $1 and s.entity_id <> 98 and s.entity_id <> 800' };
}

function toPageOfAccount({ accountId, timestamp, order, limit, rewardAccountId }: AccountTransactionsFilter) {
  const values: unknown[] = [accountId, rewardAccountId];
  const time = toRangePart(timestamp, values);
  const literalLimit = toLiteralLimit(limit);
  const parts = sourcesOf(accountId).map(
    ({ table, condition }) => `(
    select distinct s.consensus_timestamp from ${table} s where ${condition}${time.sql('s.consensus_timestamp')}
    order by s.consensus_timestamp ${order} limit ${literalLimit})`,
  );
  return {
    name: 'select-account-transactions',
    shape: `${order}${literalLimit}${transferCondition(accountId).code}-${time.code}`,
    candidates: `candidates as (${parts.join(' union all ')})`,
    values,
    order,
    literalLimit,
  };
}

const rowsOfEachSource = 500;

function toFirstRowsOfAccount(filter: AccountTransactionsFilter): TransactionPageQuery {
  return toRowsOfAccount(filter, rowsOfEachSource);
}

/** `scanLimit`: how many rows of each source are looked at; null = as many as there are. */
function toRowsOfAccount(filter: AccountTransactionsFilter, scanLimit: number | null): TransactionPageQuery {
  const { accountId, order } = filter;
  const { values, time, types, literalLimit } = toTypedParts(filter);
  const sources = sourcesOf(accountId);
  const scans = sources.map(
    ({ table, condition, type }, i) => `scan${i} as (
    select s.consensus_timestamp${type === 's.type' ? ', s.type' : ''} from ${table} s
    where ${condition}${time.sql('s.consensus_timestamp')}
    order by s.consensus_timestamp ${order}${scanLimit === null ? '' : ` limit ${scanLimit}`})`,
  );
  const edges = sources.map((_, i) => scanEdge(`scan${i}`, scanLimit, order)).join(' union all ');
  const parts = sources.map(
    ({ type }, i) => `(
    select distinct s.consensus_timestamp from scan${i} s where ${types.sql(type)}
    order by s.consensus_timestamp ${order} limit ${literalLimit})`,
  );
  const horizon = scanLimit === null ? 'null::int8' : `(select ${nearest[order]}(edge) from (${edges}) edges)`;
  return {
    name: 'select-account-transactions-of-types',
    shape: `${order}${literalLimit}${transferCondition(accountId).code}-${time.code}${types.code}${scanLimit ?? ''}`,
    candidates: `${scans.join(', ')}, horizon as (select ${horizon} as edge),
  found as (${parts.join(' union all ')}),
  candidates as (select consensus_timestamp from found where ${isBeforeHorizon[order]})`,
    horizon: '(select edge from horizon)',
    values,
    order,
    literalLimit,
  };
}

const rowsOfTypes = 2_000;

/** The other way round: goes through the newest transactions of the types and asks of each whether the account has part. */
function toFirstRowsOfTypes(filter: AccountTransactionsFilter): TransactionPageQuery {
  const { accountId, order } = filter;
  const { values, time, types, literalLimit } = toTypedParts(filter);
  // A scalar sub-query where `exists` would do: PostgreSQL would turn that into a hash of all rows of the account.
  const takesPart = sourcesOf(accountId)
    .slice(1)
    .map(
      ({ table, condition }) =>
        `(select 1 from ${table} s where ${condition} and s.consensus_timestamp = n.consensus_timestamp limit 1) is not null`,
    );
  return {
    name: 'select-newest-of-types',
    shape: `${order}${literalLimit}${transferCondition(accountId).code}-${time.code}${types.code}`,
    candidates: `newest as (
    select t.* from ${types.each} as types (number) cross join lateral (
      select s.consensus_timestamp, s.payer_account_id, s.nonce, s.parent_consensus_timestamp, s.type from transaction s
      where s.type = types.number${time.sql('s.consensus_timestamp')}
      order by s.consensus_timestamp ${order} limit ${rowsOfTypes}
    ) t order by t.consensus_timestamp ${order} limit ${rowsOfTypes}
  ), horizon as (select (${scanEdge('newest', rowsOfTypes, order)}) as edge),
  candidates as (
    select n.consensus_timestamp from newest n
    where (n.payer_account_id = $1 and ${isListedForPayer('n')}) or ${takesPart.join('\n      or ')}
    order by n.consensus_timestamp ${order} limit ${literalLimit}
  )`,
    horizon: '(select edge from horizon)',
    values,
    order,
    literalLimit,
  };
}

const nearest = { asc: 'min', desc: 'max' } as const;
const furthest = { asc: 'max', desc: 'min' } as const;
const isBeforeHorizon = {
  asc: 'consensus_timestamp <= coalesce((select edge from horizon), 9223372036854775807)',
  desc: 'consensus_timestamp >= coalesce((select edge from horizon), 0)',
} as const;

/** The last timestamp a scan saw when it was cut; no row where it saw everything. */
function scanEdge(scan: string, scanLimit: number | null, order: 'asc' | 'desc'): string {
  return `select ${furthest[order]}(consensus_timestamp) as edge from ${scan} having count(*) = ${scanLimit}`;
}

/** `each` lists the wanted type numbers; HAPI numbers its transaction types far below 512. */
function toTypedParts({ accountId, rewardAccountId, timestamp, types, limit }: AccountTransactionsFilter) {
  const values: unknown[] = [accountId, rewardAccountId];
  const time: Part = toRangePart(timestamp, values);
  values.push(types!.numbers);
  const parameter = `$${values.length}::int2[]`;
  const typePart = types!.except
    ? {
        code: 'X',
        sql: (column: string) => `${column} <> all(${parameter})`,
        each: `(select i::int2 from generate_series(0, 511) i where i <> all(${parameter}))`,
      }
    : { code: 'T', sql: (column: string) => `${column} = any(${parameter})`, each: `unnest(${parameter})` };
  return { values, time, types: typePart, literalLimit: toLiteralLimit(limit) };
}
