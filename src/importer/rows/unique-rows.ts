// A block's rows with each key once. No ledger writes a key twice in a block, so this is not checked beforehand, which
// would slow down every block: only when the database has refused a block for that reason.

import type { Table } from '../../../packages/schema/table.ts';
import { type TableName, tables } from '../../../packages/schema/tables.ts';
import type { TableChanges, WritableChanges } from '../../../packages/store/write/block-changes.ts';
import { lastOfEachKey } from '../../../packages/store/write/encoded-rows.ts';
import { type AnyRow, createRowKey } from './merge-versions.ts';

export type UniqueRows = {
  changes: WritableChanges;
  /** Tables and how many rows each lost. */
  dropped: Map<TableName, number>;
};

/** Of rows with the same key in an insert-only table the last one stays; tables without a key keep all. */
export function dropRepeatedRows({ parts }: WritableChanges): UniqueRows {
  const dropped = new Map<TableName, number>();
  const note = (name: TableName, count: number): void => {
    if (count > 0) dropped.set(name, (dropped.get(name) ?? 0) + count);
  };
  const uniqueParts = parts.map((part) => {
    if ('operation' in part) return part;
    if ('encoded' in part) {
      const encoded = part.encoded.map((rows) => {
        const unique = lastOfEachKey(rows);
        note(rows.name, rows.count - unique.count);
        return unique;
      });
      return { encoded };
    }
    const entries = Object.entries(part as Record<TableName, AnyRow[]>).map(([name, rows]) => {
      const table: Table = tables[name as TableName];
      if (table.kind !== 'insert' || table.key.length === 0) return [name, rows];
      const keyOf = createRowKey(table);
      const unique = [...new Map(rows.map((row) => [keyOf(row), row])).values()];
      note(name as TableName, rows.length - unique.length);
      return [name, unique];
    });
    return Object.fromEntries(entries) as TableChanges;
  });
  return { changes: { parts: uniqueParts }, dropped };
}
