// Logs by time and index: of one transaction, or a page of all of them or of one contract's.
import { anyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { addressOfEntity, blockOfResult, entityOfOne, entityOfResult } from './contract-result-row.ts';
import { joinAll } from './joined.ts';
import { allRows, type PageFilter, selectPage } from './select-page.ts';
import { selectTransactionTime, type TimeOfHash, toTimePart } from './select-transaction-time.ts';
import { columns, type RowOf, selectAll } from './statement/columns.ts';

const logColumns = columns('contract_log', [
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
]);
/** What a single result says of its logs, of contract_log as `l`. */
export const logOfResult = selectAll(
  columns('contract_log', ['bloom', 'contract_id', 'data', 'index', 'topic0', 'topic1', 'topic2', 'topic3'], 'l'),
  addressOfEntity('l.contract_id'),
);
export type LogOfResult = RowOf<typeof logOfResult>;
const entityAndBlock = joinAll(entityOfResult, blockOfResult);
/** The entity is looked up once. */
const ofContractAndBlock = joinAll(entityOfOne, blockOfResult);

type ListedLogRow = RowOf<typeof logColumns> & RowOf<typeof entityAndBlock.select>;

export type ContractLogsFilter = PageFilter & {
  /** null = of all contracts. */
  contractId: bigint | null;
  /** Of one transaction; null = of all. */
  transaction: TimeOfHash | null;
  timestamp: Range;
  /** If neither key has an exact value, bounds of the index apply only at the bounds of `timestamp`, of which each has one. */
  index: Range;
  /** By position, the alternative stored values; empty = any. */
  topics: readonly (readonly Buffer[])[];
};

/** The block's columns are null if no block holds the timestamp (`blockHash`). */
export async function selectContractLogs(
  db: Database,
  { contractId, transaction, timestamp, index, topics, ...page }: ContractLogsFilter,
): Promise<ListedLogRow[]> {
  if (transaction && db.isDistributed) {
    const time = await selectTransactionTime(db, transaction);
    if (time === null) return [];
    const ofTime = { timestamp: { ...anyRange, equals: [time] }, transaction: null };
    return selectContractLogs(db, { ...page, contractId, index, topics, ...ofTime });
  }
  const values: unknown[] = contractId === null ? [] : [contractId];
  let conditions = contractId === null ? 'true' : 'contract_id = $1';
  let shape = contractId === null ? 'all' : 'one';
  topics.forEach((alternatives, position) => {
    if (alternatives.length === 0) return;
    conditions += ` and topic${position} = any($${values.push(alternatives)}::bytea[])`;
    shape += position;
  });
  if (transaction) {
    const time = toTimePart(transaction, values);
    conditions += ` and consensus_timestamp = (select consensus_timestamp ${time.from})`;
    shape += time.code;
  }
  const query = {
    name: 'select-contract-logs',
    shape,
    select: logColumns,
    from: `contract_log where ${conditions}`,
    values,
  };
  const joined = contractId === null || db.isDistributed ? entityAndBlock : ofContractAndBlock;
  return selectPage(db, page, { ...query, keys: { consensus_timestamp: timestamp, index } }, joined);
}

/** By index. */
export function selectLogsAt(db: Database, timestamp: bigint) {
  const query = { name: 'select-logs-at', select: logColumns, from: 'contract_log where consensus_timestamp = $1' };
  return selectPage(db, allRows, { ...query, values: [timestamp], keys: { index: anyRange } }, entityOfResult);
}
