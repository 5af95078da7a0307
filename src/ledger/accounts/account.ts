// An account (or contract seen as an account) as of now or as of T, with a page of its transactions.

import type { Range } from '../../kit/range.ts';
import type { AccountName } from '../../store/read/select-account-ids.ts';
import type { AccountsFilter } from '../../store/read/select-accounts.ts';
import type { TransactionTypes } from '../transactions/transaction.ts';

export type AccountBalance = {
  balance: bigint | null;
  timestamp: bigint | null;
  tokens: { tokenId: bigint; balance: bigint }[];
};

export type Account = {
  id: bigint;
  alias: Buffer | null;
  autoRenewPeriod: bigint | null;
  balance: AccountBalance;
  createdTimestamp: bigint | null;
  declineReward: boolean;
  delegationAddress: Buffer | null;
  deleted: boolean | null;
  ethereumNonce: bigint | null;
  /** 20 bytes: the column, else a 20-byte alias; null = print the long-zero address. */
  evmAddress: Buffer | null;
  expiryTimestamp: bigint | null;
  key: Buffer | null;
  maxAutomaticTokenAssociations: number | null;
  memo: string;
  pendingReward: bigint;
  receiverSigRequired: boolean | null;
  stakedAccountId: bigint | null;
  /** null when staked to no node. */
  stakedNodeId: bigint | null;
  /** ns at the start of the UTC day; null unless staked to a node. */
  stakePeriodStart: bigint | null;
};

/** `balance` is null where it was not asked for. */
export type ListedAccount = Omit<Account, 'balance'> & { balance: AccountBalance | null };

/** How the path names an account. */
export type AccountReference = { kind: 'id'; id: bigint } | AccountName;

export type AccountQuery = {
  id: bigint;
  /** null = now. */
  timestamp: Range | null;
  /** Whether `ne` leaves out one moment, and not every version that was valid then. */
  leavesOutMoments?: boolean;
  /** Longest list of token balances (`--token-balance-limit`). */
  tokenBalanceLimit: number;
};

/** Every condition must hold, but of several exact ids any. */
export type AccountsQuery = AccountsFilter;

export type AccountTransactionsQuery = {
  accountId: bigint;
  timestamp: Range;
  /** null = every type. */
  types: TransactionTypes | null;
  order: 'asc' | 'desc';
  limit: number;
};
