import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { typeNumber } from '../../../../packages/protocol/hapi/transaction-types.ts';
import { findWireBytes } from '../../../../packages/protocol/wire-fields.ts';
import { splitTransaction } from '../../../../packages/streams/record-stream/split-transaction.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { ItemContext } from '../../block/item-context.ts';
import type { FamilyHandlers } from '../../block/transaction-handler.ts';
import { addCreatedEntity, deletion } from '../../columns/entity-change.ts';
import { keyColumns } from '../../columns/entity-columns.ts';
import { emptyBytes, timestampOf, toStoredText } from '../../columns/stored-values.ts';
import { evmSender } from '../../evm/block-evm.ts';

export const scheduleHandlers: FamilyHandlers<'schedule'> = {
  scheduleCreate: {
    entityId: (_body, { record }) => toEntityId(record.receipt?.scheduleID),
    onEntity: (body, item, context) => {
      const creator = creatorOf(item, context);
      const memo = toStoredText(body.memo ?? '');
      addCreatedEntity(item, context, 'SCHEDULE', { ...keyColumns(body.adminKey), memo });
      context.rows.upsert('schedule', {
        consensus_timestamp: item.consensusTimestamp,
        creator_account_id: creator,
        expiration_time: timestampOf(body.expirationTime),
        payer_account_id: body.payerAccountID ? context.lookup.account(body.payerAccountID) : creator,
        schedule_id: item.entityId,
        transaction_body: scheduledBody(item) ?? emptyBytes,
        wait_for_expiry: body.waitForExpiry ?? false,
      });
    },
  },
  scheduleDelete: deletion('SCHEDULE', ({ scheduleID }) => toEntityId(scheduleID)),
  // `addScheduleSignatures` stores its signatures.
  scheduleSign: { entityId: ({ scheduleID }) => toEntityId(scheduleID) },
};

/** A schedule created inside an Ethereum transaction belongs to its sender, not to the relay that paid. */
function creatorOf({ parent, payerAccountId }: BlockItem, context: ItemContext): bigint {
  const isByEthereum = parent?.type === typeNumber.ethereumTransaction;
  return (isByEthereum && evmSender(parent, context)) || payerAccountId;
}

/** TransactionBody.scheduleCreate.scheduledTransactionBody */
const scheduledBodyPath = [42, 1];

/** As in the stream, byte for byte: what will be executed, including unknown fields. */
function scheduledBody({ transactionBytes }: BlockItem): Buffer | null {
  let message: Buffer | null = splitTransaction(transactionBytes).bodyBytes;
  for (const field of scheduledBodyPath) message = message && findWireBytes(message, field);
  return message;
}
