// Merges rows with the stored ones: adjustments in place, versions and upserts by one statement a table, all prepared
// once per connection.
import type pg from 'pg';
import type { Table } from '../../schema/table.ts';
import { encodeArrays } from './array-parameters.ts';
import { adjustStatement, asksBeginning, mergeStatement } from './merge-sql.ts';
import type { AnyRow } from './row-encoder.ts';

/** `beganLater`: whether the database does not have the ledger's beginning. */
export type TableMerger = (client: pg.Client, rows: readonly AnyRow[], beganLater: boolean) => Promise<void>;

export function createTableMerger(name: string, table: Table): TableMerger {
  const columns = Object.keys(table.columns);
  const merge = { name: `merge-${name}`, text: mergeStatement(name, table) };
  const adjustments = new Map<string, { name: string; text: string; columns: string[] }>();
  const adjustmentOf = (used: string[]) => {
    const id = used.join();
    const known = adjustments.get(id);
    if (known) return known;
    const made = {
      name: `adjust-${name}-${adjustments.size}`,
      text: adjustStatement(name, table, used),
      columns: used,
    };
    adjustments.set(id, made);
    return made;
  };
  const valuesOf = (used: readonly string[], rows: readonly AnyRow[], beganLater: boolean): unknown[] => [
    ...encodeArrays(table, used, rows),
    ...(asksBeginning(table, used) ? [beganLater] : []),
  ];
  return async (client, rows, beganLater) => {
    const adjusting = table.kind === 'versioned' ? rows.filter((row) => !row.timestamp_range) : [];
    const merging = table.kind === 'versioned' ? rows.filter((row) => row.timestamp_range) : rows;
    if (adjusting.length > 0) {
      const used = columns.filter(
        (column) =>
          table.key.includes(column) || adjusting.some((row) => row[column] !== undefined && row[column] !== null),
      );
      if (used.length > table.key.length) {
        const { name: statement, text } = adjustmentOf(used);
        await client.query({ name: statement, text, values: valuesOf(used, adjusting, beganLater) });
      }
    }
    if (merging.length > 0) await client.query({ ...merge, values: valuesOf(columns, merging, beganLater) });
  };
}
