// A page of a table's rows in the order of their keys, with what a row of another table says of each where that is wanted.
import { toCamelCase } from '../../kit/camel-case.ts';
import { isEmptyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { type Absent, columnsOf, type Selection, selectAll, selectQuery } from './columns.ts';
import { addFound } from './distributed/look-up.ts';
import { type Key, toKeyPart } from './key-part.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';

export type PageFilter = { order: 'asc' | 'desc'; limit: number };

export type PageQuery<Row> = {
  name: string;
  select: Selection<Row>;
  /** SQL: a table and a condition. */
  from: string;
  values: unknown[];
  /** Columns by which the rows are ordered, the one that counts most first, with the conditions on them. */
  keys: Readonly<Record<string, Range>>;
  /** Conditions on other columns. */
  further?: Readonly<Record<string, Range>>;
};

/** `after`: only what comes after a row with these keys; null = from the beginning. */
export async function selectPage<Row>(
  db: Database,
  filter: PageFilter & { after?: readonly bigint[] | null },
  query: PageQuery<Row>,
): Promise<Row[]> {
  if (leavesNothing(query)) return [];
  const { shape, page } = toPageSql(filter, query);
  const { name, select, values } = query;
  return (await db.query(selectQuery({ name, shape, select, from: page, values }))).slice(0, filter.limit);
}

/** One row of another table. */
type Other<Found> = {
  /** Of the statement that looks several up. */
  name: string;
  table: string;
  select: Selection<Found>;
  /** Its column that equals the column `of` of the page. */
  key: string;
  of: string;
};

/** Each row with the members of the other table's, or with null in each of them. */
export async function selectPageWith<Row extends object, Found extends object>(
  db: Database,
  filter: PageFilter,
  query: PageQuery<Row>,
  { key, of, ...other }: Other<Found>,
): Promise<(Row & (Found | Absent<Found>))[]> {
  if (db.isDistributed) {
    const rows = await selectPage(db, filter, { ...query, name: `${query.name}-alone` });
    const member = toCamelCase(of) as keyof Row;
    return addFound(db, rows, { ...other, keys: [[key, (row) => row[member] as bigint | null]] });
  }
  if (leavesNothing(query)) return [];
  const { shape, page, orderBy } = toPageSql(filter, query);
  const statement = selectQuery({
    name: query.name,
    shape,
    select: selectAll(columnsOf(query.select, 'page'), columnsOf(other.select, 'other').optional()),
    from: `from (select ${query.select.sql} ${page}) page
left join lateral (select ${other.select.sql} from ${other.table} where ${key} = page.${of} limit 1) other on true${orderBy('page.')}`,
    values: query.values,
  });
  return (await db.query(statement)).slice(0, filter.limit) as (Row & (Found | Absent<Found>))[];
}

/** A range of the first key, or of another column, that is empty; those of further keys hold at bounds of the first only. */
function leavesNothing({ keys, further = {} }: PageQuery<unknown>): boolean {
  return [...Object.values(keys).slice(0, 1), ...Object.values(further)].some(isEmptyRange);
}

function toPageSql(
  filter: PageFilter & { after?: readonly bigint[] | null },
  { from, values, keys, further = {} }: PageQuery<unknown>,
) {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const listed = Object.entries(keys).map(([column, range]) => ({ column, range }));
  const conditions = [
    toKeysPart(listed, values, filter),
    ...Object.entries(further).map(([column, range]) => {
      const part = toRangePart(range, values);
      return { code: part.code, sql: part.sql(column) };
    }),
  ];
  const orderBy = (prefix: string) =>
    listed.length === 0 ? '' : `\norder by ${listed.map(({ column }) => `${prefix}${column} ${order}`).join(', ')}`;
  return {
    shape: `${order}${limit}-${conditions.map(({ code }) => code).join('-')}`,
    page: `from ${from}${conditions.map(({ sql }) => sql).join('')}${orderBy('')} limit ${limit}`,
    orderBy,
  };
}

function toKeysPart(keys: readonly Key[], values: unknown[], filter: Parameters<typeof toKeyPart>[2]) {
  const [only] = keys;
  if (keys.length !== 1) return toKeyPart(keys, values, filter);
  const part = toRangePart(only!.range, values);
  return { code: part.code, sql: part.sql(only!.column) };
}
