// The parts of work over whole tables (ledger-scans.ts).
import type pg from 'pg';
import type { TableName } from '../../schema/tables.ts';
import type { BulkOperation, WritableChanges } from './block-changes.ts';

export type ScanOperation = Extract<BulkOperation, { operation: 'takeBalanceSnapshot' | 'updatePendingRewards' }>;

/** A row of ledger_scan; int8 as text. */
export type Scan = {
  kind: ScanOperation['operation'];
  consensus_timestamp: string;
  account_id: string;
  phase: number;
  position: string | null;
  previous_timestamp: string | null;
  is_whole: boolean | null;
  name: string | null;
  balance: string | null;
  row_count: string;
};

/** Ids above `from`, up to `to`. */
export type IdRange = { from: string; to: string };

export type ScanPhase = {
  /** The scanned table, by this column, the first of its key. */
  table: TableName | 'stake_at_period_end';
  column: string;
  /** Writes the results for the range; resolves with the number of account_balance rows. */
  fill(client: pg.Client, scan: Scan, range: IdRange): Promise<number>;
};

export type ScanContext = {
  /** Parts that the same transaction wrote before. */
  written: WritableChanges['parts'];
  /** As of `TableMerger`. */
  beganLater: boolean;
};

export type ScanKind<Operation extends ScanOperation> = {
  phases: readonly ScanPhase[];
  /** Makes the row of ledger_scan. */
  begin(client: pg.Client, operation: Operation, context: ScanContext): Promise<void>;
  /** Writes the results for the rows that the part changes; resolves with the number of account_balance rows. */
  keep(client: pg.Client, scan: Scan, part: WritableChanges['parts'][number]): Promise<number>;
  /** Writes what marks the scan as complete for readers. */
  end(client: pg.Client, scan: Scan): Promise<void>;
};
