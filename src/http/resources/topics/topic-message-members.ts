// A message of a topic as an answer, or as an item of a list.
import { Type } from '@sinclair/typebox';
import type { MessageChunk, TopicMessage } from '../../../ledger/topics/create-topic-messages.ts';
import { asBuffer, toJsonString } from '../../values/json-text.ts';
import { type Kind, oneOfKinds } from '../../values/kind.ts';
import { base64, boolean, entityId, int32, int64, timestamp } from '../../values/kinds.ts';
import { type Members, members, nullable, value } from '../../values/members.ts';

const initialTransactionId = members<MessageChunk['initialTransaction']>({
  account_id: value(entityId, ({ accountId }) => accountId),
  nonce: nullable(int32, ({ nonce }) => nonce),
  scheduled: nullable(boolean, ({ scheduled }) => scheduled),
  transaction_valid_start: nullable(timestamp, ({ validStart }) => validStart),
});

const chunkInfo = members<MessageChunk>(
  {
    initial_transaction_id: value(initialTransactionId, ({ initialTransaction }) => initialTransaction),
    number: value(int32, ({ number }) => number),
    total: nullable(int32, ({ total }) => total),
  },
  { description: 'Which part of a longer message this is.' },
);

const utf8: Kind<Uint8Array> = {
  schema: Type.String({ description: 'As UTF-8, where that was asked for.' }),
  write: (bytes) => toJsonString(asBuffer(bytes).toString('utf8')),
};

function createMessageKind<M extends TopicMessage>(name: string, message: Kind<M>): Members<M> {
  return members<M>(
    {
      chunk_info: nullable(chunkInfo, ({ chunk }) => chunk),
      consensus_timestamp: value(timestamp, ({ consensusTimestamp }) => consensusTimestamp),
      message: value(message, (source) => source),
      payer_account_id: value(entityId, ({ payerAccountId }) => payerAccountId),
      running_hash: nullable(base64, ({ runningHash }) => runningHash),
      running_hash_version: value(int32, ({ runningHashVersion }) => runningHashVersion),
      sequence_number: value(int64, ({ sequenceNumber }) => sequenceNumber),
      topic_id: value(entityId, ({ topicId }) => topicId),
    },
    { name },
  );
}

export const topicMessageKind = createMessageKind<TopicMessage>('TopicMessage', {
  schema: base64.schema,
  write: ({ message }) => base64.write(message),
});

export type MessageEncoding = 'base64' | 'utf8';

/** A message that is shown as the client wants it. */
export type EncodedTopicMessage = TopicMessage & { encoding: MessageEncoding };

const kinds: Readonly<Record<MessageEncoding, Kind<Uint8Array>>> = { base64, utf8 };

export const encodedTopicMessageKind = createMessageKind(
  'EncodedTopicMessage',
  oneOfKinds<EncodedTopicMessage>([base64, utf8], ({ encoding, message }) => kinds[encoding].write(message)),
);
