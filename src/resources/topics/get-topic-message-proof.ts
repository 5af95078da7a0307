// GET topics/{topicId}/messages/{sequenceNumber}/proof: what shows to a client that trusts no other party that a
// message is in a topic.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { handOver } from '../../api/endpoint/hand-over.ts';
import { itemProofParameters, toProofWish } from '../../api/reading/value/proof-parameters.ts';
import { proofDocumentKind } from '../../api/values/proof-document.ts';
import { sequenceNumberInPath, topicInPath, toTopicId } from './topic-path.ts';

export const getTopicMessageProof = endpoint({
  path: '/api/v1/topics/{topicId}/messages/{sequenceNumber}/proof',
  id: 'getTopicMessageProof',
  tag: 'Topics',
  summary: 'A proof that a message is in the ledger',
  description:
    'The transaction that submitted it, and its result. Of block streams with its state changes, among which is the topic with the number of the message.',
  in: {
    topicId: topicInPath,
    sequenceNumber: sequenceNumberInPath,
  },
  query: itemProofParameters,
  peer: { namesAllInPath: true },
  own: true,
  mayLack: true,
  async ask({ path, query }, { ledger }) {
    const message = await ledger.topicMessages.find(toTopicId(path.topicId), path.sequenceNumber);
    if (!message) return null;
    const thing = { of: 'topicMessage', timestamp: message.consensusTimestamp } as const;
    return handOver(ledger.proofs.ofTransaction(thing, toProofWish(query)));
  },
  answer: proofDocumentKind,
  fresh: 600,
  settledBy: (_asked, { settledBy }) => settledBy,
  example: {
    text: 'the proof of a message',
    find: ({ topicMessage: message }) => message && [message.topicId, message.sequenceNumber.toString()],
    missing: 'no topic has a message yet',
  },
});
