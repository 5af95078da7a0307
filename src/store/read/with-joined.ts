// A page with what other tables say of its rows: on one machine in one statement, with one index probe for each row and
// table; in a distributed database the page first, then each table with the keys of the whole page
// (`distributed/look-up.ts`).
import { toCamelCase } from '../../kit/camel-case.ts';
import type { Database } from '../wire/database.ts';
import { addFound } from './distributed/look-up.ts';
import { type Absent, columnsOf, type RowOf, type Selection, selectAll, selectQuery } from './statement/columns.ts';

/** What another table says of each row of `page`. */
export type Joined<Found> = {
  select: Selection<Found>;
  /** SQL that joins it to `page`. */
  sql: string;
  /** The same in a distributed database. The rows are changed. */
  add(db: Database, rows: readonly object[]): Promise<unknown>;
};

type FoundBy<Found> = {
  /** Of the statement in a distributed database. */
  name: string;
  table: string;
  alias: string;
  select: Selection<Found>;
  /** Its columns, of type int8, and those of `page` that they equal. */
  keys: Readonly<Record<string, string>>;
};

/** The first row with these keys; without one null in each member. */
export function foundBy<Found extends object>({
  alias,
  keys,
  ...lookUp
}: FoundBy<Found>): Joined<Found | Absent<Found>> {
  const { table, select } = lookUp;
  const equal = Object.entries(keys);
  const conditions = equal.map(([column, own]) => `${column} = page.${own}`).join(' and ');
  const members = equal.map(([column, own]) => {
    const member = toCamelCase(own);
    return [column, (row: Record<string, bigint | null>) => row[member]!] as const;
  });
  return {
    select: columnsOf(select, alias).optional(),
    sql: `left join lateral (select ${select.sql} from ${table} where ${conditions} limit 1) ${alias} on true`,
    add: (db, rows) => addFound(db, rows as Record<string, bigint | null>[], { ...lookUp, keys: members }),
  };
}

type PageQuery = {
  name: string;
  shape?: string;
  /** Common table expressions before `page`, with the comma after them. */
  tables?: string;
  /** Its rows in their order: all that follows the select list. */
  page: string;
  /** The same order, by columns of `page`. */
  order: string;
  values: unknown[];
};

type Found<Joins> = Joins extends readonly [Joined<infer First>, ...infer Rest] ? First & Found<Rest> : unknown;

export function withJoined<Row, const Joins extends readonly Joined<unknown>[]>(own: Selection<Row>, joins: Joins) {
  type Whole = Row & Found<Joins>;
  const select = selectAll(columnsOf(own, 'page'), ...joins.map((joined) => joined.select)) as Selection<Whole>;
  const sql = joins.map((joined) => joined.sql).join('\n');

  /** The rows are changed. */
  async function add(db: Database, rows: readonly Row[]): Promise<Whole[]> {
    await Promise.all(joins.map((joined) => joined.add(db, rows as readonly object[])));
    return rows as Whole[];
  }

  return {
    select,
    /** SQL that joins all of them to `page`. */
    sql,
    add,
    /** At most `size` rows. */
    async query(db: Database, query: PageQuery, size = Number.POSITIVE_INFINITY): Promise<Whole[]> {
      const { name, shape, tables = '', page, order, values } = query;
      if (db.isDistributed) {
        const rows = await db.query(selectQuery({ name: `${name}-page`, shape, select: own, from: page, values }));
        return add(db, rows.slice(0, size));
      }
      const paged = `${tables}page as (\n  select ${own.sql} ${page}\n)`;
      const from = `from page ${sql}\norder by ${order}`;
      return (await db.query(selectQuery({ name, shape, tables: paged, select, from, values }))).slice(0, size);
    },
  };
}

/** The rows of what is joined. */
export type RowWith<W extends { select: Selection<unknown> }> = RowOf<W['select']>;
