// GET network/stake: the stake of the network, as of the end of its newest staking period.
import type { NetworkStake } from '../../../ledger/network/network.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { int64 } from '../../values/kinds.ts';
import { members, value } from '../../values/members.ts';
import { fraction } from './fraction.ts';
import { period } from './period.ts';

export const getNetworkStake = endpoint({
  path: '/api/v1/network/stake',
  id: 'getNetworkStake',
  tag: 'Network',
  summary: 'The stake of the network',
  java: 'arguments',
  absent: 'No network stake data found',
  ask: (_, { ledger }) => ledger.network.stake(),
  answer: members<NetworkStake>(
    {
      max_stake_rewarded: value(int64, (stake) => stake.maxStakeRewarded),
      max_staking_reward_rate_per_hbar: value(int64, (stake) => stake.maxStakingRewardRatePerHbar),
      max_total_reward: value(int64, (stake) => stake.maxTotalReward),
      node_reward_fee_fraction: value(fraction, (stake) => stake.nodeRewardFee),
      reserved_staking_rewards: value(int64, (stake) => stake.reservedStakingRewards),
      reward_balance_threshold: value(int64, (stake) => stake.rewardBalanceThreshold),
      stake_total: value(int64, (stake) => stake.stakeTotal),
      staking_period: value(period, (stake) => stake.stakingPeriod),
      staking_period_duration: value(int64, (stake) => stake.stakingPeriodDuration, 'Minutes.'),
      staking_periods_stored: value(int64, (stake) => stake.stakingPeriodsStored),
      staking_reward_fee_fraction: value(fraction, (stake) => stake.stakingRewardFee),
      staking_reward_rate: value(int64, (stake) => stake.stakingRewardRate),
      staking_start_threshold: value(int64, (stake) => stake.stakingStartThreshold),
      unreserved_staking_reward_balance: value(int64, (stake) => stake.unreservedStakingRewardBalance),
    },
    { name: 'NetworkStake', description: 'Amounts in tinybars.' },
  ),
  fresh: 60,
  example: { text: 'the stake of the network' },
});
