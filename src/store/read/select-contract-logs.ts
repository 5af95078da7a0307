// Logs by time and index: of one transaction, or a page of all of them or of one contract's.
import type { Database } from '../wire/database.ts';
import { blockOfResult, entityOfResult } from './contract-result-row.ts';
import { columns } from './statement/columns.ts';
import { toLiteralLimit } from './statement/statement-parts.ts';
import { type TwoKeyRange, toTwoKeyPart } from './two-key-part.ts';
import { type RowWith, withJoined } from './with-joined.ts';

const logColumns = columns(
  'contract_log',
  [
    'bloom',
    'consensus_timestamp',
    'contract_id',
    'data',
    'index',
    'root_contract_id',
    'topic0',
    'topic1',
    'topic2',
    'topic3',
    'transaction_hash',
    'transaction_index',
  ],
  'l',
);
const logs = withJoined(logColumns, [entityOfResult]);
const listedLogs = withJoined(logColumns, [entityOfResult, blockOfResult]);

export type ContractLogRow = RowWith<typeof logs>;
/** What record_file says is null where no block holds the timestamp (`blockHash`). */
export type ListedLogRow = RowWith<typeof listedLogs>;

export type ContractLogsFilter = {
  /** null = of all contracts. */
  contractId: bigint | null;
  /** Consensus timestamp and index. */
  keys: TwoKeyRange;
  /** By position, the stored values that are alternatives; empty = any. */
  topics: readonly (readonly Buffer[])[];
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectContractLogs(db: Database, filter: ContractLogsFilter): Promise<ListedLogRow[]> {
  const { contractId, order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  let conditions = '';
  if (contractId !== null) {
    values.push(contractId);
    conditions += ' and l.contract_id = $1';
  }
  const keys = toTwoKeyPart(filter.keys, values);
  conditions += keys.sql('l.consensus_timestamp', 'l.index');
  let code = '';
  filter.topics.forEach((topics, position) => {
    if (topics.length === 0) return;
    values.push(topics);
    conditions += ` and l.topic${position} = any($${values.length}::bytea[])`;
    code += position;
  });
  const shape = `${contractId === null ? 'all' : 'one'}-${order}${limit}-${keys.code}-${code}`;
  const page = `from contract_log l
  where true${conditions}
  order by l.consensus_timestamp ${order}, l.index ${order} limit ${limit}`;
  return listedLogs.query(
    db,
    {
      name: 'select-contract-logs',
      shape,
      page,
      order: `page.consensus_timestamp ${order}, page.index ${order}`,
      values,
    },
    filter.limit,
  );
}

/** By index. */
export function selectLogsAt(db: Database, timestamp: bigint): Promise<ContractLogRow[]> {
  return logs.query(db, {
    name: 'select-logs-at',
    page: 'from contract_log l where l.consensus_timestamp = $1 order by l.index',
    order: 'page.index',
    values: [timestamp],
  });
}
