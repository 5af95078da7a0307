// Transactions by name, oldest first: by id, which child transactions share; by the hash of the signed transaction; by
// Ethereum hash. Each is one statement, with the custom fees that were assessed.

import { compareBigints } from '../../kit/compare-bigints.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { type AssessedFeeRow, assessedFeesOf, selectAssessedFees, toAssessedFees } from './select-assessed-fees.ts';
import {
  columnsOfTransaction,
  isFound,
  selectWithTransfers,
  type TransactionRow,
  transactionStatement,
} from './select-transaction-page.ts';
import { selectTransactionRows, withTransfers } from './select-transaction-rows.ts';
import { columns, selectAll, selectQuery } from './statement/columns.ts';
import { atRun } from './statement/statement-parts.ts';

export type TransactionId = {
  payerAccountId: bigint;
  /** ns */
  validStart: bigint;
};

/** Which of those that share a name: null = any. */
export type TransactionChoice = { nonce: bigint | null; scheduled: boolean | null };

export type NamedTransactionRow = TransactionRow & { assessedFees: readonly AssessedFeeRow[] };

export type NamedFilter = TransactionChoice & {
  /** The account that pays staking rewards (`stakingRewards`). */
  rewardAccountId: bigint;
};

export type IdsFilter = NamedFilter & {
  ids: readonly TransactionId[];
  /** Bounds of the consensus time, inclusive, ns. */
  from: bigint;
  to: bigint;
};

export async function selectTransactionsById(db: Database, filter: IdsFilter): Promise<NamedTransactionRow[]> {
  const { ids, from, to } = filter;
  const isNamed = (row: { payerAccountId: bigint; validStart: bigint }): boolean =>
    ids.some((id) => id.payerAccountId === row.payerAccountId && id.validStart === row.validStart);
  const payers = ids.map(({ payerAccountId }) => payerAccountId);
  const starts = ids.map(({ validStart }) => validStart);
  if (db.isDistributed) {
    const query = selectQuery({
      name: 'select-rows-by-id',
      select: columnsOfTransaction,
      from: `from transaction t
where t.payer_account_id = any($1::int8[]) and t.valid_start_ns = any($2::int8[])
  and t.consensus_timestamp >= $3 and t.consensus_timestamp <= $4 order by t.consensus_timestamp`,
      values: [payers, starts, from, to],
    });
    const named = (await db.query(query)).filter((row) => isNamed(row) && isChosen(row, filter));
    return withAssessedFees(db, await withTransfers(db, named, filter.rewardAccountId));
  }
  const [statement, values] = ids.length === 1 ? [oneById, [payers[0], starts[0]]] : [severalById, [payers, starts]];
  const rows = await selectWithTransfers(db, statement, { ...filter, values: [...values, from, to] });
  const found = rows.filter(isFound).filter((row) => isNamed(row) && isChosen(row, filter));
  // Not by PostgreSQL: it might read everything between the bounds, which has this order.
  found.sort((one, other) => compareBigints(one.consensusTimestamp, other.consensusTimestamp));
  return found.map(toAssessedFees);
}

const withinBounds = (alias = ''): string =>
  `${alias}consensus_timestamp >= ${atRun('$3')} and ${alias}consensus_timestamp <= ${atRun('$4')}`;
const feesWithinBounds = assessedFeesOf('t', ` and ${withinBounds('f.')}`);
const byIdStatement = (shape: string, condition: string) =>
  transactionStatement(feesWithinBounds, (select) =>
    selectQuery({
      name: 'select-transactions-by-id',
      shape,
      select,
      from: `from (
  select ${columnsOfTransaction.sql} from transaction
  where ${condition} and ${withinBounds()}
) t`,
    }),
  );

/**
 * Found by valid start. As a comparison of pairs the payer serves no other index: with an equality, PostgreSQL may read
 * all that the payer paid for between the bounds.
 */
