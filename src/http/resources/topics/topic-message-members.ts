// A message of a topic as an answer, or as an item of a list.
import { Type } from '@sinclair/typebox';
import type { TopicMessage } from '../../../ledger/topics/create-topic-messages.ts';
import { asBuffer, toJsonString } from '../../values/json-text.ts';
import { type Kind, oneOfKinds } from '../../values/kind.ts';
import { base64, boolean, entityId, int32, int64, timestamp } from '../../values/kinds.ts';
import { members, nullable, part } from '../../values/members.ts';

const initialTransactionId = members({
  account_id: entityId,
  nonce: nullable(int32),
  scheduled: nullable(boolean),
  transaction_valid_start: nullable(timestamp),
});

const chunkInfo = members(
  { initial_transaction_id: initialTransactionId, number: int32, total: nullable(int32) },
  { description: 'Which part of a longer message this is.' },
);

const utf8: Kind<Uint8Array> = {
  schema: Type.String({ description: 'As UTF-8, where that was asked for.' }),
  write: (bytes) => toJsonString(asBuffer(bytes).toString('utf8')),
};

function createMessageKind<M extends TopicMessage>(name: string, message: Kind<M>): Kind<M> {
  const table = {
    chunk_info: nullable(chunkInfo),
    consensus_timestamp: timestamp,
    message: part(message),
    payer_account_id: entityId,
    running_hash: nullable(base64),
    running_hash_version: int32,
    sequence_number: int64,
    topic_id: entityId,
  };
  return members(table, { name });
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
