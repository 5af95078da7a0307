// The staking rewards that an account was paid, by time.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectQuery } from './columns.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';

export type StakingRewardRow = RowOf<typeof rewardRow>;

export type StakingRewardsFilter = {
  accountId: bigint;
  /** Consensus timestamps, ns. */
  timestamp: Range;
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectStakingRewards(db: Database, filter: StakingRewardsFilter): Promise<StakingRewardRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.accountId];
  const time = toRangePart(filter.timestamp, values);
  const query = selectQuery({
    name: 'select-staking-rewards',
    shape: `${order}${limit}-${time.code}`,
    select: rewardRow,
    from: `from staking_reward_transfer where account_id = $1${time.sql('consensus_timestamp')}
order by consensus_timestamp ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const rewardRow = columns('staking_reward_transfer', ['account_id', 'amount', 'consensus_timestamp']);
