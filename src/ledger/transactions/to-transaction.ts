// A row of the table of transactions as a transaction.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { decodeCustomFeeLimit, type FeeLimit } from '../../../packages/protocol/hapi/custom-fee-limit.ts';
import type { TransactionId } from '../../../packages/store/read/select-named-transactions.ts';
import type { TransactionRow } from '../../../packages/store/read/select-transaction-page.ts';
import type { LedgerTransaction, NftTransfer } from './transaction.ts';

/** The row is changed. `db`: its database, which is notified of unreadable values. */
export function toTransaction<Row extends TransactionRow>(
  row: Row,
  db: Pick<Database, 'onUnreadable'>,
): Row & LedgerTransaction {
  return Object.assign(row, {
    innerTransactions: toInnerTransactions(row.innerIds),
    maxCustomFees: toFeeLimits(row, db),
    nftTransfers: toNftTransfers(row.nftTransfer),
  });
}

/** Another program may have stored unreadable limits: the transaction is answered without them. */
function toFeeLimits(row: TransactionRow, db: Pick<Database, 'onUnreadable'>): FeeLimit[] {
  return (row.customFeeLimits ?? []).flatMap((bytes) => {
    try {
      return decodeCustomFeeLimit(bytes);
    } catch (error) {
      const column = 'transaction.max_custom_fees';
      db.onUnreadable({ column, row: `consensus_timestamp = ${row.consensusTimestamp}`, error: error as Error });
      return [];
    }
  });
}

/** Payer and valid start in turn. */
function toInnerTransactions(stored: bigint[] | null): TransactionId[] {
  if (stored === null) return [];
  return Array.from({ length: Math.floor(stored.length / 2) }, (_, i) => ({
    payerAccountId: stored[2 * i]!,
    validStart: stored[2 * i + 1]!,
  }));
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
