// Which transactions a list is of.
import type { Range } from '../../kit/range.ts';

export type TransactionsFilter = {
  /** null = of all accounts; alternatives, or all ids of a range. */
  accounts: readonly bigint[] | Range | null;
  timestamp: Range;
  types: { numbers: readonly number[]; except: boolean } | null;
  /** null = whatever came of them. */
  isSuccess: boolean | null;
  /** Only what gave an account something, or took it; null = every way to take part. */
  moved: 'credit' | 'debit' | null;
  order: 'asc' | 'desc';
  limit: number;
  /** The account that pays staking rewards (`stakingRewards`). */
  rewardAccountId: bigint;
};
