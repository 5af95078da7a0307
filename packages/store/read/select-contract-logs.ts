// Logs by time and index: of one transaction, or a page of all of them or of one contract's.

import { anyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { addressOfEntity, blockOfResult, entityOfOne, entityOfResult } from './contract-result-row.ts';
import { joinAll } from './joined.ts';
import { allRows, type PageFilter, selectPage } from './select-page.ts';
import { selectTransactionTime, type TimeOfHash, toTimePart } from './select-transaction-time.ts';
import { choosing, columns, type RowOf, type Selection, selectAll } from './statement/columns.ts';
import { isShown } from './synthetic-result.ts';

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
/** Without the bloom, which is most of a row's bytes, and what no client of JSON-RPC sees. */
const plainColumns = selectAll(
  choosing(logColumns, [
    ...(['consensusTimestamp', 'contractId', 'data', 'index', 'topic0', 'topic1', 'topic2', 'topic3'] as const),
    ...(['transactionHash', 'transactionIndex'] as const),
  ])([]),
  columns('contract_log', ['payer_account_id']),
);
/** What a single result says of its logs, of contract_log as `l`. */
export const logOfResult = selectAll(
  columns('contract_log', ['bloom', 'contract_id', 'data', 'index', 'topic0', 'topic1', 'topic2', 'topic3'], 'l'),
  addressOfEntity('l.contract_id'),
);
export type LogOfResult = RowOf<typeof logOfResult>;
const entityAndBlock = joinAll(entityOfResult, blockOfResult);
/** The entity is looked up once. */
const ofContractAndBlock = joinAll(entityOfOne, blockOfResult);

type ListedRow<Row> = Row & RowOf<typeof entityAndBlock.select>;

export type ContractLogsFilter = PageFilter & {
  /** null = of all contracts. */
  contractId: bigint | null;
  /** Of one transaction; null = of all. */
  transaction: TimeOfHash | null;
  timestamp: Range;
  /**
   * If neither key has an exact value, bounds of the index apply only at the bounds of `timestamp`, of which each has
   * one.
   */
  index: Range;
  /** By position, the alternative stored values; empty = any. */
  topics: readonly (readonly Buffer[])[];
  /** Logs with fewer are left out; default 0, at most 4. */
  minTopics?: number;
};

/** Their block's columns are null if no block holds the timestamp (`blockHash`). */
export const selectContractLogs = logsReader(logColumns);
export const selectPlainLogs = logsReader(plainColumns);

function logsReader<Row>(select: Selection<Row>) {
  return async function selectLogs(
    db: Database,
    { contractId, transaction, timestamp, index, topics, minTopics = 0, ...page }: ContractLogsFilter,
  ): Promise<ListedRow<Row>[]> {
    if (transaction && db.isDistributed) {
      const time = await selectTransactionTime(db, transaction);
      if (time === null) return [];
      const ofTime = { timestamp: { ...anyRange, equals: [time] }, transaction: null };
      return selectLogs(db, { ...page, contractId, index, topics, minTopics, ...ofTime });
    }
    const values: unknown[] = contractId === null ? [] : [contractId];
    let conditions = `${contractId === null ? '' : 'contract_id = $1 and '}${isShown('contract_log')}`;
    let shape = contractId === null ? 'all' : 'one';
    topics.forEach((alternatives, position) => {
      if (alternatives.length === 0) return;
      conditions += ` and topic${position} = any($${values.push(alternatives)}::bytea[])`;
      shape += position;
    });
    // One that is compared is there.
    if (minTopics > 0 && !topics[minTopics - 1]?.length) {
      conditions += ` and topic${minTopics - 1} is not null`;
      shape += `-${minTopics}`;
    }
    if (transaction) {
      const time = toTimePart(transaction, values);
      conditions += ` and consensus_timestamp = (select consensus_timestamp ${time.from})`;
      shape += time.code;
    }
    const from = `contract_log where ${conditions}`;
    const query = { name: 'select-contract-logs', shape, select, from, values };
    const joined = contractId === null || db.isDistributed ? entityAndBlock : ofContractAndBlock;
    return selectPage(db, page, { ...query, keys: { consensus_timestamp: timestamp, index } }, joined);
  };
}

/** By index. */
export function selectLogsAt(db: Database, timestamp: bigint) {
  const query = {
    name: 'select-logs-at',
    select: logColumns,
    from: `contract_log where consensus_timestamp = $1 and ${isShown('contract_log')}`,
  };
  return selectPage(db, allRows, { ...query, values: [timestamp], keys: { index: anyRange } }, entityOfResult);
}
