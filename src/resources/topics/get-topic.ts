// GET topics/{id}: a topic with its keys and the cost of messages.

import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { ignored } from '../../api/reading/query/ignored.ts';
import { idInPath } from '../../api/reading/value/entity-id.ts';
import { boolean, entityId, int64, key, seconds, text, timestamp } from '../../api/values/kinds.ts';
import { array, members, nullable } from '../../api/values/members.ts';
import { validity } from '../../api/values/validity.ts';
import type { TopicPart } from '../../ledger/topics/create-topics.ts';

/** Java's sentences. */
const missing: Readonly<Record<TopicPart, string>> = {
  topic: 'Topic not found',
  entity: 'Entity not found',
  customFee: 'Custom fee for entity not found',
};

const fixedFee = members(
  { amount: nullable(int64), collector_account_id: entityId, denominating_token_id: entityId },
  { name: 'TopicFee', description: 'In tinybar where no token denominates it.' },
);

export const getTopic = endpoint({
  path: '/api/v1/topics/{id}',
  id: 'getTopic',
  tag: 'Topics',
  summary: 'A topic with its keys and what messages to it cost',
  peer: { java: 'arguments' },
  in: { id: idInPath({ form: 'number', kind: 'topic', refusedAs: 'topic.id', description: 'Id of the topic.' }) },
  query: { _: ignored('Some clients add the time, against caches.') },
  async ask({ path }, { ledger }) {
    const found = await ledger.topics.find(path.id);
    if ('missing' in found) throw refuse('notFound', { sentence: missing[found.missing] });
    return found;
  },
  answer: members(
    {
      admin_key: key,
      auto_renew_account: entityId,
      auto_renew_period: nullable(seconds),
      created_timestamp: nullable(timestamp),
      custom_fees: members({ created_timestamp: timestamp, fixed_fees: array(fixedFee) }, { name: 'TopicFees' }),
      deleted: nullable(boolean),
      fee_exempt_key_list: array(key),
      fee_schedule_key: key,
      memo: text,
      submit_key: key,
      timestamp: validity,
      topic_id: entityId,
    },
    { name: 'Topic' },
  ),
  fresh: 5,
  example: { text: 'a topic', find: ({ topicId }) => topicId, missing: 'no topic has been created yet' },
});
