// Queries about an account (or a contract as an account), and about its transactions.
import type { Range } from '../../../packages/kit/range.ts';
import type { AccountName } from '../../../packages/store/read/select-account-ids.ts';
import type { TransactionTypes } from '../transactions/transaction.ts';

/** How the path names an account. */
export type AccountReference = { kind: 'id'; id: bigint } | AccountName;

export type AccountQuery = {
  id: bigint;
  /** null = now. */
  timestamp: Range | null;
  /** Whether `ne` excludes one moment, and not every version that was valid then. */
  leavesOutMoments?: boolean;
  /** Longest list of token balances (`--token-balance-limit`). */
  tokenBalanceLimit: number;
};

export type AccountTransactionsQuery = {
  accountId: bigint;
  timestamp: Range;
  /** null = every type. */
  types: TransactionTypes | null;
  order: 'asc' | 'desc';
  limit: number;
};
