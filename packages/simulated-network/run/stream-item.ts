// A transaction and its record as bytes of a record file.

import type { proto } from '../../protocol/hapi/hapi.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { TransactionRecord } from '../../protocol/hapi/transaction-body.ts';
import { encodeTransactionRecord } from '../formats/encode-transaction.ts';
import { accountId, scheduleId, timestamp, tokenId, toLong } from '../ledger/hapi-values.ts';
import type { BalanceChanges } from '../ledger/ledger.ts';
import type { BodyKind, Outcome, Status } from '../transactions/execution.ts';
import { toSubmittedTransaction } from './transaction-hash.ts';

export type StreamItem = {
  kind: BodyKind;
  status: Status;
  consensusTimestamp: bigint;
  /** Transaction, as record files have it. */
  transaction: Buffer;
  /** SignedTransaction, as blocks have it. */
  signedTransaction: Buffer;
  record: Buffer;
  sidecars: proto.ITransactionSidecarRecord[];
  /** Its bytes are in the body of a batch. */
  isInner: boolean;
  /** The hook that ran in it. */
  executedHook: Outcome['executedHook'];
};

export type RecordInput = {
  kind: BodyKind;
  status: Status;
  consensusTimestamp: bigint;
  parentConsensusTimestamp: bigint | null;
  signedTransactionBytes: Uint8Array;
  transactionId: proto.ITransactionID;
  memo: string;
  outcome: Outcome;
  balances: BalanceChanges;
  /** tinybar; null for children, which cost nothing. */
  fee: bigint | null;
  rewards: { account: bigint; amount: bigint }[];
  scheduleRef: bigint | null;
  /** In receipts of submitted transactions, not of those of the network itself. */
  rates: proto.IExchangeRateSet | null;
  /** Price of the high-volume lane in thousandths, for a transaction that asked for it. */
  highVolumeMultiplier?: bigint;
  isInner?: boolean;
};

export function encodeStreamItem(input: RecordInput): StreamItem {
  const { kind, status, consensusTimestamp, outcome, signedTransactionBytes } = input;
  const { transaction, hash } = toSubmittedTransaction(signedTransactionBytes);
  const record: TransactionRecord = {
    ...outcome.record,
    receipt: {
      ...outcome.receipt,
      status: responseCode[status],
      exchangeRate: input.rates,
    },
    transactionHash: hash,
    consensusTimestamp: timestamp(consensusTimestamp),
    transactionID: input.transactionId,
    memo: input.memo,
    transactionFee: toLong(input.fee ?? 0n),
    transferList: { accountAmounts: input.balances.hbar.map(toAccountAmount) },
    tokenTransferLists: [...(outcome.record.tokenTransferLists ?? []), ...tokenTransferLists(input)],
    scheduleRef: input.scheduleRef === null ? undefined : scheduleId(input.scheduleRef),
    assessedCustomFees: outcome.assessedFees.map(({ amount, token, collector, payers }) => ({
      amount: toLong(amount),
      tokenId: token === null ? undefined : tokenId(token),
      feeCollectorAccountId: accountId(collector),
      effectivePayerAccountId: payers.map(accountId),
    })),
    automaticTokenAssociations: outcome.automaticAssociations.map(({ token, account }) => ({
      tokenId: tokenId(token),
      accountId: accountId(account),
    })),
    paidStakingRewards: input.rewards.map(toAccountAmount),
    parentConsensusTimestamp:
      input.parentConsensusTimestamp === null ? undefined : timestamp(input.parentConsensusTimestamp),
    ...(input.highVolumeMultiplier === undefined
      ? {}
      : { highVolumePricingMultiplier: toLong(input.highVolumeMultiplier) }),
  };
  return {
    kind,
    status,
    consensusTimestamp,
    transaction,
    signedTransaction: Buffer.from(signedTransactionBytes),
    record: encodeTransactionRecord(record),
    sidecars: outcome.sidecars.map((sidecar) => ({ ...sidecar, consensusTimestamp: timestamp(consensusTimestamp) })),
    isInner: input.isInner ?? false,
    executedHook: outcome.executedHook,
  };
}

function toAccountAmount({ account, amount }: { account: bigint; amount: bigint }): proto.IAccountAmount {
  return { accountID: accountId(account), amount: toLong(amount) };
}

function tokenTransferLists({ balances, outcome }: RecordInput): proto.ITokenTransferList[] {
  const lists = new Map<bigint, { transfers: proto.IAccountAmount[]; nftTransfers: proto.INftTransfer[] }>();
  const listOf = (token: bigint) => {
    const list = lists.get(token) ?? { transfers: [], nftTransfers: [] };
    lists.set(token, list);
    return list;
  };
  for (const change of balances.tokens) listOf(change.token).transfers.push(toAccountAmount(change));
  for (const { token, serial, sender, receiver, isApproval } of outcome.nftTransfers) {
    listOf(token).nftTransfers.push({
      senderAccountID: accountId(sender),
      receiverAccountID: accountId(receiver),
      serialNumber: toLong(serial),
      isApproval,
    });
  }
  return [...lists].map(([token, list]) => ({ token: tokenId(token), ...list }));
}
