// When a block's changes end with a snapshot of all balances: two minutes after the first block, then every fifteen
// minutes of consensus time. The times depend on blocks alone, never on the clock, so the same files always give the
// same snapshots.

import { type SystemRealm, systemEntityId } from '../../protocol/hapi/system-entity.ts';
import { formatInstant } from '../../protocol/hapi/timestamp.ts';
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import type { SnapshotState } from '../../store/read/select-snapshot-state.ts';
import type { BulkOperation } from '../../store/write/block-changes.ts';

const minuteNs = 60_000_000_000n;
const firstAfterNs = 2n * minuteNs;
const intervalNs = 15n * minuteNs;

export type BalanceSnapshots = {
  /**
   * The snapshot that is due at the end of this block, or none. Call it once a block, in order. `system`: null while no block
   * has named an account.
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
        whole: last === null || monthOf(last) !== monthOf(consensusEnd),
        name: `${shortInstant(consensusEnd)}_Balances.pb.gz`,
      };
      last = consensusEnd;
      return [snapshot];
    },
  };
}

/** UTC month, as the balance tables are partitioned. */
function monthOf(timestamp: bigint): string {
  return formatInstant(timestamp).slice(0, 'yyyy-mm'.length);
}

/** With 0, 3, 6 or 9 digits behind the seconds, as few as the value needs. */
function shortInstant(timestamp: bigint): string {
  return formatInstant(timestamp).replace(/(?:\.000000000|(?:000){1,2})Z$/, 'Z');
}
