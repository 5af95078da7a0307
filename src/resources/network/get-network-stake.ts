// GET network/stake: the stake of the network at the end of its newest staking period.

import type { NetworkStakeRow } from '../../../packages/store/read/select-network-stake.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { int64 } from '../../api/values/kinds.ts';
import { members, value } from '../../api/values/members.ts';
import { fraction } from './fraction.ts';
import { stakingPeriod } from './period.ts';

export const getNetworkStake = endpoint({
  path: '/api/v1/network/stake',
  id: 'getNetworkStake',
  tag: 'Network',
  summary: 'The stake of the network',
  peer: { java: 'arguments', absent: 'No network stake data found' },
  ask: (_, { ledger }) => ledger.network.stake(),
  answer: members(
    {
      max_stake_rewarded: int64,
      max_staking_reward_rate_per_hbar: int64,
      max_total_reward: int64,
      node_reward_fee_fraction: value(fraction, (stake: NetworkStakeRow) => ({
        numerator: stake.nodeRewardFeeNumerator,
        denominator: stake.nodeRewardFeeDenominator,
      })),
      reserved_staking_rewards: int64,
      reward_balance_threshold: int64,
      stake_total: int64,
      staking_period: stakingPeriod,
      staking_period_duration: value(int64, 'Minutes.'),
      staking_periods_stored: int64,
      staking_reward_fee_fraction: value(fraction, (stake: NetworkStakeRow) => ({
        numerator: stake.stakingRewardFeeNumerator,
        denominator: stake.stakingRewardFeeDenominator,
      })),
      staking_reward_rate: int64,
      staking_start_threshold: int64,
      unreserved_staking_reward_balance: int64,
    },
    { name: 'NetworkStake', description: 'Amounts in tinybars.' },
  ),
  fresh: 60,
  example: { text: 'the stake of the network' },
});
