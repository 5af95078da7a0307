// Gives each transaction of a block a copy of its transfers, so that pages of transactions are read with one probe a
// row. Runs when the block's rows are complete: no later block adds a transfer to a transaction.

import { packTransfers, type TransfersOfTransaction } from '../../../packages/schema/packed-transfers.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockRows } from '../rows/block-rows.ts';

export function packBlockTransfers(rows: BlockRows): void {
  const byTimestamp = new Map<bigint, TransfersOfTransaction>();
  const of = (timestamp: bigint): TransfersOfTransaction => {
    let found = byTimestamp.get(timestamp);
    if (!found) {
      found = { transfers: [], tokenTransfers: [], stakingRewardTransfers: [] };
      byTimestamp.set(timestamp, found);
    }
    return found;
  };
  // Required columns of the tables, so every row has them.
  for (const row of rows.inserted('crypto_transfer')) {
    of(row.consensus_timestamp!).transfers.push({
      accountId: row.entity_id!,
      amount: row.amount!,
      isApproval: row.is_approval === true,
    });
  }
  for (const row of rows.inserted('token_transfer')) {
    of(row.consensus_timestamp!).tokenTransfers.push({
      tokenId: row.token_id!,
      accountId: row.account_id!,
      amount: row.amount!,
      isApproval: row.is_approval === true,
    });
  }
  for (const row of rows.inserted('staking_reward_transfer')) {
    of(row.consensus_timestamp!).stakingRewardTransfers.push({ accountId: row.account_id!, amount: row.amount! });
  }
  for (const row of rows.inserted('transaction') as {
    -readonly [C in keyof Row<'transaction'>]: Row<'transaction'>[C];
  }[]) {
    row.packed_transfers = packTransfers(of(row.consensus_timestamp!));
  }
}
