// A row of the network's stake as a ledger value.
import type { NetworkStakeRow } from '../../store/read/select-network-stake.ts';
import type { NetworkStake, Period } from './network.ts';

export function toNetworkStake(row: NetworkStakeRow): NetworkStake {
  return {
    maxStakeRewarded: row.maxStakeRewarded,
    maxStakingRewardRatePerHbar: row.maxStakingRewardRatePerHbar,
    maxTotalReward: row.maxTotalReward,
    nodeRewardFee: { numerator: row.nodeRewardFeeNumerator, denominator: row.nodeRewardFeeDenominator },
    reservedStakingRewards: row.reservedStakingRewards,
    rewardBalanceThreshold: row.rewardBalanceThreshold,
    stakeTotal: row.stakeTotal,
    stakingPeriod: toStakingPeriod(row.stakingPeriod),
    stakingPeriodDuration: row.stakingPeriodDuration,
    stakingPeriodsStored: row.stakingPeriodsStored,
    stakingRewardFee: { numerator: row.stakingRewardFeeNumerator, denominator: row.stakingRewardFeeDenominator },
    stakingRewardRate: row.stakingRewardRate,
    stakingStartThreshold: row.stakingStartThreshold,
    unreservedStakingRewardBalance: row.unreservedStakingRewardBalance,
  };
}

/** The day that follows the end of a staking period, ns. */
export function toStakingPeriod(end: bigint): Period {
  const from = end + 1n;
  return { from, to: from + 86_400_000_000_000n };
}
