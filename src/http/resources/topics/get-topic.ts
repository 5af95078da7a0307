// GET topics/{id}: a topic with its keys and what messages cost.
import type { FixedFee } from '../../../ledger/tokens/custom-fees.ts';
import type { Topic, TopicPart } from '../../../ledger/topics/create-topics.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { ignored } from '../../reading/query/ignored.ts';
import { idInPath } from '../../reading/value/entity-id.ts';
import { boolean, entityId, int64, key, seconds, text, timestamp } from '../../values/kinds.ts';
import { array, members, nullable, value } from '../../values/members.ts';
import { validity } from '../../values/validity.ts';

/** As Java says it. */
const missing: Readonly<Record<TopicPart, string>> = {
  topic: 'Topic not found',
  entity: 'Entity not found',
  customFee: 'Custom fee for entity not found',
};

const fixedFee = members<FixedFee>(
  {
    amount: nullable(int64, (fee) => fee.amount),
    collector_account_id: value(entityId, (fee) => fee.collectorAccountId),
    denominating_token_id: value(entityId, (fee) => fee.denominatingTokenId),
  },
  { name: 'TopicFee', description: 'In tinybar where no token denominates it.' },
);

export const getTopic = endpoint({
  path: '/api/v1/topics/{id}',
  id: 'getTopic',
  tag: 'Topics',
  summary: 'A topic with its keys and what messages to it cost',
  java: 'arguments',
  in: { id: idInPath({ form: 'number', kind: 'topic', refusedAs: 'topic.id', description: 'Id of the topic.' }) },
  query: { _: ignored('Some clients add the time, against caches.') },
  async ask({ path }, { ledger }) {
    const found = await ledger.topics.find(path.id);
    if ('missing' in found) throw refuse('notFound', { sentence: missing[found.missing] });
    return found;
  },
  answer: members<Topic>(
    {
      admin_key: value(key, (topic) => topic.adminKey),
      auto_renew_account: value(entityId, (topic) => topic.autoRenewAccountId),
      auto_renew_period: nullable(seconds, (topic) => topic.autoRenewPeriod),
      created_timestamp: nullable(timestamp, (topic) => topic.createdTimestamp),
      custom_fees: value(
        members<Topic['customFees']>(
          {
            created_timestamp: value(timestamp, (fees) => fees.createdTimestamp),
            fixed_fees: array(fixedFee, (fees) => fees.fixedFees),
          },
          { name: 'TopicFees' },
        ),
        (topic) => topic.customFees,
      ),
      deleted: nullable(boolean, (topic) => topic.deleted),
      fee_exempt_key_list: array(key, (topic) => topic.feeExemptKeys),
      fee_schedule_key: value(key, (topic) => topic.feeScheduleKey),
      memo: value(text, (topic) => topic.memo),
      submit_key: value(key, (topic) => topic.submitKey),
      timestamp: value(validity, (topic) => topic.valid),
      topic_id: value(entityId, (topic) => topic.topicId),
    },
    { name: 'Topic' },
  ),
  fresh: 5,
  example: { text: 'a topic', find: ({ topicId }) => topicId, missing: 'no topic has been created yet' },
});
