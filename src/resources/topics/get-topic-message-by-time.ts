// GET topics/messages/{timestamp}: the message that was submitted then, of any topic. It takes no query at all, which
// is validated before the path.

import { endpoint, legacyReading } from '../../api/endpoint/endpoint.ts';
import { textInPath } from '../../api/reading/value/text-in-path.ts';
import { timestampText } from '../../api/reading/value/text-kinds.ts';
import { formatTimestamp } from '../../api/values/json-text.ts';
import { topicMessageKind } from './topic-message-members.ts';

export const getTopicMessageByTime = endpoint({
  path: '/api/v1/topics/messages/{timestamp}',
  id: 'getTopicMessageByTime',
  tag: 'Topics',
  summary: 'A message by its consensus time',
  in: {
    timestamp: textInPath(timestampText, {
      refusedAs: 'consensus_timestamp',
      description: 'Consensus time of the message.',
      example: '1586567700.453054000',
    }),
  },
  peer: legacyReading,
  ask: ({ path }, { ledger }) => ledger.topicMessages.findByTime(path.timestamp),
  answer: topicMessageKind,
  fresh: 600,
  settledBy: (_asked, message) => message.consensusTimestamp,
  example: {
    text: 'a message by its time',
    find: ({ topicMessage: message }) => message && formatTimestamp(message.consensusTimestamp),
    missing: 'no topic has a message yet',
  },
});
