// A page of transactions in a distributed database. Each source of an account's transactions is queried by a separate
// statement, all at the same time; then the rows of the page, by payer and time. Every statement reads only up to the
// newest block at the start: later ones do not change those rows, so all see the same ledger.

import { compareBigints } from '../../kit/compare-bigints.ts';
import type { Range } from '../../kit/range.ts';
import type { Database, NamedQuery } from '../../postgres/wire/database.ts';
import { successCodes } from '../../protocol/hapi/response-codes.ts';
import { isIndexedTransfer } from '../../schema/unindexed-accounts.ts';
import { lastBlockEnd } from './last-block-end.ts';
import type { TransactionPage } from './select-transaction-page.ts';
import { selectTransactionRows, type TransactionKey } from './select-transaction-rows.ts';
import { columns, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';
import { type AccountsPart, isListedForPayer, toAccountsPart } from './transaction-accounts-part.ts';
import type { TransactionsFilter } from './transactions-filter.ts';

export async function selectTransactionsBySource(db: Database, filter: TransactionsFilter): Promise<TransactionPage> {
  const { order, limit, rewardAccountId } = filter;
  const newest = await db.query(selectQuery({ name: 'select-last-block-end', select: lastBlockEnd }));
  const end = newest[0]!.lastBlockEnd;
  const page: TransactionPage = { rows: [], horizon: null, lastBlockEnd: end };
  if (end === null) return page;
  const { to } = filter.timestamp;
  const timestamp = { ...filter.timestamp, to: to !== null && to < end ? to : end };
  const found = await Promise.all(sourcesOf(filter).map((source) => db.query(toQuery(source, filter, timestamp))));
  const direction = order === 'asc' ? 1 : -1;
  const byTime = new Map(found.flat().map((key) => [key.consensusTimestamp, key]));
  const keys = [...byTime.values()].sort(
    (one, other) => direction * compareBigints(one.consensusTimestamp, other.consensusTimestamp),
  );
  page.rows = await selectTransactionRows(db, keys.slice(0, limit), { order, rewardAccountId });
  return page;
}

type Source = 'transaction' | 'entity_transaction' | 'crypto_transfer' | 'token_transfer';

function sourcesOf({ accounts, moved }: TransactionsFilter): Source[] {
  if (moved !== null) return ['crypto_transfer', 'token_transfer'];
  return accounts === null
    ? ['transaction']
    : ['transaction', 'entity_transaction', 'crypto_transfer', 'token_transfer'];
}

const signs = { credit: ' and s.amount > 0', debit: ' and s.amount < 0' } as const;

function toQuery(source: Source, filter: TransactionsFilter, timestamp: Range): NamedQuery<TransactionKey> {
  const { order, moved } = filter;
  const values: unknown[] = [];
  const accounts = toAccountsPart(filter.accounts, values);
  const time = toRangePart(timestamp, values);
  const outcome = toOutcomePart(filter, values);
  const limit = toLiteralLimit(filter.limit);
  const isOfAccounts = {
    transaction: `${accounts.any('s.payer_account_id')}${filter.accounts === null ? '' : ` and ${isListedForPayer('s')}`}`,
    entity_transaction: accounts.any('s.entity_id'),
    // Neither account is in the index; PostgreSQL uses it only if the text excludes both.
    crypto_transfer: `${accounts.anyTransfer}${accounts.code === 'S' ? ` and ${isIndexedTransfer}` : namedAccount(accounts)}`,
    token_transfer: accounts.any('s.account_id'),
  }[source];
  const hasOutcome = source === 'transaction' || source === 'entity_transaction';
  return selectQuery({
    name: `select-${source.replace('_', '-')}-keys`,
    shape: `${order}${limit}${accounts.code}-${time.code}-${outcome.code}${moved?.[0] ?? ''}${accounts.kind === 'all' ? 'A' : ''}`,
    distinctOn: 's.consensus_timestamp',
    select: columns(source, ['consensus_timestamp', 'payer_account_id'], 's'),
    from: `from ${source} s
where ${isOfAccounts}${time.sql('s.consensus_timestamp')}${moved === null ? '' : signs[moved]}${hasOutcome ? outcome.sql('s') : outcome.ofTransfer}
order by s.consensus_timestamp ${order} limit ${limit}`,
    values,
  });
}

/** If the text names the account, the parameter is used too: PostgreSQL refuses unused parameters. */
function namedAccount({ kind, code, any }: AccountsPart): string {
  return kind === 'one' && code !== '' ? ` and ${any('s.entity_id')}` : '';
}

/** Type and result: of a row that has both, or of a transfer, through its transaction. */
function toOutcomePart({ types, isSuccess }: TransactionsFilter, values: unknown[]) {
  const tests: ((alias: string) => string)[] = [];
  let code = '';
  if (types) {
    const parameter = `$${values.push(types.numbers)}::int2[]`;
    const test = types.except ? `<> all(${parameter})` : `= any(${parameter})`;
    tests.push((alias) => ` and ${alias}.type ${test}`);
    code += types.except ? 'X' : 'T';
  }
  if (isSuccess !== null) {
    tests.push((alias) => ` and ${alias}.result ${isSuccess ? '' : 'not '}in (${successCodes.join(', ')})`);
    code += isSuccess ? 's' : 'f';
  }
  const sql = (alias: string) => tests.map((test) => test(alias)).join('');
  const beside = 't.payer_account_id = s.payer_account_id and t.consensus_timestamp = s.consensus_timestamp';
  const ofTransfer = tests.length === 0 ? '' : ` and exists (select 1 from transaction t where ${beside}${sql('t')})`;
  return { code, sql, ofTransfer };
}
