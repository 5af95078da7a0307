// A transaction with everything that it moved, and the query for some.
import type { Range } from '../../../packages/kit/range.ts';
import type { FeeLimit } from '../../../packages/protocol/hapi/custom-fee-limit.ts';
import type { TransactionId } from '../../../packages/store/read/select-named-transactions.ts';
import type { TransactionRow } from '../../../packages/store/read/select-transaction-page.ts';
import type { TransactionsFilter } from '../../../packages/store/read/transactions-filter.ts';

export type NftTransfer = {
  isApproval: boolean;
  receiverAccountId: bigint | null;
  senderAccountId: bigint | null;
  serialNumber: bigint;
  tokenId: bigint;
};

export type LedgerTransaction = TransactionRow & {
  /** The inner transactions of a batch; empty for any other transaction. */
  innerTransactions: TransactionId[];
  maxCustomFees: FeeLimit[];
  nftTransfers: NftTransfer[];
};

export type TransactionTypes = NonNullable<TransactionsFilter['types']>;

/** `accounts`: who paid or took part: any of the exact ids that meet the other conditions, or all ids that do. */
export type TransactionsQuery = Omit<TransactionsFilter, 'accounts' | 'rewardAccountId'> & { accounts: Range };
