// A transaction with all that it moved, and the questions that lead to some.
import type { Range } from '../../kit/range.ts';
import type { FeeLimit } from '../../protocol/hapi/custom-fee-limit.ts';
import type { TransactionId } from '../../store/read/select-named-transactions.ts';

export type Transfer = { accountId: bigint; amount: bigint; isApproval: boolean };
export type TokenTransfer = Transfer & { tokenId: bigint };
export type NftTransfer = {
  isApproval: boolean;
  receiverAccountId: bigint | null;
  senderAccountId: bigint | null;
  serialNumber: bigint;
  tokenId: bigint;
};

export type LedgerTransaction = {
  batchKey: Buffer | null;
  /** The whole signed transaction, where the importer keeps it. */
  bytes: Buffer | null;
  chargedTxFee: bigint | null;
  consensusTimestamp: bigint;
  entityId: bigint | null;
  highVolume: boolean;
  highVolumePricingMultiplier: bigint | null;
  maxFee: bigint | null;
  /** What a batch was made of; empty for any other transaction. */
  innerTransactions: TransactionId[];
  maxCustomFees: FeeLimit[];
  memo: Buffer | null;
  type: number;
  nftTransfers: NftTransfer[];
  nodeAccountId: bigint | null;
  nonce: number;
  parentConsensusTimestamp: bigint | null;
  payerAccountId: bigint;
  /** ResponseCodeEnum. */
  result: number;
  scheduled: boolean;
  stakingRewardTransfers: { accountId: bigint; amount: bigint }[];
  tokenTransfers: TokenTransfer[];
  transactionHash: Buffer | null;
  transfers: Transfer[];
  validDurationSeconds: bigint | null;
  validStart: bigint;
};

export type AssessedFee = {
  amount: bigint;
  collectorAccountId: bigint;
  /** null = hbar. */
  tokenId: bigint | null;
  effectivePayerAccountIds: bigint[];
};

/** Transaction type numbers, OR-ed; `except` turns the meaning round. */
export type TransactionTypes = { numbers: number[]; except: boolean };

export type TransactionsQuery = {
  /** Who paid or took part: any of the exact ids that meet the other conditions, or all ids that do. */
  accounts: Range;
  timestamp: Range;
  /** null = every type. */
  types: TransactionTypes | null;
  /** null = whatever came of them. */
  isSuccess: boolean | null;
  /** Only what gave an account something, or took it from one; null = every way to take part. */
  moved: 'credit' | 'debit' | null;
  order: 'asc' | 'desc';
  limit: number;
};

/** Which of those that share a name: null = any. */
export type TransactionChoice = { nonce: bigint | null; scheduled: boolean | null };
