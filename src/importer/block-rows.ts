// Collects the rows of one block and merges versions in memory (reference: streams §2.2), so that each table is written
// once. Contract only so far; `createBlockRows` makes one.
import type { BlockChanges, BulkOperation } from '../store/block-changes.ts';
import type { Row, TableName } from '../store/tables.ts';

export type BlockRows = {
  /** Adds a row to an insert-only table. */
  insert<T extends TableName>(table: T, row: Row<T>): void;
  /** Merges into the one row of that key (tables of kind `upsert`). */
  upsert<T extends TableName>(table: T, row: Row<T>): void;
  /**
   * A change of a versioned table. With `timestamp_range` {from: ts, to: null} it is a new version; without, it only
   * adjusts the latest one (balances, nonces, supplies).
   */
  version<T extends TableName>(table: T, row: Row<T>): void;
  /** The newest in-block row of that key, for rules that depend on it. */
  latest<T extends TableName>(table: T, key: Row<T>): Row<T> | undefined;
  /** Ends the current part: what came before is in place when the operation runs. */
  operation(operation: BulkOperation): void;
  changes(): BlockChanges;
};
