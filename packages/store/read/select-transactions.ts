// A page of transactions: of all accounts, or of accounts that paid for them or took part. The sources of an account's
// transactions are each read along their own index and limited early. For transactions of some types the sources of one
// account are read only up to a limit: if that does not fill the page (a busy account, a rare type), the index of types
// is tried, and only then everything is scanned.

import { clampRange, type Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { successCodes } from '../../protocol/hapi/response-codes.ts';
import { storedTable } from '../../schema/compact-form.ts';
import {
  boundsOf,
  entityMoments,
  hasFewLists,
  hasMoment,
  isKept,
  isMovedAs,
  movesOf,
  withinLists,
} from './compact/entity-moments.ts';
import { selectTransactionPage, type TransactionPage, type TransactionPageQuery } from './select-transaction-page.ts';
import { selectTransactionsBySource } from './select-transactions-by-source.ts';
import { int64, latestMoment, toLiteralLimit, toRangePart } from './statement/statement-parts.ts';
import { type AccountsPart, isListedForPayer, toAccountsPart } from './transaction-accounts-part.ts';
import type { TransactionsFilter } from './transactions-filter.ts';

export async function selectTransactions(db: Database, filter: TransactionsFilter): Promise<TransactionPage> {
  if (db.isDistributed) return selectTransactionsBySource(db, filter);
  const parts = toParts(filter, db.isCompact);
  for (const toQuery of parts.steps) {
    const page = await selectTransactionPage(db, toQuery(parts));
    const rows = page.rows.slice(0, filter.limit);
    if (page.horizon === null || rows.length === filter.limit) return { ...page, rows };
  }
  throw new Error('The last step reads everything');
}

type Step = (parts: Parts) => TransactionPageQuery;

/** A table that shows that an account took part in a transaction. */
type Source = {
  /** SQL: its name, or a table expression. */
  table: string;
  /** SQL over the alias `s`. */
  condition: string;
  /** Several accounts, each read separately: `condition` refers to `wanted.id`. */
  each: boolean;
  /** Whether it has the columns type and result. */
  hasType: boolean;
  /** Of lists of moments: their column that comes before the time in their order. No moment repeats. */
  list?: string;
};

type Parts = {
  steps: readonly Step[];
  shape: string;
  values: unknown[];
  rewardAccountId: bigint;
  order: 'asc' | 'desc';
  literalLimit: number;
  accounts: AccountsPart;
  moved: TransactionsFilter['moved'];
  isCompact: boolean;
  /**
   * In a database in the compact form, of one or several accounts: ` and …` for the lists of one (SQL) that the time is
   * within.
   */
  lists: ((account: string) => string) | null;
  /** `$n` of the wanted types. */
  each: string;
  /** ` and …` for a column of time. */
  time(column: string): string;
  /** Conditions on these columns; empty = none. */
  typeIs(column: string): string;
  resultIs(column: string): string;
  /** ` and …` on the amount of a transfer `s`. */
  sign: string;
};

function toParts({ types, isSuccess, moved, order, ...filter }: TransactionsFilter, isCompact: boolean): Parts {
  const values: unknown[] = [];
  const accounts = toAccountsPart(filter.accounts, values);
  const time = toRangePart(filter.timestamp, values);
  const literalLimit = toLiteralLimit(filter.limit);
  const typePart = toTypePart(types, values);
  const isListed = isCompact && (accounts.kind === 'one' || accounts.kind === 'several');
  const lists = isListed ? toListsPart(filter.timestamp, values) : null;
  const isCode = `${isSuccess ? '' : 'not '}in (${successCodes.join(', ')})`;
  return {
    steps: chooseSteps({ types, moved, isSuccess }, accounts),
    shape: [
      `${order}${literalLimit}${accounts.code}`,
      time.code,
      `${typePart.code}${isSuccess === null ? '' : isSuccess ? 's' : 'f'}${moved?.[0] ?? ''}`,
      ...(isCompact ? ['c'] : []),
    ].join('-'),
    values,
    rewardAccountId: filter.rewardAccountId,
    order,
    literalLimit,
    accounts,
    moved,
    isCompact,
    lists,
    each: typePart.each,
    time: time.sql,
    typeIs: typePart.sql,
    resultIs: (column) => (isSuccess === null ? '' : `${column} ${isCode}`),
    sign: moved === null ? '' : signs[moved],
  };
}

/** Pushes its values. */
function toListsPart(timestamp: Range, values: unknown[]): (account: string) => string {
  const bounds = boundsOf(clampRange(timestamp, int64));
  const toSql = (bound: bigint | null): string | null => (bound === null ? null : `$${values.push(bound)}::int8`);
  const [from, to] = [toSql(bounds.from), toSql(bounds.to)];
  return (account) => withinLists(account, { from, to });
}

const signs = { credit: ' and s.amount > 0', debit: ' and s.amount < 0' } as const;

function chooseSteps(
  { types, moved, isSuccess }: Pick<TransactionsFilter, 'types' | 'moved' | 'isSuccess'>,
  { kind }: AccountsPart,
): readonly Step[] {
  if (kind === 'all' && moved === null) return [types ? toRowsOfTypes : toRows];
  const toLastRows = isSuccess === false ? toFailedRows : toRows;
  if (!types || kind === 'range') return [toLastRows];
  return kind === 'one' ? [toFirstRows, toFirstRowsOfTypes, toLastRows] : [toFirstRowsOfTypes, toLastRows];
}

function toSources(parts: Parts): Source[] {
  const { accounts, moved } = parts;
  const each = accounts.kind === 'several';
  const transfers = toTransferSources(parts, each);
  if (moved) return transfers;
  if (accounts.kind === 'all') return [{ table: 'transaction', condition: 'true', each, hasType: true }];
  const paid = `${accounts.sql('s.payer_account_id')} and ${isListedForPayer('s')}`;
  return [
    { table: 'transaction', condition: paid, each, hasType: true },
    { table: 'entity_transaction', condition: accounts.sql('s.entity_id'), each, hasType: true },
    ...transfers,
  ];
}

function toTransferSources(parts: Parts, each: boolean): Source[] {
  const { accounts, sign, isCompact } = parts;
  if (isCompact && accounts.kind === 'all') return [toSourceAlongTime(parts)];
  const [hbar, tokens] = [storedTable('crypto_transfer', isCompact), storedTable('token_transfer', isCompact)];
  return [
    ...accounts.transfers.map(({ condition, isEach }) => ({
      table: hbar,
      condition: condition + sign,
      each: isEach,
      hasType: false,
    })),
    { table: tokens, condition: accounts.sql('s.account_id') + sign, each, hasType: false },
    ...(isCompact ? toMovedSources(parts) : []),
  ];
}

/** What the compact form has of moved rows, whichever table they were in. */
function toMovedSources(parts: Parts): Source[] {
  const { accounts, lists } = parts;
  if (lists) {
    const account = accounts.kind === 'one' ? accounts.one : 'wanted.id';
    const condition = `s.entity_id = ${account}${lists(account)}`;
    return [{ ...toListedSource(parts, condition, accounts.kind === 'several'), list: 's.first_timestamp' }];
  }
  const isFew = hasFewLists((column) => accounts.sql(column));
  return [
    toListedSource(parts, `${isFew} and ${accounts.sql('s.entity_id')}`, false),
    toSourceAlongTime(parts, `not (${isFew}) and `),
  ];
}

function toListedSource({ moved }: Parts, ofLists: string, each: boolean): Source {
  const hasSign = moved === null ? '' : ` and ${isMovedAs(moved, 's.entity_id', 's.consensus_timestamp')}`;
  return { table: entityMoments, condition: `${ofLists}${isKept}${hasSign}`, each, hasType: false };
}

/** Of all accounts, or of many: the views of the compact form are in no order of time that PostgreSQL would follow. */
function toSourceAlongTime({ accounts, moved }: Parts, onlyIf = ''): Source {
  const condition = `${onlyIf}${movesOf((column) => accounts.sql(column), moved)}`;
  return { table: 'transaction', condition, each: false, hasType: true };
}

/** Every source as far as needed to fill the page. */
function toRows(parts: Parts): TransactionPageQuery {
  const selects = toSources(parts).map((source) => selectOfSource(source, parts));
  return toPageQuery('select-transactions', parts, `candidates as (${selects.join('\n  union all ')})`);
}

/**
 * The same, but each source only as far as the page reaches that an earlier one fills. Failed transactions move no
 * tokens: for them all token transfers of an account would be scanned.
 */
function toFailedRows(parts: Parts): TransactionPageQuery {
  const { order, literalLimit } = parts;
  const sources = toSources(parts);
  const reach = (name: string) =>
    `(select consensus_timestamp from ${name} order by consensus_timestamp ${order} offset ${literalLimit - 1} limit 1)`;
  const tables = sources.map((source, i) => {
    const edges = sources.slice(0, i).map((_, before) => reach(`source${before}`));
    return `source${i} as (select distinct consensus_timestamp from ${selectOfSource(source, parts, within(order, edges))} s)`;
  });
  const union = sources.map((_, i) => `select consensus_timestamp from source${i}`).join(' union all ');
  return toPageQuery('select-failed-transactions', parts, `${tables.join(',\n  ')},\n  candidates as (${union})`);
}

/** ` and …`: not beyond any of the edges; null is no edge. */
function within(order: 'asc' | 'desc', edges: readonly string[]): string {
  if (edges.length === 0) return '';
  const [compare, furthest, open] = order === 'asc' ? ['<=', 'least', latestMoment] : (['>=', 'greatest', 0n] as const);
  return ` and s.consensus_timestamp ${compare} coalesce(${furthest}(${edges.join(', ')}), ${open})`;
}

/** In brackets. `within`: ` and …`, a further condition. */
function selectOfSource(source: Source, parts: Parts, within = ''): string {
  const { accounts, order, literalLimit, time } = parts;
  const conditions = allOf(source.condition, filterOf(source, parts));
  const select = `select ${source.list ? '' : 'distinct '}s.consensus_timestamp from ${source.table} s
    where ${conditions}${time('s.consensus_timestamp')}${within} order by ${orderOf(source, order)} limit ${literalLimit}`;
  return source.each
    ? `(select w.consensus_timestamp from ${accounts.each} cross join lateral (${select}) w)`
    : `(${select})`;
}

function orderOf({ list }: Source, order: 'asc' | 'desc'): string {
  return `${list ? `${list} ${order}, ` : ''}s.consensus_timestamp ${order}`;
}

/** Of all accounts, each type along its own index. */
function toRowsOfTypes(parts: Parts): TransactionPageQuery {
  const { each, order, literalLimit, time } = parts;
  return toPageQuery(
    'select-transactions-of-types',
    parts,
    `candidates as (
    select t.consensus_timestamp from ${each} as types (number) cross join lateral (
      select s.consensus_timestamp from transaction s
      where ${allOf('s.type = types.number', parts.resultIs('s.result'))}${time('s.consensus_timestamp')}
      order by s.consensus_timestamp ${order} limit ${literalLimit}
    ) t
  )`,
  );
}

const rowsOfEachSource = 500;

/** Some rows of each source, from which those of the types are taken. */
function toFirstRows(parts: Parts): TransactionPageQuery {
  const { order, literalLimit, time } = parts;
  const sources = toSources(parts);
  const scans = sources.map(
    (source, i) => `scan${i} as (
    select ${scanned(source)} from ${source.table} s where ${source.condition}${time('s.consensus_timestamp')}
    order by ${orderOf(source, order)} limit ${rowsOfEachSource})`,
  );
  const edges = sources.map((_, i) => scanEdge(`scan${i}`, rowsOfEachSource, order)).join(' union all ');
  const found = sources.map(
    (source, i) => `(
    select distinct s.consensus_timestamp from ${inOrder(`scan${i}`, rowsOfEachSource, order)} s where ${filterOf(source, parts)}
    order by s.consensus_timestamp ${order} limit ${literalLimit})`,
  );
  return {
    ...toPageQuery(
      'select-first-transactions',
      parts,
      `${scans.join(', ')}, horizon as (select ${nearest[order]}(edge) as edge from (${edges}) edges),
  found as (${found.join(' union all ')}),
  candidates as (select consensus_timestamp from found where ${isBeforeHorizon[order]})`,
    ),
    horizon: '(select edge from horizon)',
  };
}

const rowsOfTypes = 2_000;

/** The reverse: scans the newest transactions of the types and tests for each whether the accounts took part. */
function toFirstRowsOfTypes(parts: Parts): TransactionPageQuery {
  const { accounts, moved, sign, each, order, literalLimit, time, isCompact, lists } = parts;
  const stored = (table: string) => storedTable(table, isCompact);
  // A scalar sub-query instead of `exists`, which PostgreSQL would turn into a hash of all rows of the account.
  const hasRow = (table: string, condition: string) =>
    `(select 1 from ${table} s where ${condition} and s.consensus_timestamp = n.consensus_timestamp limit 1) is not null`;
  const pays = `(${accounts.any('n.payer_account_id')} and ${isListedForPayer('n')})`;
  const ofTransfers =
    isCompact && lists === null
      ? [
          hasRow(
            'transaction',
            movesOf((column) => accounts.any(column), moved),
          ),
        ]
      : [
          hasRow(stored('crypto_transfer'), accounts.anyTransfer + sign),
          hasRow(stored('token_transfer'), accounts.any('s.account_id') + sign),
          ...(lists ? [hasListed(parts)] : []),
        ];
  const hasPart = [...(moved ? [] : [pays, hasRow('entity_transaction', accounts.any('s.entity_id'))]), ...ofTransfers];
  return {
    ...toPageQuery(
      'select-newest-of-types',
      parts,
      `newest as (
    select t.* from ${each} as types (number) cross join lateral (
      select s.consensus_timestamp, s.payer_account_id, s.nonce, s.parent_consensus_timestamp, s.type from transaction s
      where ${allOf('s.type = types.number', parts.resultIs('s.result'))}${time('s.consensus_timestamp')}
      order by s.consensus_timestamp ${order} limit ${rowsOfTypes}
    ) t order by t.consensus_timestamp ${order} limit ${rowsOfTypes}
  ), horizon as (select (${scanEdge('newest', rowsOfTypes, order)}) as edge),
  candidates as (
    select n.consensus_timestamp from ${inOrder('newest', rowsOfTypes, order)} n where ${hasPart.join('\n      or ')}
    order by n.consensus_timestamp ${order} limit ${literalLimit}
  )`,
    ),
    horizon: '(select edge from horizon)',
  };
}

/** Whether the compact form lists the transaction `n` for any of the accounts. */
function hasListed({ accounts, moved }: Parts): string {
  const has = (entity: string): string => {
    const isListed = hasMoment(entity, 'n.consensus_timestamp');
    return moved === null ? isListed : `(${isListed} and ${isMovedAs(moved, entity, 'n.consensus_timestamp')})`;
  };
  return accounts.kind === 'one'
    ? has(accounts.one)
    : `coalesce((select bool_or(${has('wanted.id')}) from ${accounts.each}), false)`;
}

function toPageQuery(name: string, parts: Parts, candidates: string): TransactionPageQuery {
  const { shape, values, rewardAccountId, order, literalLimit } = parts;
  return { name, shape, candidates, values, rewardAccountId, order, literalLimit };
}

/** The columns of a source that the filter needs. */
function scanned({ hasType }: Source): string {
  return hasType ? 's.consensus_timestamp, s.type, s.result' : 's.consensus_timestamp';
}

function filterOf({ hasType }: Source, { typeIs, resultIs }: Parts): string {
  return hasType
    ? allOf(typeIs('s.type'), resultIs('s.result'))
    : allOf(typeIs(ofTransaction('type')), resultIs(ofTransaction('result')));
}

function allOf(...conditions: string[]): string {
  return conditions.filter((condition) => condition !== '').join(' and ');
}

function ofTransaction(column: string): string {
  return `(select t.${column} from transaction t where t.consensus_timestamp = s.consensus_timestamp limit 1)`;
}

const nearest = { asc: 'min', desc: 'max' } as const;
const furthest = { asc: 'max', desc: 'min' } as const;
const isBeforeHorizon = {
  asc: 'consensus_timestamp <= coalesce((select edge from horizon), 9223372036854775807)',
  desc: 'consensus_timestamp >= coalesce((select edge from horizon), 0)',
} as const;

/**
 * A table expression in the order that it has: before PostgreSQL 17 the planner does not know it, and tests all rows,
 * with probes of other tables, where the first 25 that pass are wanted.
 */
function inOrder(rows: string, limit: number, order: 'asc' | 'desc'): string {
  return `(select * from ${rows} order by consensus_timestamp ${order} limit ${limit})`;
}

/** The last timestamp of a scan that was cut off; no row if it was complete. */
function scanEdge(scan: string, scanLimit: number, order: 'asc' | 'desc'): string {
  return `select ${furthest[order]}(consensus_timestamp) as edge from ${scan} having count(*) = ${scanLimit}`;
}

/** `each` lists the wanted type numbers; HAPI's are far below 512. */
function toTypePart(types: TransactionsFilter['types'], values: unknown[]) {
  if (!types) return { code: '', sql: () => '', each: '' };
  values.push(types.numbers);
  const parameter = `$${values.length}::int2[]`;
  return types.except
    ? {
        code: 'X',
        sql: (column: string) => `${column} <> all(${parameter})`,
        each: `(select i::int2 from generate_series(0, 511) i where i <> all(${parameter}))`,
      }
    : { code: 'T', sql: (column: string) => `${column} = any(${parameter})`, each: `unnest(${parameter})` };
}
