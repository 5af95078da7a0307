// Logs by time and index: of one transaction, or a page of all of them or of one contract's.
import { anyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { blockOfResult, entityOfResult } from './contract-result-row.ts';
import { joinAll } from './joined.ts';
import { allRows, type PageFilter, selectPage } from './select-page.ts';
import { columns } from './statement/columns.ts';

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
const entityAndBlock = joinAll(entityOfResult, blockOfResult);

export type ContractLogRow = Awaited<ReturnType<typeof selectLogsAt>>[number];

export type ContractLogsFilter = PageFilter & {
  /** null = of all contracts. */
  contractId: bigint | null;
  timestamp: Range;
  /** If neither key has an exact value, bounds of the index apply only at the bounds of `timestamp`, of which each has one. */
  index: Range;
  /** By position, the alternative stored values; empty = any. */
  topics: readonly (readonly Buffer[])[];
};

/** The block's columns are null if no block holds the timestamp (`blockHash`). */
export function selectContractLogs(
  db: Database,
  { contractId, timestamp, index, topics, ...page }: ContractLogsFilter,
) {
  const values: unknown[] = contractId === null ? [] : [contractId];
  let conditions = contractId === null ? 'true' : 'contract_id = $1';
  let shape = contractId === null ? 'all' : 'one';
  topics.forEach((alternatives, position) => {
    if (alternatives.length === 0) return;
    conditions += ` and topic${position} = any($${values.push(alternatives)}::bytea[])`;
    shape += position;
  });
  const query = {
    name: 'select-contract-logs',
    shape,
    select: logColumns,
    from: `contract_log where ${conditions}`,
    values,
  };
  return selectPage(db, page, { ...query, keys: { consensus_timestamp: timestamp, index } }, entityAndBlock);
}

/** By index. */
export function selectLogsAt(db: Database, timestamp: bigint) {
  const query = { name: 'select-logs-at', select: logColumns, from: 'contract_log where consensus_timestamp = $1' };
  return selectPage(db, allRows, { ...query, values: [timestamp], keys: { index: anyRange } }, entityOfResult);
}
