// A node stake update ends a staking period: what accounts have earned in it is worked out with the same block.
import { type SystemRealm, systemEntityId } from '../../protocol/hapi/system-entity.ts';
import type { Row } from '../../store/schema/tables.ts';
import type { BulkOperation } from '../../store/write/block-changes.ts';
import type { BlockRows } from '../rows/block-rows.ts';

/**
 * @param system null while no block has named an account
 * @param leftOut transfers of the block that are not stored, and yet are part of the balances after it
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
