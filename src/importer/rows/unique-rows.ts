// A block's rows with each key once. No ledger writes a key twice into a block, so nothing looks for it beforehand: it
// would cost every block something. Only when the database has refused a block for that reason is it looked for.
import type { Table } from '../../store/schema/table.ts';
import { type TableName, tables } from '../../store/schema/tables.ts';
import type { BlockChanges, TableChanges } from '../../store/write/block-changes.ts';

type AnyRow = Readonly<Record<string, unknown>>;

export type UniqueRows = {
  changes: BlockChanges /** Tables and how many rows each lost. */;
  dropped: Map<TableName, number>;
};

/** Of rows with the same key in an insert-only table the last one stays. */
export function dropRepeatedRows({ parts }: BlockChanges): UniqueRows {
  const dropped = new Map<TableName, number>();
  const uniqueParts = parts.map((part) => {
    if ('operation' in part) return part;
    const entries = Object.entries(part as Record<TableName, AnyRow[]>).map(([name, rows]) => {
      const table: Table = tables[name as TableName];
      if (table.kind !== 'insert') return [name, rows];
      const unique = [...new Map(rows.map((row) => [toKeyText(table, row), row])).values()];
      if (unique.length < rows.length) {
        dropped.set(name as TableName, (dropped.get(name as TableName) ?? 0) + rows.length - unique.length);
      }
      return [name, unique];
    });
    return Object.fromEntries(entries) as TableChanges;
  });
  return { changes: { parts: uniqueParts }, dropped };
}

function toKeyText({ key }: Table, row: AnyRow): string {
  return key
    .map((column) => {
      const value = row[column];
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
    })
    .join(',');
}
