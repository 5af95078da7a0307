// What the network says of staking, as of the end of its newest staking period.
import type { MarkupValue } from '../../../packages/kit/markup.ts';
import type { NetworkStakeRow } from '../../../packages/store/read/select-network-stake.ts';
import { formatCount, formatShare, hbar } from '../parts/amounts.ts';
import type { Fact } from '../parts/facts.ts';
import { formatDuration, moment } from '../parts/times.ts';

const day = 86_400_000_000_000n;

export function stakeFacts(stake: NetworkStakeRow): readonly Fact[] {
  return [
    ['Staked', hbar(stake.stakeTotal)],
    ['Period', periodOf(stake.stakingPeriod)],
    ['Length of a period', formatDuration(stake.stakingPeriodDuration * 60n)],
    ['Periods that are kept', formatCount(stake.stakingPeriodsStored)],
    ['Rewards of the period', hbar(stake.stakingRewardRate)],
    ['Highest reward', `${formatCount(stake.maxStakingRewardRatePerHbar)} tinybar for 1 ℏ a period`],
    ['Most that is rewarded', hbar(stake.maxStakeRewarded)],
    ['Most that is paid in a period', hbar(stake.maxTotalReward)],
    ['Reserved for rewards', hbar(stake.reservedStakingRewards)],
    ['Free for rewards', hbar(stake.unreservedStakingRewardBalance)],
    ['Rewards begin at a balance of', hbar(stake.stakingStartThreshold)],
    ['Full rewards at a balance of', hbar(stake.rewardBalanceThreshold)],
    ['Fees that go to nodes', formatShare(stake.nodeRewardFeeNumerator, stake.nodeRewardFeeDenominator)],
    ['Fees that go to rewards', formatShare(stake.stakingRewardFeeNumerator, stake.stakingRewardFeeDenominator)],
  ];
}

/** `before`: the last nanosecond before the period. */
export function periodOf(before: bigint): MarkupValue {
  return [moment(before + 1n), ' – ', moment(before + 1n + day)];
}
