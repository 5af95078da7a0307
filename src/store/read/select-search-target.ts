// Finds what an id, a hash or a timestamp in the search box names, each by one index.
import type { Database } from '../wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/** Type of the entity, such as `TOKEN`; null = there is none. */
export async function selectEntityType(db: Database, id: bigint): Promise<string | null> {
  const found = await selectOne(db, {
    name: 'select-entity-type',
    select: columns('entity', ['type']),
    from: 'from entity where id = $1',
    values: [id],
  });
  return found?.type ?? null;
}

/** Number of the block with this hash, 48 bytes. */
export async function selectBlockNumber(db: Database, hash: Buffer): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-block-number',
    select: columns('record_file', { number: 'index' }),
    from: 'from record_file where hash collate "C" = $1',
    values: [hash.toString('hex')],
  });
  return found?.number ?? null;
}

export async function hasBlock(db: Database, number: bigint): Promise<boolean> {
  const query = selectQuery({
    name: 'select-block-of-number',
    select: columns('record_file', { number: 'index' }),
    from: 'from record_file where index = $1',
    values: [number],
  });
  return (await db.query(query)).length > 0;
}

/** How a transaction is named: 32 bytes of its hash, payer and valid start (ns), or its consensus timestamp (ns). */
export type TransactionName =
  | { kind: 'hash'; hash: Buffer }
  | { kind: 'id'; payerAccountId: bigint; validStart: bigint }
  | { kind: 'timestamp'; timestamp: bigint };

const namedTransaction = columns(
  'transaction',
  { payerAccountId: 'payer_account_id', validStart: 'valid_start_ns' },
  't',
);
const foundTransaction = selectAll(
  namedTransaction,
  expression(
    'contractResultHash',
    'bytea',
    '(select r.transaction_hash from contract_result r where r.consensus_timestamp = t.consensus_timestamp limit 1)',
  ).nullable(),
);

/** `contractResultHash` is null for a transaction that ran no contract. */
export type FoundTransaction = RowOf<typeof foundTransaction>;

const conditions: Record<TransactionName['kind'], string> = {
  hash: 't.consensus_timestamp in (select h.consensus_timestamp from transaction_hash h where h.hash = $1)',
  id: 't.payer_account_id = $1 and t.valid_start_ns = $2',
  timestamp: 't.consensus_timestamp = $1',
};

/** The first of several, such as a scheduled transaction and its child. */
export async function selectTransaction(db: Database, name: TransactionName): Promise<FoundTransaction | null> {
  const query = {
    name: `select-transaction-by-${name.kind}`,
    // Without the sum PostgreSQL may scan a payer's transactions in order until one has the valid start.
    from: `from transaction t where ${conditions[name.kind]} order by t.consensus_timestamp + 0 limit 1`,
    values: valuesOf(name),
  };
  if (!db.isDistributed) return (await db.query(selectQuery({ ...query, select: foundTransaction })))[0] ?? null;
  const select = selectAll(namedTransaction, columns('transaction', ['consensus_timestamp'], 't'));
  const [row] = await db.query(selectQuery({ ...query, select }));
  if (!row) return null;
  const { consensusTimestamp: moment, ...found } = row;
  const result = selectQuery({
    name: 'select-result-hash',
    select: columns('contract_result', { contractResultHash: 'transaction_hash' }),
    from: 'from contract_result where consensus_timestamp = $1 limit 1',
    values: [moment],
  });
  return { ...found, contractResultHash: (await db.query(result))[0]?.contractResultHash ?? null };
}

function valuesOf(name: TransactionName): unknown[] {
  if (name.kind === 'hash') return [name.hash];
  return name.kind === 'id' ? [name.payerAccountId, name.validStart] : [name.timestamp];
}
