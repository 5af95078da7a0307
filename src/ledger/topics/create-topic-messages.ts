// Queries about messages of topics.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { toEntityIdOrNone } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import {
  selectNewTopicMessages,
  selectTopicMessage,
  selectTopicMessageByTime,
  selectTopicMessages,
  type TopicMessageRow,
  type TopicMessagesFilter,
} from '../../../packages/store/read/select-topic-messages.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import { askPage, whereEvery } from '../question/page.ts';

/** `chunkInfo`: null if the message is not part of a longer one. */
export type TopicMessage = TopicMessageRow & { chunkInfo: MessageChunk | null; runningHashVersion: number };

type MessageChunk = { number: number; total: number | null; initialTransactionId: InitialTransactionId };

/** Of the transaction that submitted the first chunk. `nonce` and `scheduled`: null if they were not stored. */
type InitialTransactionId = {
  accountId: bigint | null;
  nonce: number | null;
  scheduled: boolean | null;
  /** ns */
  transactionValidStart: bigint | null;
};

export function createTopicMessages({ db }: { db: Database }) {
  return {
    /** By consensus time. Every condition must hold. */
    list: (query: TopicMessagesFilter) =>
      askPage(
        whereEvery(query, ['sequenceNumber', 'timestamp']),
        async (filter) => (await selectTopicMessages(db, filter)).map(toTopicMessage),
        (last) => last.consensusTimestamp,
      ),
    /** Of any of the topics, by consensus time. */
    async listNew(topicIds: readonly bigint[], span: { after: bigint; to: bigint; limit: number }) {
      return (await selectNewTopicMessages(db, topicIds, span)).map(toTopicMessage);
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

/** For a row without version: the importer omits the newest one. */
const newestRunningHashVersion = 3;

function toTopicMessage(row: TopicMessageRow): TopicMessage {
  const { chunkNum: number, chunkTotal: total } = row;
  return {
    ...row,
    chunkInfo: number === null ? null : { number, total, initialTransactionId: toInitialTransactionId(row) },
    runningHashVersion: row.runningHashVersion ?? newestRunningHashVersion,
  };
}

/** Rows of older importers have only payer and valid start. */
function toInitialTransactionId(row: TopicMessageRow): InitialTransactionId {
  const id = row.initialTransactionId && readTransactionId(row.initialTransactionId);
  if (!id) {
    const { payerAccountId: accountId, validStartTimestamp: transactionValidStart } = row;
    return { accountId, nonce: null, scheduled: null, transactionValidStart };
  }
  const start = id.transactionValidStart;
  return {
    accountId: toEntityIdOrNone(id.accountID),
    nonce: id.nonce ?? 0,
    scheduled: id.scheduled ?? false,
    transactionValidStart: start ? toBigInt(start.seconds) * 1_000_000_000n + BigInt(start.nanos ?? 0) : null,
  };
}

/** null if the bytes, which a client wrote, are no such message. */
export function readTransactionId(bytes: Buffer): proto.TransactionID | null {
  try {
    return proto.TransactionID.decode(bytes);
  } catch {
    return null;
  }
}
