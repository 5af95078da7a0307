// GET topics/{topicId}/messages: a page of a topic's messages, by consensus time.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { pageSettledBy } from '../../api/reading/page/page-settled-by.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import { sequenceNumberText, timestampText } from '../../api/reading/value/text-kinds.ts';
import { messageEncoding } from './message-encoding.ts';
import { topicMessagesKind } from './topic-message-members.ts';
import { topicInPath, toTopicId } from './topic-path.ts';

export const listTopicMessages = endpoint({
  path: '/api/v1/topics/{topicId}/messages',
  id: 'listTopicMessages',
  tag: 'Topics',
  summary: 'Messages of a topic',
  description: 'Also empty if there is no such topic.',
  in: { topicId: topicInPath },
  query: {
    encoding: messageEncoding,
    ...page({ order: 'asc', by: 'consensus timestamp' }),
    sequencenumber: range(sequenceNumberText, `Number of the message in its topic. ${allHold}`),
    timestamp: range(timestampText, `Consensus time or bound. ${allHold}`),
  },
  async ask({ path, query }, { ledger }) {
    const topicId = toTopicId(path.topicId);
    const found = await ledger.topicMessages.list({ ...query, topicId, sequenceNumber: query.sequencenumber });
    return { ...found, encoding: query.encoding };
  },
  next: ['timestamp'],
  answer: topicMessagesKind,
  fresh: 1,
  settledBy: ({ query }, found) => pageSettledBy(query, found, (message) => message.consensusTimestamp),
  example: {
    text: 'the messages of a topic',
    find: ({ topicMessage: message }) => message?.topicId ?? null,
    missing: 'no topic has a message yet',
  },
});
