// A row of the network's stake as a ledger value.
import type { NetworkStakeRow } from '../../store/read/select-network-stake.ts';
import type { NetworkStake, Period } from './network.ts';

export function toNetworkStake(row: NetworkStakeRow): NetworkStake {
  return {
    maxStakeRewarded: row.max_stake_rewarded,
    maxStakingRewardRatePerHbar: row.max_staking_reward_rate_per_hbar,
    maxTotalReward: row.max_total_reward,
    nodeRewardFee: { numerator: row.node_reward_fee_numerator, denominator: row.node_reward_fee_denominator },
    reservedStakingRewards: row.reserved_staking_rewards,
    rewardBalanceThreshold: row.reward_balance_threshold,
    stakeTotal: row.stake_total,
    stakingPeriod: toStakingPeriod(row.staking_period),
    stakingPeriodDuration: row.staking_period_duration,
    stakingPeriodsStored: row.staking_periods_stored,
    stakingRewardFee: { numerator: row.staking_reward_fee_numerator, denominator: row.staking_reward_fee_denominator },
    stakingRewardRate: row.staking_reward_rate,
    stakingStartThreshold: row.staking_start_threshold,
    unreservedStakingRewardBalance: row.unreserved_staking_reward_balance,
  };
}

/** The day that follows the end of a staking period, ns. */
export function toStakingPeriod(end: bigint): Period {
  const from = end + 1n;
  return { from, to: from + 86_400_000_000_000n };
}
