// When balances were last written down, and when the ledger began: what decides when the next snapshot is due.
import type { Database } from '../wire/database.ts';

export type SnapshotState = {
  /** Consensus timestamp of the newest snapshot; null without one. */
  lastSnapshot: bigint | null;
  /** Consensus end of the first block; null in an empty ledger. */
  firstBlockEnd: bigint | null;
};

export async function selectSnapshotState(db: Database): Promise<SnapshotState> {
  const [row] = await db.query<SnapshotState>({
    name: 'select-snapshot-state',
    text: `select
  (select max(consensus_timestamp) from account_balance_file) as "lastSnapshot",
  (select min(consensus_end) from record_file) as "firstBlockEnd"`,
  });
  return row!;
}
