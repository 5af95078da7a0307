// Staking rewards paid with a transaction. Being paid moves the start of the account's staking period to the day before,
// as a new version of the account, unless this block already put it at that day or later.

import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { epochDay } from '../../protocol/hapi/timestamp.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { entityIdColumns } from '../columns/entity-change.ts';

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
