// Work over whole tables at the end of a block. A snapshot of all balances is due two minutes after the first block,
// then every fifteen minutes of consensus time: never by the clock, so the same files always give the same snapshots.

import { monthOf } from '../../../packages/kit/months.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { formatInstant } from '../../../packages/protocol/hapi/timestamp.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { SnapshotState } from '../../../packages/store/read/select-snapshot-state.ts';
import type { BulkOperation } from '../../../packages/store/write/block-changes.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import type { BlockRows } from '../rows/block-rows.ts';

const minuteNs = 60_000_000_000n;
const firstAfterNs = 2n * minuteNs;
const intervalNs = 15n * minuteNs;

export type BalanceSnapshots = {
  /**
   * The snapshot that is due at the end of this block. Call it once a block, in order. `system`: null while unknown.
   */
  operations(block: Pick<StreamBlock, 'consensusEnd' | 'transactions'>, system: SystemRealm | null): BulkOperation[];
};

export function createBalanceSnapshots({ lastSnapshot, firstBlockEnd }: SnapshotState): BalanceSnapshots {
  let last = lastSnapshot;
  let first = firstBlockEnd;

  return {
    operations: ({ consensusEnd, transactions }, system) => {
      first ??= consensusEnd;
      const due = last === null ? first + firstAfterNs : last + intervalNs;
      // A block without transactions changed nothing; the next one can carry the snapshot.
      if (system === null || consensusEnd < due || transactions.length === 0) return [];
      const snapshot: BulkOperation = {
        operation: 'takeBalanceSnapshot',
        timestamp: consensusEnd,
        treasuryId: systemEntityId('treasury', system),
        previousTimestamp: last,
        // The balance tables are partitioned by months.
        whole: last === null || monthOf(last) !== monthOf(consensusEnd),
        name: `${shortInstant(consensusEnd)}_Balances.pb.gz`,
      };
      last = consensusEnd;
      return [snapshot];
    },
  };
}

/** With 0, 3, 6 or 9 decimals, as few as needed. */
function shortInstant(timestamp: bigint): string {
  return formatInstant(timestamp).replace(/(?:\.000000000|(?:000){1,2})Z$/, 'Z');
}

/**
 * A node stake update ends a staking period: the rewards earned in it are computed with the same block.
 * @param system null while no block has named an account
 * @param leftOut transfers of the block that are not stored, but are part of the balances after it
 */
export function pendingRewardOperations(
  rows: BlockRows,
  system: SystemRealm | null,
  leftOut: readonly Row<'crypto_transfer'>[] = [],
): BulkOperation[] {
  if (system === null) return [];
  const rewardAccountId = systemEntityId('stakingRewards', system);
  const timestamps = new Set(rows.inserted('node_stake').map((row) => row.consensus_timestamp!));
  return [...timestamps].map((timestamp) => {
    const later = leftOut.filter((row) => row.consensus_timestamp! > timestamp);
    const unstored = later.map((row) => ({ accountId: row.entity_id!, amount: row.amount! }));
    return { operation: 'updatePendingRewards', timestamp, rewardAccountId, unstored };
  });
}
