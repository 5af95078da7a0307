// Columns of other tables for the rows of a page: on one machine within the page's statement, with one index probe for
// each row and table; in a distributed database each table is queried with the keys of the whole page
// (`distributed/look-up.ts`).

import { toCamelCase } from '../../kit/camel-case.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { addFound } from './distributed/look-up.ts';
import { type Absent, columnsOf, type Selection, selectAll } from './statement/columns.ts';

/** What is added to each row of `page`. */
export type Joined<Found> = {
  select: Selection<Found>;
  /** SQL that joins it to `page`. */
  sql: string;
  /** If the join repeats a row of `page`: merges the repeats into one row. */
  gather?: ((rows: readonly object[]) => object[]) | undefined;
  /** The same in a distributed database, where it cannot be joined. The rows are changed. */
  add?: (db: Database, rows: readonly object[]) => Promise<unknown>;
};

type FoundBy<Found> = {
  /** Of the statement in a distributed database. */
  name: string;
  table: string;
  alias: string;
  select: Selection<Found>;
  /** Its columns, of type int8, and those of `page` that they equal, or of what is joined before (`alias.column`). */
  keys: Readonly<Record<string, string>>;
  /** SQL: ` and …` that follows from the keys, by which partitions are left out before any is opened. */
  bounds?: string;
};

/** The first row with these keys; without one, null in each member. */
export function foundBy<Found extends object>({
  alias,
  keys,
  bounds = '',
  ...lookUp
}: FoundBy<Found>): Joined<Found | Absent<Found>> {
  const { table, select } = lookUp;
  const equal = Object.entries(keys);
  const conditions = equal
    .map(([column, own]) => `${column} = ${own.includes('.') ? own : `page.${own}`}`)
    .join(' and ');
  const members = equal.map(([column, own]) => {
    const member = toCamelCase(own.slice(own.indexOf('.') + 1));
    return [column, (row: Record<string, bigint | null>) => row[member]!] as const;
  });
  return {
    select: columnsOf(select, alias).optional(),
    sql: `left join lateral (select ${select.sql} from ${table} where ${conditions}${bounds} limit 1) ${alias} on true`,
    add: (db, rows) => addFound(db, rows as Record<string, bigint | null>[], { ...lookUp, keys: members }),
  };
}

type Found<Joins> = Joins extends readonly [Joined<infer First>, ...infer Rest] ? First & Found<Rest> : unknown;

/** Several as one. */
export function joinAll<const Joins extends readonly Joined<unknown>[]>(...joins: Joins) {
  return {
    select: selectAll(...joins.map(({ select }) => select)) as Selection<Found<Joins>>,
    sql: joins.map(({ sql }) => sql).join('\n'),
    gather: joins.find(({ gather }) => gather)?.gather,
    add: (db: Database, rows: readonly object[]) => Promise.all(joins.map((joined) => joined.add?.(db, rows))),
  };
}
