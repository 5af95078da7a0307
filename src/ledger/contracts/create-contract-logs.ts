// Logs of all contracts or of one, by time and index.
import { isEmptyRange, type Range } from '../../kit/range.ts';
import { selectContractLogs } from '../../store/read/select-contract-logs.ts';
import { selectTransactionTime } from '../../store/read/select-transaction-time.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';
import { withinClock } from '../question/within-clock.ts';
import { type ListedContractLog, toListedLog } from './contract-log.ts';

export type ContractLogsQuery = {
  /** null = of all contracts. */
  contractId: bigint | null;
  /** ns */
  timestamp: Range;
  /** Bounds hold at the bounds of `timestamp`, where that has no exact value. */
  index: Range;
  /** By position, topics that are alternatives, without leading zeros; empty = any. */
  topics: readonly (readonly Buffer[])[];
  /** Of the transaction: 32 bytes, or all 48 of a hash of this ledger. null = of any. */
  transactionHash: Buffer | null;
  order: 'asc' | 'desc';
  limit: number;
};

/** The next page begins after a time and position. */
export type ListedLogPage = Page<ListedContractLog, readonly [bigint, bigint]>;

export function createContractLogs({ db }: { db: Database }) {
  return {
    async list(query: ContractLogsQuery): Promise<ListedLogPage> {
      const { contractId, index, transactionHash, order, limit } = query;
      let timestamp = withinClock(query.timestamp);
      if (isEmptyRange(timestamp)) return emptyPage;
      if (transactionHash) {
        const time = await selectTransactionTime(db, transactionHash, { timestamp, order });
        if (time === null) return emptyPage;
        timestamp = { from: null, to: null, equals: [time], notEquals: [] };
      }
      const topics = query.topics.map((alternatives) => alternatives.flatMap(toStoredForms));
      const keys = { primary: timestamp, secondary: index };
      const rows = await selectContractLogs(db, { contractId, keys, topics, order, limit });
      return toPage(rows.map(toListedLog), limit, (last) => [last.consensusTimestamp, BigInt(last.index)] as const);
    },
  };
}

/** A topic of 32 zero bytes is kept as one, or (of logs that no contract emitted) as none. */
function toStoredForms(topic: Buffer): Buffer[] {
  return topic.length === 0 ? [topic, Buffer.alloc(1)] : [topic];
}
