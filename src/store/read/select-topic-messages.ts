// Messages of topics: a page of one topic's in the order of time, or one by its number or its consensus time.
import type { Range } from '../../kit/range.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

export type TopicMessageRow = RowOf<typeof messageRow>;

export type TopicMessagesFilter = {
  topicId: bigint;
  sequenceNumber: Range;
  timestamp: Range;
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectTopicMessages(db: Database, filter: TopicMessagesFilter): Promise<TopicMessageRow[]> {
  const { topicId, sequenceNumber, order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [topicId];
  const time = toRangePart(filter.timestamp, values);
  const sequence = toRangePart(sequenceNumber, values);
  const edge = (side: 'asc' | 'desc'): string => `(
    select consensus_timestamp from topic_message where topic_id = $1${sequence.sql('sequence_number')}
    order by sequence_number ${side} limit 1
  )`;
  // Numbers grow with time: a bound on them is one on time, found by one probe. Without it PostgreSQL would go through all
  // messages up to there.
  const after = sequenceNumber.from === null ? '' : ` and consensus_timestamp >= ${edge('asc')}`;
  const before = sequenceNumber.to === null ? '' : ` and consensus_timestamp <= ${edge('desc')}`;
  const query = selectQuery({
    name: 'select-topic-messages',
    shape: `${order}${limit}-${time.code}-${sequence.code}`,
    select: messageRow,
    from: `from topic_message
where topic_id = $1${time.sql('consensus_timestamp')}${sequence.sql('sequence_number')}${after}${before}
order by consensus_timestamp ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

export async function selectTopicMessage(
  db: Database,
  { topicId, sequenceNumber }: { topicId: bigint; sequenceNumber: bigint },
): Promise<TopicMessageRow | null> {
  const query = selectQuery({
    name: 'select-topic-message',
    select: messageRow,
    from: 'from topic_message where topic_id = $1 and sequence_number = $2 limit 1',
    values: [topicId, sequenceNumber],
  });
  return (await db.query(query))[0] ?? null;
}

/** Only what a transaction submitted that succeeded. */
export async function selectTopicMessageByTime(
  db: Database,
  consensusTimestamp: bigint,
): Promise<TopicMessageRow | null> {
  const query = selectQuery({
    name: 'select-topic-message-by-time',
    select: messageRow,
    // A message of a foreign database is found through its topic only: the table's own key is no index there.
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
  return (await db.query(query))[0] ?? null;
}

const messageRow = columns('topic_message', [
  'chunk_num',
  'chunk_total',
  'consensus_timestamp',
  'initial_transaction_id',
  'message',
  'payer_account_id',
  'running_hash',
  'running_hash_version',
  'sequence_number',
  'topic_id',
  'valid_start_timestamp',
]);
