// The stake of the whole network, at the end of the newest staking period.
import type { Database } from '../wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, type RowOf } from './statement/columns.ts';

export type NetworkStakeRow = RowOf<typeof networkStake>;

export function selectNetworkStake(db: Database): Promise<NetworkStakeRow | null> {
  return selectOne(db, {
    name: 'select-network-stake',
    select: networkStake,
    from: 'from network_stake order by consensus_timestamp desc limit 1',
  });
}

const networkStake = columns('network_stake', [
  'max_stake_rewarded',
  'max_staking_reward_rate_per_hbar',
  'max_total_reward',
  'node_reward_fee_denominator',
  'node_reward_fee_numerator',
  'reserved_staking_rewards',
  'reward_balance_threshold',
  'stake_total',
  'staking_period',
  'staking_period_duration',
  'staking_periods_stored',
  'staking_reward_fee_denominator',
  'staking_reward_fee_numerator',
  'staking_reward_rate',
  'staking_start_threshold',
  'unreserved_staking_reward_balance',
]);
