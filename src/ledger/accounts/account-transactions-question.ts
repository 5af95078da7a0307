// A page of the transactions that an account paid for or took part in.

import { selectAccountTransactions } from '../../store/read/select-account-transactions.ts';
import type { TransactionRow } from '../../store/read/select-transaction-page.ts';
import type { JsonValue } from '../../store/schema/table.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../page.ts';
import { withinClock } from '../within-clock.ts';
import type { AccountTransactionsQuery, LedgerTransaction, NftTransfer } from './account.ts';

/** With the consensus end (ns) of the newest block that the page was read with; null too where none had to be read. */
export type AccountTransactionsQuestion = (
  query: AccountTransactionsQuery,
) => Promise<{ transactions: Page<LedgerTransaction>; lastBlockEnd: bigint | null }>;

type Options = { db: Database; rewardAccountId: bigint };

export function createAccountTransactionsQuestion({ db, rewardAccountId }: Options): AccountTransactionsQuestion {
  return async (query) => {
    const timestamp = withinClock(query.timestamp);
    // No transaction has two timestamps.
    if (timestamp.equals.length > 1) return { transactions: emptyPage, lastBlockEnd: null };
    const { rows, lastBlockEnd } = await selectAccountTransactions(db, { ...query, timestamp, rewardAccountId });
    const transactions = toPage(rows.map(toTransaction), query.limit, (last) => last.consensusTimestamp);
    return { transactions, lastBlockEnd };
  };
}

function toTransaction(row: TransactionRow): LedgerTransaction {
  return {
    batchKey: row.batch_key,
    bytes: row.transaction_bytes,
    chargedTxFee: row.charged_tx_fee,
    consensusTimestamp: row.consensus_timestamp,
    entityId: row.entity_id,
    highVolume: row.high_volume,
    highVolumePricingMultiplier: row.high_volume_pricing_multiplier,
    maxFee: row.max_fee,
    maxCustomFees: row.max_custom_fees ?? [],
    memo: row.memo,
    type: row.type,
    nftTransfers: toNftTransfers(row.nft_transfer),
    nodeAccountId: row.node_account_id,
    nonce: row.nonce,
    parentConsensusTimestamp: row.parent_consensus_timestamp,
    payerAccountId: row.payer_account_id,
    result: row.result,
    scheduled: row.scheduled,
    stakingRewardTransfers: row.stakingRewardTransfers,
    tokenTransfers: row.tokenTransfers,
    transactionHash: row.transaction_hash,
    transfers: row.transfers,
    validDurationSeconds: row.valid_duration_seconds,
    validStart: row.valid_start_ns,
  };
}

function toNftTransfers(stored: JsonValue): NftTransfer[] {
  if (!Array.isArray(stored)) return [];
  return (stored as Record<string, JsonValue | undefined>[]).map((transfer) => ({
    isApproval: transfer.is_approval === true,
    receiverAccountId: toIdOrNull(transfer.receiver_account_id),
    senderAccountId: toIdOrNull(transfer.sender_account_id),
    serialNumber: toIdOrNull(transfer.serial_number) ?? 0n,
    tokenId: toIdOrNull(transfer.token_id) ?? 0n,
  }));
}

function toIdOrNull(value: JsonValue | undefined): bigint | null {
  return typeof value === 'bigint' ? value : null;
}
