// Rows that transactions of any type may make: from their records and signatures, beside transfers.
import { decodeSignatureMap } from '../../../packages/protocol/hapi/decode-signature-map.ts';
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { epochDay } from '../../../packages/protocol/hapi/timestamp.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { entityIdColumns } from '../columns/entity-change.ts';
import { addAssociation } from '../columns/token-association.ts';

/** Any record that names a schedule, successful or not, shows when the schedule was executed. */
export function addScheduleExecution(item: BlockItem, context: ItemContext): void {
  const scheduleId = toEntityId(item.record.scheduleRef);
  if (scheduleId === 0n) return;
  context.rows.upsert('schedule', { executed_timestamp: item.consensusTimestamp, schedule_id: scheduleId });
}

/** Signatures collected by a schedule: those of its creation and of every ScheduleSign. */
export function addScheduleSignatures(item: BlockItem, context: ItemContext): void {
  const { entityId } = item;
  // Without a schedule nothing finds the row, and a distributed database refuses it.
  if (!signingTypes.has(item.type) || !entityId) return;
  const prefixes = new Set<string>();
  for (const { publicKeyPrefix, signature, type } of decodeSignatureMap(item.signatureMapBytes)) {
    const prefix = publicKeyPrefix.toString('hex');
    if (prefixes.has(prefix)) continue;
    prefixes.add(prefix);
    context.rows.insert('transaction_signature', {
      consensus_timestamp: item.consensusTimestamp,
      entity_id: entityId,
      public_key_prefix: publicKeyPrefix,
      signature,
      type,
    });
  }
}

const signingTypes: ReadonlySet<number> = new Set([typeNumber.scheduleCreate, typeNumber.scheduleSign]);

/** Custom fees of the token transfers. */
export function addAssessedCustomFees(item: BlockItem, context: ItemContext): void {
  for (const fee of item.record.assessedCustomFees ?? []) {
    context.rows.insert('assessed_custom_fee', {
      amount: toBigInt(fee.amount),
      collector_account_id: context.lookup.account(fee.feeCollectorAccountId),
      consensus_timestamp: item.consensusTimestamp,
      effective_payer_account_ids: (fee.effectivePayerAccountId ?? []).map((payer) => context.lookup.account(payer)),
      payer_account_id: item.payerAccountId,
      /** null = tinybar. */
      token_id: toEntityId(fee.tokenId) || null,
    });
  }
}

/** Accounts that were associated with a token automatically. Token creation lists its associations itself. */
export function addAutomaticAssociations(item: BlockItem, context: ItemContext): void {
  if (item.type === typeNumber.tokenCreation) return;
  for (const { accountId, tokenId } of item.record.automaticTokenAssociations ?? []) {
    const account = context.lookup.account(accountId);
    addAssociation(item, context, { accountId: account, tokenId: toEntityId(tokenId), isAutomatic: true });
  }
}

/**
 * Staking rewards. A payment moves the start of the account's staking period to the day before, as a new version of the
 * account, unless this block already set it to that day or later.
 */
export function addStakingRewardTransfers(item: BlockItem, context: ItemContext): void {
  const rewards = item.record.paidStakingRewards;
  if (!rewards || rewards.length === 0) return;
  const stakePeriodStart = epochDay(item.consensusTimestamp) - 1n;
  for (const { accountID, amount } of rewards) {
    const accountId = context.lookup.account(accountID);
    context.rows.insert('staking_reward_transfer', {
      account_id: accountId,
      amount: toBigInt(amount),
      consensus_timestamp: item.consensusTimestamp,
      payer_account_id: item.payerAccountId,
    });
    const known = context.rows.latest('entity', { id: accountId })?.stake_period_start;
    if (known !== undefined && known !== null && known >= stakePeriodStart) continue;
    context.rows.version('entity', {
      ...entityIdColumns(accountId),
      stake_period_start: stakePeriodStart,
      timestamp_range: { from: item.consensusTimestamp, to: null },
    });
  }
}
