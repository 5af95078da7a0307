// A message of a topic as an answer, or as an item of a list.

import { Type } from '@sinclair/typebox';
import { asBuffer, toJsonString } from '../../api/values/json-text.ts';
import { chosen, type Kind, oneOfKinds } from '../../api/values/kind.ts';
import { base64, boolean, entityId, int32, int64, timestamp } from '../../api/values/kinds.ts';
import { members, nullable } from '../../api/values/members.ts';
import { type Linked, pageOf } from '../../api/values/page-of.ts';
import type { Page } from '../../ledger/question/page.ts';
import type { TopicMessage } from '../../ledger/topics/create-topic-messages.ts';

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

function createMessageKind(name: string, message: Kind<Uint8Array>): Kind<TopicMessage> {
  const table = {
    chunk_info: nullable(chunkInfo),
    consensus_timestamp: timestamp,
    message,
    payer_account_id: entityId,
    running_hash: nullable(base64),
    running_hash_version: int32,
    sequence_number: int64,
    topic_id: entityId,
  };
  return members(table, { name });
}

export const topicMessageKind = createMessageKind('TopicMessage', base64);

export type MessageEncoding = 'base64' | 'utf8';

/** Messages in the requested encoding. */
type MessagePage = Page<TopicMessage> & { encoding: MessageEncoding };

function createPageKind({ write }: Kind<Uint8Array>): Kind<Linked<MessagePage>> {
  const message = createMessageKind('EncodedTopicMessage', oneOfKinds([base64, utf8], write));
  return pageOf<TopicMessage, MessagePage>('messages', message, 'TopicMessages');
}

export const topicMessagesKind = chosen(
  { base64: createPageKind(base64), utf8: createPageKind(utf8) },
  ({ encoding }: Linked<MessagePage>) => encoding,
);
