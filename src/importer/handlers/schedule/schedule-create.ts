// ScheduleCreate: a transaction that waits for signatures, kept as the bytes that will be executed.

import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { typeNumber } from '../../../protocol/hapi/transaction-types.ts';
import { splitTransaction } from '../../../protocol/record-stream/split-transaction.ts';
import { contractFunctionResult, emptyBytes } from '../../evm/contract-facts.ts';
import { createdEntity } from '../../columns/entity-change.ts';
import { keyColumns } from '../../columns/key-columns.ts';
import { rawMessage } from '../../columns/raw-message.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { BlockItem, HandlerContext, TransactionHandler } from '../../block/item-context.ts';

export const scheduleCreate: TransactionHandler = {
  bodyField: 'scheduleCreate',
  entityId: (item) => toEntityId(item.record.receipt?.scheduleID),
  onSuccess(item, context) {
    const body = item.body.scheduleCreate;
    if (!body || item.entityId === 0n) return;
    const creator = creatorOf(item, context);
    context.rows.version(
      'entity',
      createdEntity(item, item.entityId, 'SCHEDULE', {
        ...keyColumns(body.adminKey),
        memo: toStoredText(body.memo ?? ''),
      }),
    );
    context.rows.upsert('schedule', {
      consensus_timestamp: item.consensusTimestamp,
      creator_account_id: creator,
      expiration_time: body.expirationTime ? toTimestamp(body.expirationTime) : null,
      payer_account_id: body.payerAccountID ? context.lookup.account(body.payerAccountID) : creator,
      schedule_id: item.entityId,
      transaction_body: scheduledBody(item) ?? emptyBytes,
      wait_for_expiry: body.waitForExpiry ?? false,
    });
  },
};

/** A schedule made inside an Ethereum transaction belongs to its sender, not to the relay that paid. */
function creatorOf({ parent, payerAccountId }: BlockItem, context: HandlerContext): bigint {
  if (parent?.type !== typeNumber.ethereumTransaction) return payerAccountId;
  const senderId = contractFunctionResult(parent.record)?.senderId;
  return (senderId ? context.lookup.account(senderId) : 0n) || payerAccountId;
}

/** TransactionBody.scheduleCreate.scheduledTransactionBody */
const scheduledBodyPath = [42, 1];

function scheduledBody({ transactionBytes }: BlockItem): Uint8Array | null {
  return rawMessage(splitTransaction(transactionBytes).bodyBytes, scheduledBodyPath);
}
