// Logs of all contracts or of one, by time and index.
import { isEmptyRange } from '../../kit/range.ts';
import { type ContractLogsFilter, selectContractLogs } from '../../store/read/select-contract-logs.ts';
import { selectTransactionTime } from '../../store/read/select-transaction-time.ts';
import type { Database } from '../../store/wire/database.ts';
import { askPage, emptyPage } from '../question/page.ts';
import { withinClock } from '../question/within-clock.ts';

/** `topics`: by position, alternative topics without leading zeros; empty = any. */
export type ContractLogsQuery = ContractLogsFilter & {
  /** Of the transaction: 32 bytes, or all 48 of a hash of this ledger. null = of any. */
  transactionHash: Buffer | null;
};

export function createContractLogs({ db }: { db: Database }) {
  return {
    /** The next page begins after a time and position. */
    async list(query: ContractLogsQuery) {
      const { transactionHash, order } = query;
      let timestamp = withinClock(query.timestamp);
      if (isEmptyRange(timestamp)) return emptyPage;
      if (transactionHash) {
        const time = await selectTransactionTime(db, transactionHash, { timestamp, order });
        if (time === null) return emptyPage;
        timestamp = { from: null, to: null, equals: [time], notEquals: [] };
      }
      const topics = query.topics.map((alternatives) => alternatives.flatMap(toStoredForms));
      return askPage(
        { ...query, timestamp, topics },
        (filter) => selectContractLogs(db, filter),
        (last) => [last.consensusTimestamp, BigInt(last.index)] as const,
      );
    },
  };
}

/** A topic of 32 zero bytes is stored as one, or (in logs that no contract emitted) as none. */
function toStoredForms(topic: Buffer): Buffer[] {
  return topic.length === 0 ? [topic, Buffer.alloc(1)] : [topic];
}
