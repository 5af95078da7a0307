// A node stake update ends a staking period: what accounts have earned in it is worked out with the same block.
import type { BulkOperation } from '../../store/write/block-changes.ts';
import type { BlockRows } from './block-rows.ts';

export function pendingRewardOperations(rows: BlockRows): BulkOperation[] {
  const timestamps = new Set(rows.inserted('node_stake').map((row) => row.consensus_timestamp!));
  return [...timestamps].map((timestamp) => ({ operation: 'updatePendingRewards', timestamp }));
}
