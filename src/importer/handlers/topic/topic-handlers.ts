import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import type { Row } from '../../../../packages/schema/tables.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { FamilyHandlers } from '../../block/transaction-handler.ts';
import { customFeeRow } from '../../columns/custom-fee-row.ts';
import { addCreatedEntity, addUpdatedEntity, deletion } from '../../columns/entity-change.ts';
import { autoRenewAccount, keyBytes, keyColumns } from '../../columns/entity-columns.ts';
import { changedText, emptyBytes, secondsOf, timestampOf, toStoredText } from '../../columns/stored-values.ts';

export const topicHandlers: FamilyHandlers<'topic'> = {
  consensusCreateTopic: {
    entityId: (_body, { record }) => toEntityId(record.receipt?.topicID),
    onEntity: (body, item, context) => {
      addCreatedEntity(item, context, 'TOPIC', {
        ...keyColumns(body.adminKey),
        auto_renew_account_id: autoRenewAccount(item, context, body.autoRenewAccount),
        auto_renew_period: secondsOf(body.autoRenewPeriod),
        memo: toStoredText(body.memo ?? ''),
      });
      context.rows.version('topic', {
        ...topicVersion(item, body, { keys: body.feeExemptKeyList }),
        created_timestamp: item.consensusTimestamp,
      });
      context.rows.version('custom_fee', customFeeRow(item, item.entityId, body.customFees ?? [], context));
    },
  },
  // Only what the body sets changes; an empty key list removes a key and is stored as it came.
  consensusUpdateTopic: {
    entityId: ({ topicID }) => toEntityId(topicID),
    onEntity: (body, item, context) => {
      addUpdatedEntity(item, context, 'TOPIC', {
        ...keyColumns(body.adminKey),
        auto_renew_account_id: autoRenewAccount(item, context, body.autoRenewAccount),
        auto_renew_period: secondsOf(body.autoRenewPeriod),
        expiration_timestamp: timestampOf(body.expirationTime),
        memo: changedText(body.memo),
      });
      context.rows.version('topic', topicVersion(item, body, body.feeExemptKeyList));
      if (body.customFees) {
        context.rows.version('custom_fee', customFeeRow(item, item.entityId, body.customFees.fees ?? [], context));
      }
    },
  },
  consensusDeleteTopic: deletion('TOPIC', ({ topicID }) => toEntityId(topicID)),
  // One message with its sequence number and running hash from the receipt.
  consensusSubmitMessage: {
    entityId: ({ topicID }) => toEntityId(topicID),
    onEntity: ({ chunkInfo, message }, item, { rows }) => {
      const { receipt } = item.record;
      // A block stream that does not say it: there is no place for the message.
      if (receipt?.topicSequenceNumber === null) return;
      const initialId = chunkInfo?.initialTransactionID;
      rows.insert('topic_message', {
        chunk_num: chunkInfo ? (chunkInfo.number ?? 0) : null,
        chunk_total: chunkInfo ? (chunkInfo.total ?? 0) : null,
        consensus_timestamp: item.consensusTimestamp,
        initial_transaction_id: initialId ? proto.TransactionID.encode(initialId).finish() : null,
        message: message ?? emptyBytes,
        payer_account_id: item.payerAccountId,
        running_hash: receipt?.topicRunningHash ?? emptyBytes,
        running_hash_version: storedHashVersion(toBigInt(receipt?.topicRunningHashVersion)),
        sequence_number: toBigInt(receipt?.topicSequenceNumber),
        topic_id: item.entityId,
        valid_start_timestamp: timestampOf(item.body.transactionID?.transactionValidStart),
      });
    },
  },
};

type TopicKeys = Pick<proto.IConsensusCreateTopicTransactionBody, 'adminKey' | 'feeScheduleKey' | 'submitKey'>;

function topicVersion(
  item: BlockItem,
  { adminKey, feeScheduleKey, submitKey }: TopicKeys,
  feeExempt: proto.IFeeExemptKeyList | null | undefined,
): Row<'topic'> {
  return {
    admin_key: keyBytes(adminKey),
    fee_exempt_key_list: feeExempt ? proto.FeeExemptKeyList.encode(feeExempt).finish() : null,
    fee_schedule_key: keyBytes(feeScheduleKey),
    id: item.entityId,
    submit_key: keyBytes(submitKey),
    timestamp_range: { from: item.consensusTimestamp, to: null },
  };
}

/** Version 3, that of nearly all messages, is stored as NULL; receipts of the first months have 0 for 1. */
function storedHashVersion(version: bigint): number | null {
  if (version === 3n) return null;
  return version === 0n ? 1 : Number(version);
}
