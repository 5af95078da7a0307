// Rows of versioned tables for many keys, now or at a time: one statement with a probe for each key.
// `unnest((select $1))`: for the lists themselves PostgreSQL counts their values, finds each plan cheaper than the
// general one, and plans again each time, which took four times as long as the statement.

import type { Database } from '../../../postgres/wire/database.ts';
import type { ColumnName, TableName } from '../../../schema/tables.ts';
import { columns, expression, type RowOf, type Selection, selectAll, selectQuery } from '../statement/columns.ts';
import { latestVersion } from '../statement/statement-parts.ts';

type Source = {
  table: TableName;
  names: readonly string[];
  keys: readonly string[];
  optional: boolean;
  /**
   * Two keys, where an index of the second alone would lead to more rows: only an index of both serves bounds on the
   * pair.
   */
  together?: readonly [string, string];
};

type VersionedSource<Row> = Source & { select: Selection<Row>; alias: string };

/**
 * `keys`: columns that equal the parts of a key, in its order. An optional one may be missing, then its members are
 * null.
 */
export function versionsOf<T extends TableName, Name extends ColumnName<T>>(
  table: T,
  names: readonly Name[],
  keys: readonly ColumnName<T>[],
) {
  const select = columns(table, names, table);
  return { table, alias: table, names, keys, select, optional: false } satisfies VersionedSource<RowOf<typeof select>>;
}

export type VersionsQuery<Row> = {
  name: string;
  /** All rows of a key together: those that are not optional must be there. */
  sources: readonly Source[];
  /** Of the rows, with what else belongs to them. */
  select: Selection<Row>;
  /** int8 each. */
  keys: readonly (readonly bigint[])[];
  /** ns; null = the current versions. */
  until: bigint | null;
};

/** By the place of the key. */
export async function selectVersions<Row>(
  db: Database,
  { name, sources, select, keys, until }: VersionsQuery<Row>,
): Promise<Map<number, Row>> {
  if (keys.length === 0) return new Map();
  const parts = keys[0]!.map((_, part) => part);
  const shape = until === null ? '' : 'past';
  const joined = (toKey: (part: number) => string, time: string): string =>
    sources
      .map((source) => {
        const rows = versions(source, toKey, until === null ? null : time);
        return `${source.optional ? 'left' : 'inner'} join lateral ${rows} ${source.table} on true`;
      })
      .join('\n');
  const values = (of: readonly unknown[]): unknown[] => (until === null ? [...of] : [...of, until]);
  const time = `$${parts.length + 1}`;
  if (db.isDistributed) {
    const one = async (key: readonly bigint[], place: number): Promise<[number, Row][]> => {
      const from = `from (select 1) a\n${joined((part) => `$${part + 1}::int8`, time)}`;
      const rows = await db.query(selectQuery({ name: `${name}-alone`, shape, select, from, values: values(key) }));
      return rows.map((row) => [place, row]);
    };
    return new Map((await Promise.all(keys.map(one))).flat());
  }
  const lists = parts.map((part) => keys.map((key) => key[part]!));
  const from = `from unnest(${parts.map((part) => `(select $${part + 1}::int8[])`).join(', ')})
  with ordinality a (${parts.map((part) => `k${part}`).join(', ')}, place)
${joined((part) => `a.k${part}`, time)}`;
  const placed = selectAll(expression('place', 'int8', 'a.place'), select as Selection<object>);
  const rows = await db.query(selectQuery({ name, shape, select: placed, from, values: values(lists) }));
  return new Map(rows.map(({ place, ...row }) => [Number(place) - 1, row as Row]));
}

function versions(source: Source, toKey: (part: number) => string, time: string | null): string {
  const { table, names, keys, together } = source;
  const keyOf = (column: string) => toKey(keys.indexOf(column));
  const equal = keys.filter((column) => column !== together?.[1]).map((column) => `${column} = ${keyOf(column)}`);
  if (together) {
    const [pair, values] = [`(${together.join(', ')})`, `(${together.map(keyOf).join(', ')})`];
    equal.push(`${pair} >= ${values} and ${pair} <= ${values}`);
  }
  const condition = equal.join(' and ');
  if (time === null) return `(select ${names.join(', ')} from ${table} where ${condition} limit 1)`;
  const list = [...new Set([...names, 'timestamp_range'])] as ColumnName<typeof table>[];
  return latestVersion(table, list, `${condition} and lower(timestamp_range) <= ${time}`);
}
