// The staking rewards that an account was paid.
import { isEmptyRange, type Range } from '../../kit/range.ts';
import { selectStakingRewards } from '../../store/read/select-staking-rewards.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';

/** Tinybar, at a consensus timestamp in ns. */
export type StakingReward = { accountId: bigint; amount: bigint; timestamp: bigint };

export type StakingRewardsQuery = { accountId: bigint; timestamp: Range; order: 'asc' | 'desc'; limit: number };

export function createStakingRewards({ db }: { db: Database }) {
  return {
    /** By time; of several exact ones any. */
    async list(query: StakingRewardsQuery): Promise<Page<StakingReward>> {
      if (isEmptyRange(query.timestamp)) return emptyPage;
      const rows = await selectStakingRewards(db, query);
      const items = rows.map((row) => ({
        accountId: row.accountId,
        amount: row.amount,
        timestamp: row.consensusTimestamp,
      }));
      return toPage(items, query.limit, (last) => last.timestamp);
    },
  };
}
