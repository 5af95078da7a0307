// When balances were last recorded, and when the ledger began: this decides when the next snapshot is due.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

/**
 * Consensus timestamp of the newest snapshot, even an unfinished one; consensus end of the first block. Each may be
 * null.
 */
export type SnapshotState = RowOf<typeof snapshotState>;

const snapshotState = selectAll(
  expression(
    'lastSnapshot',
    'int8',
    `greatest((select max(consensus_timestamp) from account_balance_file),
  (select consensus_timestamp from ledger_scan where kind = 'takeBalanceSnapshot'))`,
  ).nullable(),
  expression('firstBlockEnd', 'int8', '(select min(consensus_end) from record_file)').nullable(),
);

export async function selectSnapshotState(db: Database): Promise<SnapshotState> {
  return (await selectOne(db, { name: 'select-snapshot-state', select: snapshotState }))!;
}
