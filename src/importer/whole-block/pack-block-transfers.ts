// Gives each transaction of a block a copy of its transfers, so that pages of transactions are read with one probe a
// row. Runs when the block's rows are complete: no later block adds a transfer to a transaction.

import { compareBigints } from '../../../packages/kit/compare-bigints.ts';
import { packTransfers } from '../../../packages/schema/packed-transfers.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockRows } from '../rows/block-rows.ts';

type Writable<Of> = { -readonly [Name in keyof Of]: Of[Name] };

export function packBlockTransfers(rows: BlockRows): void {
  const transfersAt = createMoments(rows.inserted('crypto_transfer'));
  const tokenTransfersAt = createMoments(rows.inserted('token_transfer'));
  const rewardsAt = createMoments(rows.inserted('staking_reward_transfer'));
  for (const row of inOrderOfTime(rows.inserted('transaction')) as Writable<Row<'transaction'>>[]) {
    const timestamp = row.consensus_timestamp!;
    // Required columns of the tables, so every row has them.
    row.packed_transfers = packTransfers({
      transfers: transfersAt(timestamp).map((one) => ({
        accountId: one.entity_id!,
        amount: one.amount!,
        isApproval: one.is_approval === true,
      })),
      tokenTransfers: tokenTransfersAt(timestamp).map((one) => ({
        tokenId: one.token_id!,
        accountId: one.account_id!,
        amount: one.amount!,
        isApproval: one.is_approval === true,
      })),
      stakingRewardTransfers: rewardsAt(timestamp).map((one) => ({ accountId: one.account_id!, amount: one.amount! })),
    });
  }
}

type Timed = { readonly consensus_timestamp?: bigint | null };

/**
 * The rows of a moment; to be asked for moments in ascending order. What one transaction needs lives no longer than its
 * turn: held for the whole block, it would be copied by the garbage collector.
 */
function createMoments<Of extends Timed>(given: readonly Of[]): (timestamp: bigint) => readonly Of[] {
  const rows = inOrderOfTime(given);
  let start = 0;
  let end = 0;
  return (timestamp) => {
    if (start === end || rows[start]!.consensus_timestamp !== timestamp) {
      start = end;
      while (start < rows.length && rows[start]!.consensus_timestamp! < timestamp) start += 1;
      end = start;
      while (end < rows.length && rows[end]!.consensus_timestamp === timestamp) end += 1;
    }
    return start === end ? [] : rows.slice(start, end);
  };
}

/** As they are where they follow each other, as in a block. */
function inOrderOfTime<Of extends Timed>(rows: readonly Of[]): readonly Of[] {
  for (let place = 1; place < rows.length; place++) {
    if (rows[place]!.consensus_timestamp! < rows[place - 1]!.consensus_timestamp!)
      return rows.toSorted((one, other) => compareBigints(one.consensus_timestamp!, other.consensus_timestamp!));
  }
  return rows;
}
