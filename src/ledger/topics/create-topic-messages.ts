// The questions about messages of topics.
import { everyCondition, isEmptyRange, type Range } from '../../kit/range.ts';
import { toEntityIdOrNone } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import {
  selectTopicMessage,
  selectTopicMessageByTime,
  selectTopicMessages,
  type TopicMessageRow,
} from '../../store/read/select-topic-messages.ts';
import { latestMoment } from '../../store/read/statement-parts.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';

export type TopicMessage = {
  /** null where the message is no part of a longer one. */
  chunk: MessageChunk | null;
  consensusTimestamp: bigint;
  message: Buffer;
  payerAccountId: bigint | null;
  runningHash: Buffer | null;
  runningHashVersion: number;
  sequenceNumber: bigint;
  topicId: bigint;
};

export type MessageChunk = {
  number: number;
  total: number | null;
  /** The transaction that submitted the first chunk. */
  initialTransaction: {
    accountId: bigint | null;
    /** null where it was not stored, as is `scheduled`. */
    nonce: number | null;
    scheduled: boolean | null;
    /** ns */
    validStart: bigint | null;
  };
};

/** Every condition must hold. */
export type TopicMessagesQuery = {
  topicId: bigint;
  sequenceNumber: Range;
  /** Consensus time, ns. */
  timestamp: Range;
  order: 'asc' | 'desc';
  limit: number;
};

export function createTopicMessages({ db }: { db: Database }) {
  return {
    /** By consensus time. */
    async list({ topicId, order, limit, ...query }: TopicMessagesQuery): Promise<Page<TopicMessage>> {
      const sequenceNumber = everyCondition(query.sequenceNumber);
      const timestamp = everyCondition(query.timestamp);
      if (isEmptyRange(sequenceNumber) || isEmptyRange(timestamp)) return emptyPage;
      const rows = await selectTopicMessages(db, { topicId, sequenceNumber, timestamp, order, limit });
      return toPage(rows.map(toTopicMessage), limit, (last) => last.consensusTimestamp);
    },
    async find(topicId: bigint, sequenceNumber: bigint): Promise<TopicMessage | null> {
      const row = await selectTopicMessage(db, { topicId, sequenceNumber });
      return row && toTopicMessage(row);
    },
    /** `consensusTimestamp`: ns. */
    async findByTime(consensusTimestamp: bigint): Promise<TopicMessage | null> {
      if (consensusTimestamp > latestMoment) return null;
      const row = await selectTopicMessageByTime(db, consensusTimestamp);
      return row && toTopicMessage(row);
    },
  };
}

/** Where a row says no version: the importer leaves the newest one out. */
const newestRunningHashVersion = 3;

function toTopicMessage(row: TopicMessageRow): TopicMessage {
  return {
    chunk: toChunk(row),
    consensusTimestamp: row.consensusTimestamp,
    message: row.message,
    payerAccountId: row.payerAccountId,
    runningHash: row.runningHash,
    runningHashVersion: row.runningHashVersion ?? newestRunningHashVersion,
    sequenceNumber: row.sequenceNumber,
    topicId: row.topicId,
  };
}

function toChunk(row: TopicMessageRow): MessageChunk | null {
  if (row.chunkNum === null) return null;
  return { number: row.chunkNum, total: row.chunkTotal, initialTransaction: toInitialTransaction(row) };
}

/** Rows of older importers say payer and valid start only. */
function toInitialTransaction(row: TopicMessageRow): MessageChunk['initialTransaction'] {
  const id = row.initialTransactionId && readTransactionId(row.initialTransactionId);
  if (!id) {
    return { accountId: row.payerAccountId, nonce: null, scheduled: null, validStart: row.validStartTimestamp };
  }
  const start = id.transactionValidStart;
  return {
    accountId: toEntityIdOrNone(id.accountID),
    nonce: id.nonce ?? 0,
    scheduled: id.scheduled ?? false,
    validStart: start ? toBigInt(start.seconds) * 1_000_000_000n + BigInt(start.nanos ?? 0) : null,
  };
}

/** null where the bytes, which a client wrote, are no such message. */
function readTransactionId(bytes: Buffer): proto.TransactionID | null {
  try {
    return proto.TransactionID.decode(bytes);
  } catch {
    return null;
  }
}
