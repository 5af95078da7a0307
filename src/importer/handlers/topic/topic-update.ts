// ConsensusUpdateTopic: only what the body mentions changes; an empty key list takes a key away and is kept as it came.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { autoRenewAccount } from '../../columns/auto-renew-account.ts';
import { customFeeRow } from '../../columns/custom-fee-row.ts';
import { updatedEntity } from '../../columns/entity-change.ts';
import { keyBytes, keyColumns } from '../../columns/key-columns.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const topicUpdate: TransactionHandler = {
  bodyField: 'consensusUpdateTopic',
  entityId: (item) => toEntityId(item.body.consensusUpdateTopic?.topicID),
  onSuccess(item, context) {
    const body = item.body.consensusUpdateTopic;
    if (!body || item.entityId === 0n) return;
    context.rows.version(
      'entity',
      updatedEntity(item, item.entityId, 'TOPIC', {
        ...keyColumns(body.adminKey),
        auto_renew_account_id: autoRenewAccount(item, context, body.autoRenewAccount),
        auto_renew_period: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : undefined,
        expiration_timestamp: body.expirationTime ? toTimestamp(body.expirationTime) : undefined,
        memo: body.memo ? toStoredText(body.memo.value ?? '') : undefined,
      }),
    );
    context.rows.version('topic', {
      admin_key: keyBytes(body.adminKey),
      fee_exempt_key_list: body.feeExemptKeyList
        ? proto.FeeExemptKeyList.encode(body.feeExemptKeyList).finish()
        : undefined,
      fee_schedule_key: keyBytes(body.feeScheduleKey),
      id: item.entityId,
      submit_key: keyBytes(body.submitKey),
      timestamp_range: { from: item.consensusTimestamp, to: null },
    });
    if (body.customFees) {
      context.rows.version('custom_fee', customFeeRow(item, item.entityId, body.customFees.fees ?? [], context));
    }
  },
};
