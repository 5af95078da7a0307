// Rows of another table for the rows of a page, selected with the keys of the whole page: Citus then asks only the
// machines that hold them.

import { toCamelCase } from '../../../kit/camel-case.ts';
import type { Database } from '../../../postgres/wire/database.ts';
import { type Absent, expression, type Selection, selectAll, selectQuery } from '../statement/columns.ts';

export type LookUp<Row, Found> = {
  /** Of the statement. */
  name: string;
  table: string;
  select: Selection<Found>;
  /** Columns of the table, of type int8, and what they equal; a row with null finds nothing. */
  keys: readonly (readonly [column: string, of: (row: Row) => bigint | null])[];
  /** SQL that begins with ` order by`; without it in no order. */
  order?: string;
};

/** Adds to each row the members of the first match, or null in each of them. The rows are changed. */
export async function addFound<Row extends object, Found extends object>(
  db: Database,
  rows: readonly Row[],
  lookUp: LookUp<Row, Found>,
): Promise<(Row & (Found | Absent<Found>))[]> {
  const found = await findOf(db, rows, lookUp);
  const absent = Object.fromEntries(
    lookUp.select.members.map((member) => [toCamelCase(member), null]),
  ) as Absent<Found>;
  return rows.map((row) => Object.assign(row, found(row)[0] ?? absent));
}

/** A function that returns the matches of a row: none, one or several. */
export async function findOf<Row, Found>(
  db: Database,
  rows: readonly Row[],
  { name, table, select, keys, order = '' }: LookUp<Row, Found>,
): Promise<(row: Row) => Found[]> {
  const keyOf = (row: Row): string | null => {
    const values = keys.map(([, of]) => of(row));
    return values.includes(null) ? null : values.join();
  };
  const wanted = rows.filter((row) => keyOf(row) !== null);
  const byKey = new Map<string, Found[]>();
  if (wanted.length > 0) {
    const values = keys.map(([, of]) => [...new Set(wanted.map((row) => of(row)!))]);
    const ofKeys = keys.map(([column], i) => expression(`key${i}`, 'int8', column));
    const conditions = keys.map(([column], i) => `${column} = any($${i + 1}::int8[])`);
    const query = selectQuery({
      name,
      select: selectAll(...ofKeys, select),
      from: `from ${table} where ${conditions.join(' and ')}${order}`,
      values,
    });
    for (const row of await db.query<Record<string, unknown>>(query)) {
      const key = keys.map((_, i) => row[`key${i}`]).join();
      for (const i of keys.keys()) delete row[`key${i}`];
      const others = byKey.get(key);
      if (others) others.push(row as Found);
      else byKey.set(key, [row as Found]);
    }
  }
  return (row) => byKey.get(keyOf(row) ?? '') ?? [];
}
