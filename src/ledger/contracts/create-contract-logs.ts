// Logs of all contracts or of one, by time and index.

import { anyRange, isEmptyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type ContractLogsFilter,
  selectContractLogs,
  selectPlainLogs,
} from '../../../packages/store/read/select-contract-logs.ts';
import { askPage, emptyPage, type Page } from '../question/page.ts';
import { withinClock } from '../question/within-clock.ts';

/** `topics`: by position, alternative topics without leading zeros; empty = any. */
export type ContractLogsQuery = Omit<ContractLogsFilter, 'transaction'> & {
  /** Of the transaction: 32 bytes, or all 48 of a hash of this ledger. null = of any. */
  transactionHash: Buffer | null;
};

export function createContractLogs({ db }: { db: Database }) {
  return {
    /** The next page begins after a time and position. */
    list: logPages(db, selectContractLogs),
    /** The same without what JSON-RPC does not show. */
    listPlain: logPages(db, selectPlainLogs),
  };
}

function logPages<Row extends { consensusTimestamp: bigint; index: number }>(
  db: Database,
  selectLogs: (db: Database, filter: ContractLogsFilter) => Promise<Row[]>,
) {
  return async ({ transactionHash, ...query }: ContractLogsQuery): Promise<Page<Row, readonly [bigint, bigint]>> => {
    const { order } = query;
    const timestamp = withinClock(query.timestamp);
    if (isEmptyRange(timestamp)) return emptyPage;
    const topics = query.topics.map((alternatives) => alternatives.flatMap(toStoredForms));
    // The times say which of several transactions is meant; a bound on the position then holds at its time.
    const place = transactionHash
      ? { transaction: { hash: transactionHash, timestamp, order }, timestamp: anyRange }
      : { transaction: null, timestamp };
    const select = (filter: ContractLogsFilter) =>
      db.isDistributed && transactionHash ? db.snapshot((own) => selectLogs(own, filter)) : selectLogs(db, filter);
    return askPage(
      { ...query, ...place, topics },
      select,
      (last) => [last.consensusTimestamp, BigInt(last.index)] as const,
    );
  };
}

/** A topic of 32 zero bytes is stored as one, or (in logs that no contract emitted) as none. */
function toStoredForms(topic: Buffer): Buffer[] {
  return topic.length === 0 ? [topic, Buffer.alloc(1)] : [topic];
}
