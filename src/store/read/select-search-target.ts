// What stands behind an id, a hash or a moment that somebody looks for, each by one index.
import type { Database } from '../wire/database.ts';

/** Type of the entity, such as `TOKEN`; null = there is none. */
export async function selectEntityType(db: Database, id: bigint): Promise<string | null> {
  const rows = await db.query<{ type: string }>({
    name: 'select-entity-type',
    text: 'select type::text as type from entity where id = $1',
    values: [id],
  });
  return rows[0]?.type ?? null;
}

/** Number of the block with this hash, 48 bytes. */
export async function selectBlockNumber(db: Database, hash: Buffer): Promise<bigint | null> {
  const rows = await db.query<{ number: bigint }>({
    name: 'select-block-number',
    text: 'select index as number from record_file where hash collate "C" = $1',
    values: [hash.toString('hex')],
  });
  return rows[0]?.number ?? null;
}

export type FoundTransaction = { consensusTimestamp: bigint; payerAccountId: bigint; hasContractResult: boolean };

/** How a transaction is named: 32 bytes of its hash, payer and valid start (ns), or its consensus timestamp (ns). */
export type TransactionName =
  | { kind: 'hash'; hash: Buffer }
  | { kind: 'id'; payerAccountId: bigint; validStart: bigint }
  | { kind: 'timestamp'; timestamp: bigint };

const conditions: Record<TransactionName['kind'], string> = {
  hash: 't.consensus_timestamp in (select h.consensus_timestamp from transaction_hash h where h.hash = $1)',
  id: 't.payer_account_id = $1 and t.valid_start_ns = $2',
  timestamp: 't.consensus_timestamp = $1',
};

/** The first of them where several are named, as a scheduled transaction and its child are. */
export async function selectTransaction(db: Database, name: TransactionName): Promise<FoundTransaction | null> {
  const rows = await db.query<FoundTransaction>({
    name: `select-transaction-by-${name.kind}`,
    text: `select t.consensus_timestamp as "consensusTimestamp", t.payer_account_id as "payerAccountId",
  exists (select from contract_result r where r.consensus_timestamp = t.consensus_timestamp) as "hasContractResult"
from transaction t where ${conditions[name.kind]} order by t.consensus_timestamp limit 1`,
    values: valuesOf(name),
  });
  return rows[0] ?? null;
}

function valuesOf(name: TransactionName): unknown[] {
  if (name.kind === 'hash') return [name.hash];
  return name.kind === 'id' ? [name.payerAccountId, name.validStart] : [name.timestamp];
}
