// Transactions by name, oldest first: by id, which child transactions share; by the hash of the signed transaction; by
// Ethereum hash.
import type { Database } from '../wire/database.ts';
import { columnsOfTransaction, selectTransactionPage, type TransactionRow } from './select-transaction-page.ts';
import { selectTransactionRows, withTransfers } from './select-transaction-rows.ts';
import { columns, selectQuery } from './statement/columns.ts';

export type TransactionId = {
  payerAccountId: bigint;
  /** ns */
  validStart: bigint;
};

/** Which of those that share a name: null = any. */
export type TransactionChoice = { nonce: bigint | null; scheduled: boolean | null };

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

export async function selectTransactionsById(db: Database, filter: IdsFilter): Promise<TransactionRow[]> {
  const { ids, from, to } = filter;
  const payers = ids.map(({ payerAccountId }) => payerAccountId);
  const starts = ids.map(({ validStart }) => validStart);
  const values: unknown[] = [payers, starts, from, to];
  const wanted = toWantedPart(filter, values);
  if (db.isDistributed) {
    const query = selectQuery({
      name: 'select-rows-by-id',
      shape: wanted.code,
      select: columnsOfTransaction,
      from: `from transaction t
where t.payer_account_id = any($1::int8[]) and t.valid_start_ns = any($2::int8[])
  and t.consensus_timestamp >= $3 and t.consensus_timestamp <= $4${wanted.sql} order by t.consensus_timestamp`,
      values,
    });
    const isNamed = (row: { payerAccountId: bigint; validStart: bigint }): boolean =>
      ids.some((id) => id.payerAccountId === row.payerAccountId && id.validStart === row.validStart);
    return withTransfers(db, (await db.query(query)).filter(isNamed), filter.rewardAccountId);
  }
  // `offset 0`: as a plain join, everything between the bounds might be read.
  const { rows } = await selectTransactionPage(db, {
    name: 'select-transactions-by-id',
    shape: wanted.code,
    candidates: `candidates as (
  select t.consensus_timestamp from unnest($1::int8[], $2::int8[]) as named (payer, valid_start)
  cross join lateral (
    select t.consensus_timestamp from transaction t
    where t.valid_start_ns = named.valid_start and t.payer_account_id = named.payer
      and t.consensus_timestamp >= $3 and t.consensus_timestamp <= $4${wanted.sql}
    offset 0
  ) t
)`,
    values,
    rewardAccountId: filter.rewardAccountId,
    order: 'asc',
    literalLimit: null,
  });
  return rows;
}

/** Length of the column `hash`; the rest is in `hash_suffix`. */
const indexedBytes = 32;

/** All 48 bytes. */
export function selectTransactionsByHash(db: Database, hash: Buffer, filter: NamedFilter): Promise<TransactionRow[]> {
  const values: unknown[] = [hash.subarray(0, indexedBytes), hash.subarray(indexedBytes)];
  return selectByHash(
    db,
    { name: 'select-transactions-by-hash', filter, values },
    'transaction_hash',
    'hash = $1 and hash_suffix = $2',
  );
}

/** 32 bytes; a contract call without Ethereum transaction has the first 32 of its own hash there. */
export function selectTransactionsByEthereumHash(
  db: Database,
  hash: Buffer,
  filter: NamedFilter,
): Promise<TransactionRow[]> {
  const values: unknown[] = [hash];
  return selectByHash(
    db,
    { name: 'select-transactions-by-ethereum-hash', filter, values },
    'contract_transaction_hash',
    'hash = $1',
  );
}

/** A transaction that is sent repeatedly and refused as a duplicate has the same hash each time. */
const maxWithOneHash = 25;

async function selectByHash(
  db: Database,
  { name, filter, values }: { name: string; filter: NamedFilter; values: unknown[] },
  table: string,
  condition: string,
): Promise<TransactionRow[]> {
  const named = `from ${table} where ${condition}
  order by consensus_timestamp limit ${maxWithOneHash}`;
  if (db.isDistributed) {
    const select = columns('transaction_hash', ['consensus_timestamp', 'payer_account_id']);
    const keys = await db.query(selectQuery({ name: `${name}-keys`, select, from: named, values }));
    const { rewardAccountId, nonce, scheduled } = filter;
    const rows = await selectTransactionRows(db, keys, { order: 'asc', rewardAccountId });
    return rows.filter(
      (row) =>
        (keys[0]!.payerAccountId === null || row.payerAccountId === keys[0]!.payerAccountId) &&
        (nonce === null || BigInt(row.nonce) === nonce) &&
        (scheduled === null || row.scheduled === scheduled),
    );
  }
  const wanted = toWantedPart(filter, values);
  const { rows } = await selectTransactionPage(db, {
    name,
    shape: wanted.code,
    candidates: `named as materialized (
  select consensus_timestamp, payer_account_id ${named}
), first as (select payer_account_id as payer from named order by consensus_timestamp limit 1),
candidates as (
  select t.consensus_timestamp from named cross join lateral (
    select * from transaction where consensus_timestamp = named.consensus_timestamp limit 1
  ) t
  where t.payer_account_id = coalesce((select payer from first), t.payer_account_id)${wanted.sql}
)`,
    values,
    rewardAccountId: filter.rewardAccountId,
    order: 'asc',
    literalLimit: null,
  });
  return rows;
}

function toWantedPart({ nonce, scheduled }: NamedFilter, values: unknown[]): { code: string; sql: string } {
  let code = '';
  let sql = '';
  const add = (letter: string, column: string, value: unknown) => {
    values.push(value);
    sql += ` and t.${column} = $${values.length}`;
    code += letter;
  };
  if (nonce !== null) add('n', 'nonce', nonce);
  if (scheduled !== null) add('s', 'scheduled', scheduled);
  return { code, sql };
}
