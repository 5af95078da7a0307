// A row of a table, and helpers of the makers of rows.
import type { JsonValue } from '../../postgres/wire/values.ts';
import type { SystemIds } from './setup-values.ts';
import type { JsonObject } from './spec-file.ts';

/** `table` may be a history table. Members without a column are ignored. */
export type SetupRow = { table: string; row: Record<string, unknown> };

export type Maker = (item: JsonObject, system: SystemIds) => SetupRow[];

/** A row with a closed range belongs to the history. */
export function version(table: string, row: Record<string, unknown>): SetupRow {
  const isClosed = row.timestamp_range !== undefined && !String(row.timestamp_range).endsWith(',)');
  return { table: isClosed ? `${table}_history` : table, row };
}

export function given(value: JsonValue | undefined, otherwise: JsonValue): JsonValue {
  return value === undefined ? otherwise : value;
}

export function convert(
  row: Record<string, unknown>,
  columns: readonly string[],
  change: (value: JsonValue) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, columns.includes(name) ? change(value as JsonValue) : value]),
  );
}
