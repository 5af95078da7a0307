// NodeStakeUpdate: once a staking period, the new weight of every node. It reports the day before.
import { type proto, toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import { epochDay, toTimestamp } from '../../../../packages/protocol/hapi/timestamp.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';

export const nodeStakeUpdate: TransactionHandler<'nodeStakeUpdate'> = {
  onSuccess: (body, item, { rows }) => {
    const period = {
      consensus_timestamp: item.consensusTimestamp,
      epoch_day: epochDay(item.consensusTimestamp) - 1n,
      staking_period: toTimestamp(body.endOfStakingPeriod ?? {}),
    };
    const nodes = body.nodeStake ?? [];
    rows.insert('network_stake', { ...period, ...networkColumns(body), stake_total: totalStake(nodes) });
    for (const node of nodes) {
      rows.insert('node_stake', {
        ...period,
        max_stake: toBigInt(node.maxStake),
        min_stake: toBigInt(node.minStake),
        node_id: toBigInt(node.nodeId),
        reward_rate: toBigInt(node.rewardRate),
        stake: toBigInt(node.stake),
        stake_not_rewarded: toBigInt(node.stakeNotRewarded),
        stake_rewarded: toBigInt(node.stakeRewarded),
      });
    }
  },
};

function networkColumns(body: proto.INodeStakeUpdateTransactionBody) {
  return {
    max_stake_rewarded: toBigInt(body.maxStakeRewarded),
    max_staking_reward_rate_per_hbar: toBigInt(body.maxStakingRewardRatePerHbar),
    max_total_reward: toBigInt(body.maxTotalReward),
    node_reward_fee_denominator: toBigInt(body.nodeRewardFeeFraction?.denominator),
    node_reward_fee_numerator: toBigInt(body.nodeRewardFeeFraction?.numerator),
    reserved_staking_rewards: toBigInt(body.reservedStakingRewards),
    reward_balance_threshold: toBigInt(body.rewardBalanceThreshold),
    staking_period_duration: toBigInt(body.stakingPeriod),
    staking_periods_stored: toBigInt(body.stakingPeriodsStored),
    staking_reward_fee_denominator: toBigInt(body.stakingRewardFeeFraction?.denominator),
    staking_reward_fee_numerator: toBigInt(body.stakingRewardFeeFraction?.numerator),
    staking_reward_rate: toBigInt(body.stakingRewardRate),
    staking_start_threshold: toBigInt(body.stakingStartThreshold),
    unreserved_staking_reward_balance: toBigInt(body.unreservedStakingRewardBalance),
  };
}

function totalStake(nodes: proto.INodeStake[]): bigint {
  return nodes.reduce((sum, { stakeRewarded, stakeNotRewarded }) => {
    return sum + toBigInt(stakeRewarded) + toBigInt(stakeNotRewarded);
  }, 0n);
}
