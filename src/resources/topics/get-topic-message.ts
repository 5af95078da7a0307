// GET topics/{topicId}/messages/{sequenceNumber}: one message. It takes no query at all, which is validated before the
// path.
import { endpoint, legacyReading } from '../../api/endpoint/endpoint.ts';
import { topicMessageKind } from './topic-message-members.ts';
import { sequenceNumberInPath, topicInPath, toTopicId } from './topic-path.ts';

export const getTopicMessage = endpoint({
  path: '/api/v1/topics/{topicId}/messages/{sequenceNumber}',
  id: 'getTopicMessage',
  tag: 'Topics',
  summary: 'A message of a topic by its number',
  in: {
    topicId: topicInPath,
    sequenceNumber: sequenceNumberInPath,
  },
  peer: { ...legacyReading, namesAllInPath: true },
  ask: ({ path }, { ledger }) => ledger.topicMessages.find(toTopicId(path.topicId), path.sequenceNumber),
  answer: topicMessageKind,
  fresh: 600,
  settledBy: (_asked, message) => message.consensusTimestamp,
  example: {
    text: 'a message of a topic',
    find: ({ topicMessage: message }) => message && [message.topicId, message.sequenceNumber.toString()],
    missing: 'no topic has a message yet',
  },
});
