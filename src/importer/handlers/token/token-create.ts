// A new token: entity, token, custom fees, and the accounts that hold it from the start.
import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../../block/block-item.ts';
import { type ItemContext, isHapiAtLeast } from '../../block/item-context.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { customFeeRow, denominatingToken } from '../../columns/custom-fee-row.ts';
import { addCreatedEntity } from '../../columns/entity-change.ts';
import { autoRenewAccount, keyBytes, keyColumns } from '../../columns/entity-columns.ts';
import { secondsOf, timestampOf, toStoredText } from '../../columns/stored-values.ts';
import { addAssociation, freezeStatuses, kycStatuses } from '../../columns/token-association.ts';

export const tokenCreation: TransactionHandler<'tokenCreation'> = {
  entityId: (_body, { record }) => toEntityId(record.receipt?.tokenID),
  onEntity: (body, item, context) => {
    addCreatedEntity(item, context, 'TOKEN', {
      auto_renew_account_id: autoRenewAccount(item, context, body.autoRenewAccount) || null,
      auto_renew_period: secondsOf(body.autoRenewPeriod),
      expiration_timestamp: timestampOf(body.expiry),
      ...keyColumns(body.adminKey),
      memo: toStoredText(body.memo ?? ''),
    });
    addToken(item, context, body);
    context.rows.version('custom_fee', customFeeRow(item, item.entityId, body.customFees ?? [], context));
    addAssociations(item, context, body);
  },
};

function addToken(item: BlockItem, context: ItemContext, body: proto.ITokenCreateTransactionBody): void {
  const initialSupply = toBigInt(body.initialSupply);
  const hasMetadata = isHapiAtLeast(context.block, 0, 49, 0);
  context.rows.version('token', {
    created_timestamp: item.consensusTimestamp,
    decimals: BigInt(body.decimals ?? 0),
    fee_schedule_key: keyBytes(body.feeScheduleKey),
    freeze_default: body.freezeDefault === true,
    freeze_key: keyBytes(body.freezeKey),
    freeze_status: freezeStatusOfToken(body),
    initial_supply: initialSupply,
    kyc_key: keyBytes(body.kycKey),
    kyc_status: body.kycKey ? kycStatuses.revoked : kycStatuses.notApplicable,
    max_supply: toBigInt(body.maxSupply),
    metadata: hasMetadata ? (body.metadata ?? null) : null,
    metadata_key: hasMetadata ? keyBytes(body.metadataKey) : null,
    name: toStoredText(body.name ?? ''),
    pause_key: keyBytes(body.pauseKey),
    pause_status: body.pauseKey ? 'UNPAUSED' : 'NOT_APPLICABLE',
    supply_key: keyBytes(body.supplyKey),
    supply_type: body.supplyType === 1 ? 'FINITE' : 'INFINITE',
    symbol: toStoredText(body.symbol ?? ''),
    timestamp_range: { from: item.consensusTimestamp, to: null },
    token_id: item.entityId,
    total_supply: initialSupply,
    treasury_account_id: context.lookup.account(body.treasury),
    type: body.tokenType === 1 ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON',
    wipe_key: keyBytes(body.wipeKey),
  });
}

/** The initial status of accounts that set none themselves. */
function freezeStatusOfToken(body: proto.ITokenCreateTransactionBody): number {
  if (!body.freezeKey) return freezeStatuses.notApplicable;
  return body.freezeDefault ? freezeStatuses.frozen : freezeStatuses.unfrozen;
}

/** The record lists the associated accounts since HAPI 0.18; before, they follow from treasury and fees. */
function addAssociations(item: BlockItem, context: ItemContext, body: proto.ITokenCreateTransactionBody): void {
  const listed = item.record.automaticTokenAssociations ?? [];
  const accountIds =
    listed.length > 0
      ? listed.map(({ accountId }) => context.lookup.account(accountId))
      : [context.lookup.account(body.treasury), ...collectorsInToken(item, context, body.customFees ?? [])];
  for (const accountId of new Set(accountIds)) {
    if (accountId === 0n) continue;
    addAssociation(item, context, {
      accountId,
      tokenId: item.entityId,
      isAutomatic: false,
      freezeStatus: body.freezeKey ? freezeStatuses.unfrozen : freezeStatuses.notApplicable,
      kycStatus: body.kycKey ? kycStatuses.granted : kycStatuses.notApplicable,
    });
  }
}

/** Collectors of fees in the token itself. */
function collectorsInToken(item: BlockItem, context: ItemContext, fees: proto.ICustomFee[]): bigint[] {
  return fees
    .filter(
      ({ fixedFee, fractionalFee }) =>
        fractionalFee || (fixedFee && denominatingToken(fixedFee, item.entityId) === item.entityId),
    )
    .map(({ feeCollectorAccountId }) => context.lookup.account(feeCollectorAccountId));
}
