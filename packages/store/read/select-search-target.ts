// Finds what an id, a hash or a timestamp in the search box names, each by one index.
import type { Database } from '../../postgres/wire/database.ts';
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

const foundEntity = columns('entity', ['balance', 'created_timestamp', 'deleted', 'memo', 'type']);

/** `type`: such as `TOKEN`. `balance`: tinybar. */
export type FoundEntity = RowOf<typeof foundEntity>;

/** null = there is none. */
export function selectFoundEntity(db: Database, id: bigint): Promise<FoundEntity | null> {
  return selectOne(db, {
    name: 'select-found-entity',
    select: foundEntity,
    from: 'from entity where id = $1',
    values: [id],
  });
}

/** At most two accounts or contracts with this key, in hex as stored. */
export async function selectIdsOfKey(db: Database, key: string): Promise<bigint[]> {
  const query = selectQuery({
    name: 'select-ids-of-key',
    select: columns('entity', ['id']),
    from: `from entity where public_key = $1 and type in ('ACCOUNT', 'CONTRACT') limit 2`,
    values: [key],
  });
  return (await db.query(query)).map(({ id }) => id);
}

const foundBlock = columns('record_file', { number: 'index', consensusEnd: 'consensus_end', count: 'count' });

/** `count`: of its transactions. */
export type FoundBlock = RowOf<typeof foundBlock>;

/** `hash`: 48 bytes. */
export function selectBlockOfHash(db: Database, hash: Buffer): Promise<FoundBlock | null> {
  return selectOne(db, {
    name: 'select-block-of-hash',
    select: foundBlock,
    from: 'from record_file where hash collate "C" = $1',
    values: [hash.toString('hex')],
  });
}

export function selectBlockOfNumber(db: Database, number: bigint): Promise<FoundBlock | null> {
  return selectOne(db, {
    name: 'select-block-of-number',
    select: foundBlock,
    from: 'from record_file where index = $1',
    values: [number],
  });
}

const foundToken = columns('token', ['name', 'symbol', 'token_id']);

export type FoundToken = RowOf<typeof foundToken>;

/**
 * Tokens of this symbol in any case, the first ones by id. None in a database without the index for it, as of another
 * program: every token would be read.
 */
export async function selectTokensOfSymbol(db: Database, symbol: string, limit: number): Promise<FoundToken[]> {
  const index = expression('found', 'bool', `to_regclass('token_left_token_id_idx') is not null`);
  const known = await selectOne(db, { name: 'find-symbol-index', select: index });
  if (!known?.found) return [];
  const query = selectQuery({
    name: 'select-tokens-of-symbol',
    select: foundToken,
    from: `from token where left(lower(symbol), 100) = left(lower($1), 100) order by left(lower(symbol), 100), token_id limit ${limit}`,
    values: [symbol],
  });
  return db.query(query);
}

/** How a transaction is named: 32 bytes of its hash, payer and valid start (ns), or its consensus timestamp (ns). */
export type TransactionName =
  | { kind: 'hash'; hash: Buffer }
  | { kind: 'id'; payerAccountId: bigint; validStart: bigint }
  | { kind: 'timestamp'; timestamp: bigint };

const namedTransaction = selectAll(
  columns('transaction', { payerAccountId: 'payer_account_id', validStart: 'valid_start_ns' }, 't'),
  columns('transaction', ['consensus_timestamp', 'result', 'type'], 't'),
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
  const [found] = await db.query(selectQuery({ ...query, select: namedTransaction }));
  if (!found) return null;
  const result = selectQuery({
    name: 'select-result-hash',
    select: columns('contract_result', { contractResultHash: 'transaction_hash' }),
    from: 'from contract_result where consensus_timestamp = $1 limit 1',
    values: [found.consensusTimestamp],
  });
  return { ...found, contractResultHash: (await db.query(result))[0]?.contractResultHash ?? null };
}

function valuesOf(name: TransactionName): unknown[] {
  if (name.kind === 'hash') return [name.hash];
  return name.kind === 'id' ? [name.payerAccountId, name.validStart] : [name.timestamp];
}
