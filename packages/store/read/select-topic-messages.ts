// Messages of topics: a page of one topic's by time, or one by its number or its consensus time.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { selectOne } from './select-one.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { everyColumn, type RowOf } from './statement/columns.ts';
import { toRangePart } from './statement/statement-parts.ts';

export type TopicMessageRow = RowOf<typeof messageRow>;

export type TopicMessagesFilter = PageFilter & { topicId: bigint; sequenceNumber: Range; timestamp: Range };

export function selectTopicMessages(
  db: Database,
  { topicId, sequenceNumber, timestamp, ...page }: TopicMessagesFilter,
): Promise<TopicMessageRow[]> {
  const values: unknown[] = [topicId];
  const sequence = toRangePart(sequenceNumber, values);
  const ofTopic = `topic_id = $1${sequence.sql('sequence_number')}`;
  const edge = (side: 'asc' | 'desc'): string =>
    `(select consensus_timestamp from topic_message where ${ofTopic} order by sequence_number ${side} limit 1)`;
  // Numbers grow with time: a bound on them becomes one on time, found by one probe. Without it PostgreSQL would scan
  // all messages up to there.
  const after = sequenceNumber.from === null ? '' : ` and consensus_timestamp >= ${edge('asc')}`;
  const before = sequenceNumber.to === null ? '' : ` and consensus_timestamp <= ${edge('desc')}`;
  return selectPage(db, page, {
    name: 'select-topic-messages',
    shape: sequence.code,
    select: messageRow,
    from: `topic_message where ${ofTopic}${after}${before}`,
    values,
    keys: { consensus_timestamp: timestamp },
  });
}

/** Of any of the topics, by consensus time (ns): after `after`, up to `to`, at most `limit`. */
export function selectNewTopicMessages(
  db: Database,
  topicIds: readonly bigint[],
  { after, to, limit }: { after: bigint; to: bigint; limit: number },
): Promise<TopicMessageRow[]> {
  const query = {
    name: 'select-new-topic-messages',
    select: messageRow,
    from: 'topic_message where topic_id = any($1::int8[])',
    values: [topicIds],
    keys: { consensus_timestamp: { from: after + 1n, to, equals: [], notEquals: [] } },
  };
  return selectPage(db, { order: 'asc', limit }, query);
}

export function selectTopicMessage(
  db: Database,
  { topicId, sequenceNumber }: { topicId: bigint; sequenceNumber: bigint },
): Promise<TopicMessageRow | null> {
  return selectOne(db, {
    name: 'select-topic-message',
    select: messageRow,
    from: 'from topic_message where topic_id = $1 and sequence_number = $2 limit 1',
    values: [topicId, sequenceNumber],
  });
}

/** Only messages of successful transactions. */
export function selectTopicMessageByTime(db: Database, consensusTimestamp: bigint): Promise<TopicMessageRow | null> {
  return selectOne(db, {
    name: 'select-topic-message-by-time',
    select: messageRow,
    // In a foreign database a message is found only through its topic: the table's own key is no index there.
    from: `from topic_message
where consensus_timestamp = $1
  and topic_id = (
    select entity_id from transaction
    where consensus_timestamp = $1 and result = ${responseCode.SUCCESS} and type = ${typeNumber.consensusSubmitMessage}
    limit 1
  )
limit 1`,
    values: [consensusTimestamp],
  });
}

const messageRow = everyColumn('topic_message');
