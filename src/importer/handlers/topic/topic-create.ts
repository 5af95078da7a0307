// ConsensusCreateTopic: a topic entity, its keys and its fees.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import { autoRenewAccount } from '../../columns/auto-renew-account.ts';
import { customFeeRow } from '../../columns/custom-fee-row.ts';
import { createdEntity } from '../../columns/entity-change.ts';
import { keyBytes, keyColumns } from '../../columns/key-columns.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const topicCreate: TransactionHandler = {
  bodyField: 'consensusCreateTopic',
  entityId: (item) => toEntityId(item.record.receipt?.topicID),
  onSuccess(item, context) {
    const body = item.body.consensusCreateTopic;
    if (!body || item.entityId === 0n) return;
    context.rows.version(
      'entity',
      createdEntity(item, item.entityId, 'TOPIC', {
        ...keyColumns(body.adminKey),
        auto_renew_account_id: autoRenewAccount(item, context, body.autoRenewAccount),
        auto_renew_period: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : undefined,
        memo: toStoredText(body.memo ?? ''),
      }),
    );
    context.rows.version('topic', {
      admin_key: keyBytes(body.adminKey),
      created_timestamp: item.consensusTimestamp,
      fee_exempt_key_list: proto.FeeExemptKeyList.encode({ keys: body.feeExemptKeyList ?? [] }).finish(),
      fee_schedule_key: keyBytes(body.feeScheduleKey),
      id: item.entityId,
      submit_key: keyBytes(body.submitKey),
      timestamp_range: { from: item.consensusTimestamp, to: null },
    });
    context.rows.version('custom_fee', customFeeRow(item, item.entityId, body.customFees ?? [], context));
  },
};