const oneById = byIdStatement(
  'one',
  `valid_start_ns = $2
  and (valid_start_ns, payer_account_id) >= ($2, $1) and (valid_start_ns, payer_account_id) <= ($2, $1)`,
);
const severalById = byIdStatement(
  'several',
  'valid_start_ns = any($2::int8[]) and payer_account_id + 0 = any($1::int8[])',
);

/** Length of the column `hash`; the rest is in `hash_suffix`. */
const indexedBytes = 32;

/** A transaction that is sent repeatedly and refused as a duplicate has the same hash each time. */
const maxWithOneHash = 25;

/** All 48 bytes. */
export function selectTransactionsByHash(db: Database, hash: Buffer, filter: NamedFilter) {
  const values = [hash.subarray(0, indexedBytes), hash.subarray(indexedBytes)];
  return selectByHash(db, byHash, { ...filter, values });
}

/** 32 bytes; a contract call without Ethereum transaction has the first 32 of its own hash there. */
export function selectTransactionsByEthereumHash(db: Database, hash: Buffer, filter: NamedFilter) {
  return selectByHash(db, byEthereumHash, { ...filter, values: [hash] });
}

const byHash = hashStatement(
  'select-transactions-by-hash',
  'from transaction_hash where hash = $1 and hash_suffix = $2',
);
const byEthereumHash = hashStatement(
  'select-transactions-by-ethereum-hash',
  'from contract_transaction_hash where hash = $1',
);

/** `keys` alone is the first half of it, for a distributed database. */
function hashStatement(name: string, from: string) {
  const named = `${from}
  order by consensus_timestamp limit ${maxWithOneHash}`;
  const payer = columns('transaction_hash', { named_payer: 'payer_account_id' }, 'named');
  const statement = transactionStatement(selectAll(payer, assessedFeesOf('t')), (select) =>
    selectQuery({
      name,
      select,
      from: `from (select consensus_timestamp, payer_account_id ${named}) named left join lateral (
  select ${columnsOfTransaction.sql} from transaction where consensus_timestamp = named.consensus_timestamp limit 1
) t on true
order by named.consensus_timestamp`,
    }),
  );
  const key = columns('transaction_hash', ['consensus_timestamp', 'payer_account_id']);
  return { statement, keys: selectQuery({ name: `${name}-keys`, select: key, from: named }) };
}

async function selectByHash(
  db: Database,
  { statement, keys }: ReturnType<typeof hashStatement>,
  filter: NamedFilter & { values: unknown[] },
): Promise<NamedTransactionRow[]> {
  if (db.isDistributed) {
    const { rewardAccountId, values } = filter;
    const named = await db.query({ ...keys, values });
    const rows = await selectTransactionRows(db, named, { order: 'asc', rewardAccountId });
    return withAssessedFees(db, chooseOfPayer(rows, named[0]?.payerAccountId ?? null, filter));
  }
  const rows = await selectWithTransfers(db, statement, filter);
  return chooseOfPayer(rows.filter(isFound), rows[0]?.namedPayer ?? null, filter).map(toAssessedFees);
}

/** Only transactions of the payer of the first with this hash; null = unknown. */
function chooseOfPayer<Row extends TransactionRow>(
  rows: readonly Row[],
  payerAccountId: bigint | null,
  filter: NamedFilter,
): Row[] {
  return rows.filter(
    (row) => (payerAccountId === null || row.payerAccountId === payerAccountId) && isChosen(row, filter),
  );
}

function isChosen(row: { nonce: number; scheduled: boolean }, { nonce, scheduled }: TransactionChoice): boolean {
  return (nonce === null || BigInt(row.nonce) === nonce) && (scheduled === null || row.scheduled === scheduled);
}

/** In a distributed database. */
async function withAssessedFees(db: Database, rows: readonly TransactionRow[]): Promise<NamedTransactionRow[]> {
  if (rows.length === 0) return [];
  const fees = await selectAssessedFees(
    db,
    rows.map(({ consensusTimestamp }) => consensusTimestamp),
  );
  return rows.map((row) =>
    Object.assign(row, { assessedFees: fees.filter((fee) => fee.consensusTimestamp === row.consensusTimestamp) }),
  );
}
