// The staking rewards that an account was paid, by time.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns } from './columns.ts';
import { type PageFilter, selectPage } from './select-page.ts';

/** `timestamp`: consensus timestamps, ns. */
export type StakingRewardsFilter = PageFilter & { accountId: bigint; timestamp: Range };

export function selectStakingRewards(db: Database, { accountId, timestamp, ...page }: StakingRewardsFilter) {
  return selectPage(db, page, {
    name: 'select-staking-rewards',
    select: reward,
    from: 'staking_reward_transfer where account_id = $1',
    values: [accountId],
    keys: { consensus_timestamp: timestamp },
  });
}

const reward = columns('staking_reward_transfer', {
  account_id: 'account_id',
  amount: 'amount',
  timestamp: 'consensus_timestamp',
});
