// ConsensusSubmitMessage: one message with its place in the topic, as the receipt says it.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { emptyBytes } from '../../evm/contract-facts.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const topicSubmitMessage: TransactionHandler = {
  bodyField: 'consensusSubmitMessage',
  entityId: (item) => toEntityId(item.body.consensusSubmitMessage?.topicID),
  onSuccess(item, context) {
    const body = item.body.consensusSubmitMessage;
    if (!body || item.entityId === 0n) return;
    const { receipt } = item.record;
    const validStart = item.body.transactionID?.transactionValidStart;
    const initialTransactionId = body.chunkInfo?.initialTransactionID;
    context.rows.insert('topic_message', {
      chunk_num: body.chunkInfo ? (body.chunkInfo.number ?? 0) : null,
      chunk_total: body.chunkInfo ? (body.chunkInfo.total ?? 0) : null,
      consensus_timestamp: item.consensusTimestamp,
      initial_transaction_id: initialTransactionId ? proto.TransactionID.encode(initialTransactionId).finish() : null,
      message: body.message ?? emptyBytes,
      payer_account_id: item.payerAccountId,
      running_hash: receipt?.topicRunningHash ?? emptyBytes,
      running_hash_version: storedHashVersion(toBigInt(receipt?.topicRunningHashVersion)),
      sequence_number: toBigInt(receipt?.topicSequenceNumber),
      topic_id: item.entityId,
      valid_start_timestamp: validStart ? toTimestamp(validStart) : null,
    });
  },
};

/** Version 3, the one of nearly all messages, is kept as NULL; receipts of the first months say 0 for 1. */
function storedHashVersion(version: bigint): number | null {
  if (version === 3n) return null;
  return version === 0n ? 1 : Number(version);
}
