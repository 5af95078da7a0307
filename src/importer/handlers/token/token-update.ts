// Changes of a token: only what the transaction mentions. A key is removed by an empty key list, kept as those bytes.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { autoRenewAccount } from '../../columns/auto-renew-account.ts';
import { updatedEntity } from '../../columns/entity-change.ts';
import { isHapiAtLeast } from '../../block/hapi-version.ts';
import { keyBytes, keyColumns } from '../../columns/key-columns.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const tokenUpdate: TransactionHandler = {
  bodyField: 'tokenUpdate',
  entityId: (item) => toEntityId(item.body.tokenUpdate?.token),
  onSuccess: (item, context) => {
    const body = item.body.tokenUpdate;
    if (!body || item.entityId === 0n) return;
    const hasMetadata = isHapiAtLeast(context.block, 0, 49, 0);
    context.rows.version(
      'entity',
      updatedEntity(item, item.entityId, 'TOKEN', {
        auto_renew_account_id: autoRenewAccount(item, context, body.autoRenewAccount),
        auto_renew_period: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : null,
        expiration_timestamp: body.expiry ? toTimestamp(body.expiry) : null,
        ...keyColumns(body.adminKey),
        memo: body.memo ? toStoredText(body.memo.value ?? '') : null,
      }),
    );
    context.rows.version('token', {
      fee_schedule_key: keyBytes(body.feeScheduleKey),
      freeze_key: keyBytes(body.freezeKey),
      kyc_key: keyBytes(body.kycKey),
      metadata: hasMetadata && body.metadata ? (body.metadata.value ?? new Uint8Array(0)) : null,
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
