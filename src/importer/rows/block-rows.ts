// Collects the rows of one block and merges versions in memory, so that each table is written once. Invariant: the rows
// of one key are in order of time, closed versions first and the latest one last; a key with adjustments only has
// exactly one row without `timestamp_range`.

import type { TimestampRange } from '../../../packages/postgres/wire/values.ts';
import type { Table } from '../../../packages/schema/table.ts';
import { type Row, type TableName, tables } from '../../../packages/schema/tables.ts';
import type { BlockChanges, BulkOperation, TableChanges } from '../../../packages/store/write/block-changes.ts';
import { type AnyRow, createRowKey, createVersionMerger, type RowKey, type VersionMerger } from './merge-versions.ts';

export type BlockRows = {
  /** Adds a row to an insert-only table. */
  insert<T extends TableName>(table: T, row: Row<T>): void;
  /** Merges into the one row of that key (tables of kind `upsert`). */
  upsert<T extends TableName>(table: T, row: Row<T>): void;
  /** A change of a versioned table: a new version with `timestamp_range`, an adjustment of the latest one without. */
  version<T extends TableName>(table: T, row: Row<T>): void;
  /** Adds to an account's balance: `version('entity', …)` for the most frequent change of all. */
  adjustBalance(accountId: bigint, amountTinybar: bigint, timestamp: bigint): void;
  /** The newest in-block row of that key, for rules that depend on it. */
  latest<T extends TableName>(table: T, key: Row<T>): Row<T> | undefined;
  /** Rows inserted so far, in order. */
  inserted<T extends TableName>(table: T): readonly Row<T>[];
  /** The rows of an `upsert` table so far, those of earlier parts first. */
  upserted<T extends TableName>(table: T): readonly Row<T>[];
  /** Ends the current part: earlier rows are stored when the operation runs. */
  operation(operation: BulkOperation): void;
  changes(): BlockChanges;
};

export function createBlockRows(): BlockRows {
  const finished: (Part | BulkOperation)[] = [];
  let part = createPart();

  const keyedRows = (name: TableName): KeyedRows => {
    const existing = part.keyed.get(name);
    if (existing) return existing;
    const created: KeyedRows = { latest: new Map(), closed: new Map() };
    part.keyed.set(name, created);
    return created;
  };

  const version = (name: TableName, row: AnyRow): void => {
    const { latest, closed } = keyedRows(name);
    const plan = plans[name];
    const key = plan.keyOf(row);
    const current = latest.get(key);
    if (current === undefined) {
      latest.set(key, row);
      return;
    }
    const range = row.timestamp_range as TimestampRange | undefined;
    if (!range) {
      plan.merger.mergeInto(current, row, 'adjustment');
      return;
    }
    const currentRange = current.timestamp_range as TimestampRange | undefined;
    const merged = plan.merger.merge(current, row, 'version');
    if (currentRange && currentRange.from < range.from) {
      const earlier = closed.get(key);
      const ended = { ...current, timestamp_range: { from: currentRange.from, to: range.from } };
      if (earlier) earlier.push(ended);
      else closed.set(key, [ended]);
      merged.timestamp_range = range;
    } else {
      merged.timestamp_range = currentRange ?? range;
    }
    latest.set(key, merged);
  };

  return {
    insert: (name, row) => {
      const rows = part.inserted.get(name);
      if (rows) rows.push(row);
      else part.inserted.set(name, [row]);
    },
    upsert: (name, row) => {
      const { latest } = keyedRows(name);
      const plan = plans[name];
      const key = plan.keyOf(row);
      const current = latest.get(key);
      if (current) plan.merger.mergeInto(current, row, 'version');
      else latest.set(key, row);
    },
    version,
    adjustBalance: (id, amount, timestamp) => {
      const current = keyedRows('entity').latest.get(id);
      if (current) {
        current.balance = typeof current.balance === 'bigint' ? current.balance + amount : amount;
        current.balance_timestamp = timestamp;
      } else {
        version('entity', { id, balance: amount, balance_timestamp: timestamp });
      }
    },
    latest: (name, key) => {
      const rowKey = plans[name].keyOf(key);
      const row = part.keyed.get(name)?.latest.get(rowKey);
      if (row || finished.length === 0) return row as Row<typeof name> | undefined;
      const parts = finished.filter((one) => 'keyed' in one);
      const found = parts.findLast((one) => one.keyed.get(name)?.latest.has(rowKey));
      return found?.keyed.get(name)?.latest.get(rowKey) as Row<typeof name> | undefined;
    },
    inserted: (name) => {
      const rows = part.inserted.get(name) ?? [];
      const earlier = finished.flatMap((one) => ('inserted' in one ? (one.inserted.get(name) ?? []) : []));
      return (earlier.length > 0 ? [...earlier, ...rows] : rows) as Row<typeof name>[];
    },
    upserted: (name) =>
      [...finished, part].flatMap((one) =>
        'keyed' in one ? ([...(one.keyed.get(name)?.latest.values() ?? [])] as Row<typeof name>[]) : [],
      ),
    operation: (operation) => {
      finished.push(part, operation);
      part = createPart();
    },
    changes: () => ({ parts: [...finished, part].map((one) => ('keyed' in one ? toTableChanges(one) : one)) }),
  };
}

type KeyedRows = { latest: Map<RowKey, AnyRow>; closed: Map<RowKey, AnyRow[]> };
type Part = { inserted: Map<TableName, AnyRow[]>; keyed: Map<TableName, KeyedRows> };

function createPart(): Part {
  return { inserted: new Map(), keyed: new Map() };
}

function toTableChanges({ inserted, keyed }: Part): TableChanges {
  const changes: Record<string, AnyRow[]> = {};
  for (const [name, rows] of inserted) changes[name] = rows;
  for (const [name, { latest, closed }] of keyed) {
    if (closed.size === 0) {
      changes[name] = [...latest.values()];
      continue;
    }
    const rows: AnyRow[] = [];
    for (const [key, row] of latest) {
      for (const earlier of closed.get(key) ?? []) rows.push(earlier);
      rows.push(row);
    }
    changes[name] = rows;
  }
  return changes as TableChanges;
}

type Plan = { keyOf(row: AnyRow): RowKey; merger: VersionMerger };

const plans = Object.fromEntries(
  Object.entries(tables).map(([name, table]: [string, Table]) => [
    name,
    { keyOf: createRowKey(table), merger: createVersionMerger(table) },
  ]),
) as Record<TableName, Plan>;
