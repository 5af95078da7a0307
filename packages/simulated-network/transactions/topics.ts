// Topics and messages. The running hash of a topic chains its messages (SHA-384 over the parts that version 3 names;
// consensus nodes serialize them differently).
import { createHash } from 'node:crypto';
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { nsPerSecond, toLong, topicId } from '../ledger/hapi-values.ts';
import type { Topic } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { pay } from './custom-fees.ts';
import { assertSigned, type Execution, livingAccount, reject } from './execution.ts';

export function createTopic(x: Execution, data: proto.IConsensusCreateTopicTransactionBody): void {
  const adminKey = data.adminKey ? encodeKey(data.adminKey) : null;
  if (adminKey) assertSigned(x, adminKey);
  const id = x.ledger.take('nextEntity');
  x.ledger.put('topics', id, {
    id,
    sequence: 0n,
    runningHash: new Uint8Array(48),
    adminKey,
    submitKey: data.submitKey ? encodeKey(data.submitKey) : null,
    customFees: (data.customFees ?? []).map((fee) => ({
      amount: toBigInt(fee.fixedFee?.amount),
      token: fee.fixedFee?.denominatingTokenId ? toEntityId(fee.fixedFee.denominatingTokenId) : null,
      collector: livingAccount(x, toEntityId(fee.feeCollectorAccountId), 'INVALID_CUSTOM_FEE_COLLECTOR').id,
    })),
    deleted: false,
  });
  x.outcome.receipt.topicID = topicId(id);
}

export function updateTopic(x: Execution, data: proto.IConsensusUpdateTopicTransactionBody): void {
  const topic = livingTopic(x, data.topicID);
  if (!topic.adminKey) reject('UNAUTHORIZED');
  assertSigned(x, topic.adminKey);
  const changes: Partial<Topic> = {};
  if (data.adminKey) {
    changes.adminKey = encodeKey(data.adminKey);
    assertSigned(x, changes.adminKey);
  }
  if (data.submitKey) changes.submitKey = encodeKey(data.submitKey);
  x.ledger.change('topics', topic.id, changes);
  x.outcome.receipt.topicID = topicId(topic.id);
}

export function deleteTopic(x: Execution, data: proto.IConsensusDeleteTopicTransactionBody): void {
  const topic = livingTopic(x, data.topicID);
  if (!topic.adminKey) reject('UNAUTHORIZED');
  assertSigned(x, topic.adminKey);
  x.ledger.change('topics', topic.id, { deleted: true });
  x.outcome.receipt.topicID = topicId(topic.id);
}

export function submitMessage(x: Execution, data: proto.IConsensusSubmitMessageTransactionBody): void {
  const topic = livingTopic(x, data.topicID);
  if (topic.submitKey) assertSigned(x, topic.submitKey);
  const message = Buffer.from(data.message ?? []);
  if (message.length === 0) reject('INVALID_TOPIC_MESSAGE');
  if (message.length > 1024) reject('MESSAGE_SIZE_TOO_LARGE');
  for (const fee of topic.customFees) {
    if (fee.collector === x.payer) continue;
    const limits = x.maxCustomFees.flatMap((limit) => limit.fees ?? []);
    const limit = limits.find(
      ({ denominatingTokenId }) => (denominatingTokenId ? toEntityId(denominatingTokenId) : null) === fee.token,
    );
    if (limits.length > 0 && toBigInt(limit?.amount) < fee.amount) reject('MAX_CUSTOM_FEE_LIMIT_EXCEEDED');
    pay(x, x.payer, fee.collector, fee.amount, fee.token);
  }
  const sequence = topic.sequence + 1n;
  const runningHash = topicRunningHash(x, topic, sequence, message);
  x.ledger.change('topics', topic.id, { sequence, runningHash });
  x.outcome.receipt.topicSequenceNumber = toLong(sequence);
  x.outcome.receipt.topicRunningHash = runningHash;
  x.outcome.receipt.topicRunningHashVersion = toLong(3n);
}

function livingTopic(x: Execution, id: proto.ITopicID | null | undefined): Topic {
  const topic = x.ledger.tables.topics.get(toEntityId(id));
  if (!topic || topic.deleted) reject('INVALID_TOPIC_ID');
  return topic;
}

/** Previous hash, version 3, payer, topic, consensus time, sequence number, hash of the message: in that order. */
function topicRunningHash(x: Execution, topic: Topic, sequence: bigint, message: Buffer): Buffer {
  const fields = Buffer.alloc(8 * 8 + 4 + 8);
  const longs = [3n, 0n, 0n, x.payer, 0n, 0n, topic.id, x.consensusTimestamp / nsPerSecond];
  for (const [index, value] of longs.entries()) fields.writeBigInt64BE(value, index * 8);
  fields.writeInt32BE(Number(x.consensusTimestamp % nsPerSecond), 64);
  fields.writeBigInt64BE(sequence, 68);
  const messageHash = createHash('sha384').update(message).digest();
  return createHash('sha384').update(topic.runningHash).update(fields).update(messageHash).digest();
}
