// Changes of a token: only what the transaction sets. A key is removed by an empty key list, stored as those bytes.
import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { isHapiAtLeast } from '../../block/item-context.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { addUpdatedEntity } from '../../columns/entity-change.ts';
import { autoRenewAccount, keyBytes, keyColumns } from '../../columns/entity-columns.ts';
import { changedText, emptyBytes, secondsOf, timestampOf, toStoredText } from '../../columns/stored-values.ts';

export const tokenUpdate: TransactionHandler<'tokenUpdate'> = {
  entityId: ({ token }) => toEntityId(token),
  onEntity: (body, item, context) => {
    const hasMetadata = isHapiAtLeast(context.block, 0, 49, 0);
    addUpdatedEntity(item, context, 'TOKEN', {
      auto_renew_account_id: autoRenewAccount(item, context, body.autoRenewAccount),
      auto_renew_period: secondsOf(body.autoRenewPeriod),
      expiration_timestamp: timestampOf(body.expiry),
      ...keyColumns(body.adminKey),
      memo: changedText(body.memo),
    });
    context.rows.version('token', {
      fee_schedule_key: keyBytes(body.feeScheduleKey),
      freeze_key: keyBytes(body.freezeKey),
      kyc_key: keyBytes(body.kycKey),
      metadata: hasMetadata && body.metadata ? (body.metadata.value ?? emptyBytes) : null,
      metadata_key: hasMetadata ? keyBytes(body.metadataKey) : null,
      name: body.name ? toStoredText(body.name) : null,
      pause_key: keyBytes(body.pauseKey),
      supply_key: keyBytes(body.supplyKey),
      symbol: body.symbol ? toStoredText(body.symbol) : null,
      timestamp_range: { from: item.consensusTimestamp, to: null },
      token_id: item.entityId,
      treasury_account_id: context.lookup.account(body.treasury) || null,
      wipe_key: keyBytes(body.wipeKey),
    });
  },
};
