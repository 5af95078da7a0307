// The execution of a transaction by its hash, its id or its time, as a part of the statements about it.

import type { Database } from '../../postgres/wire/database.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { selectOne } from './select-one.ts';
import { columns, type RowOf } from './statement/columns.ts';
import { atRun } from './statement/statement-parts.ts';

/** `hash`: 32 bytes; `validStart`, `latest` (of the consensus time) and `timestamp`: ns. */
export type ExecutionKey =
  | { kind: 'hash'; hash: Buffer }
  | { kind: 'id'; payerAccountId: bigint; validStart: bigint; nonce: bigint; latest: bigint }
  | { kind: 'time'; timestamp: bigint };

type Kind = ExecutionKey['kind'];

/** Timestamp, ns, and payer: a list of actions has only those of its payer. */
export type Execution = RowOf<typeof executionColumns>;

const executionColumns = columns('transaction', ['consensus_timestamp', 'payer_account_id']);

/** The newest of several, but successful ones first. */
const newestSuccessFirst = (resultColumn: string) =>
  `order by (${resultColumn} = ${responseCode.SUCCESS}) desc, consensus_timestamp desc limit 1`;

const byHash = `from contract_transaction_hash where hash = $1 ${newestSuccessFirst('transaction_result')}`;
const byId = (payer: string, [from, to]: readonly string[]) => `from transaction
where valid_start_ns = $2 and ${payer}
  and nonce = $3::int8 and consensus_timestamp >= ${from} and consensus_timestamp <= ${to} ${newestSuccessFirst('result')}`;
const bounds = [atRun('$2'), atRun('$4')] as const;

/** SQL from `from` on; the parameters are `executionValues`. By time the transaction itself is not looked up. */
const sources: Readonly<Record<Kind, string>> = {
  hash: byHash,
  // As a pair: see select-named-transactions.ts.
  id: byId('(valid_start_ns, payer_account_id) >= ($2, $1) and (valid_start_ns, payer_account_id) <= ($2, $1)', bounds),
  time: '',
};
/** In a distributed database the payer says which machine is asked. */
const distributedSources = { hash: byHash, id: byId('payer_account_id = $1', ['$2', '$4']) };

/** SQL: the execution as a sub-query, one row or none. */
export function namedExecution(kind: Kind): string {
  return kind === 'time'
    ? `select ${atRun('$1')} as consensus_timestamp`
    : `select ${executionColumns.sql}\n${sources[kind]}`;
}

/** SQL: ` and …` for a consensus timestamp of the execution, by which partitions are left out before any is opened. */
export function executionBounds(kind: Kind, column: string): string {
  if (kind === 'time') return ` and ${column} = ${atRun('$1')}`;
  return kind === 'id' ? ` and ${column} >= ${bounds[0]} and ${column} <= ${bounds[1]}` : '';
}

/** The first parameters of a statement. */
export function executionValues(key: ExecutionKey): unknown[] {
  if (key.kind === 'hash') return [key.hash];
  return key.kind === 'time' ? [key.timestamp] : [key.payerAccountId, key.validStart, key.nonce, key.latest];
}

export function selectExecution(db: Database, key: Exclude<ExecutionKey, { kind: 'time' }>): Promise<Execution | null> {
  const values = executionValues(key);
  const name = `select-execution-by-${key.kind}`;
  const from = (db.isDistributed ? distributedSources : sources)[key.kind];
  return selectOne(db, { name, select: executionColumns, from, values });
}
