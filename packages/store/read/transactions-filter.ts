// Which transactions a list contains.
import type { Range } from '../../kit/range.ts';

export type TransactionsFilter = {
  /** null = of all accounts; alternatives, or all ids of a range. */
  accounts: readonly bigint[] | Range | null;
  timestamp: Range;
  types: { numbers: readonly number[]; except: boolean } | null;
  /** null = any result. */
  isSuccess: boolean | null;
  /** Only transactions that credited or debited an account; null = every way to take part. */
  moved: 'credit' | 'debit' | null;
  order: 'asc' | 'desc';
  limit: number;
  /** The account that pays staking rewards (`stakingRewards`). */
  rewardAccountId: bigint;
};
