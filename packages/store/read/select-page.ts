// A page of a table's rows in the order of their keys, alone or each with columns of other tables.

import { anyRange, isEmptyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import type { Joined } from './joined.ts';
import { choosing, type Selection, selectQuery } from './statement/columns.ts';
import { type Key, toKeyPart } from './statement/key-part.ts';
import { toOwnerPart } from './statement/owner-part.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

export type PageFilter = { order: 'asc' | 'desc'; limit: number };

/** `members`: the members of rows that the answer uses; other names are ignored. */
export type Wanted<Name> = { members: readonly Name[] };

export type PageQuery<Row> = {
  name: string;
  /** Identifies the text of `from` if it varies. */
  shape?: string;
  /** Common table expressions, without `with`. */
  tables?: string;
  select: Selection<Row>;
  /** SQL: a table and a condition. */
  from: string;
  /**
   * Column that has one value in all rows of the page, `values[0]`, and an index with the keys behind it: no condition
   * of `from`, but one that keeps PostgreSQL on that index (`toOwnerPart`). Then conditions that do not vary are in
   * `condition`, as ` and …`.
   */
  owner?: string;
  condition?: string;
  values: unknown[];
  /** Columns by which the rows are ordered, the most significant first, with the conditions on them. */
  keys: Readonly<Record<string, Range>>;
  /** Conditions on other columns. */
  further?: Readonly<Record<string, Range>>;
};

/** `limit`: null = all of them; `after`: only rows after these keys; null = from the beginning. */
type Extent = Pick<PageFilter, 'order'> & { limit: number | null; after?: readonly bigint[] | null };

/** All rows, in ascending order. */
export const allRows: Extent = { order: 'asc', limit: null };

export async function selectPage<Row, Found = unknown>(
  db: Database,
  filter: Extent,
  query: PageQuery<Row>,
  joined?: Joined<Found>,
): Promise<(Row & Found)[]> {
  if (isEmptyPage(query)) return [];
  const add = db.isDistributed ? joined?.add : undefined;
  const { shape, page, by } = toPageSql(db, filter, query);
  const { name, tables, select, values } = query;
  const statement =
    joined && !add
      ? {
          name,
          select: { ...select, sql: `page.*, ${joined.select.sql}` },
          from: `from (select ${select.sql} ${page}) page\n${joined.sql}${toOrderSql(by.map((key) => `page.${key}`))}`,
        }
      : { name: add ? `${name}-page` : name, select, from: page };
  const found = (await db.query(selectQuery({ ...statement, shape, tables, values }))) as object[];
  const gathered = joined?.gather && !add ? joined.gather(found) : found;
  const rows = filter.limit === null ? gathered : gathered.slice(0, filter.limit);
  await add?.(db, rows);
  return rows as (Row & Found)[];
}

/** `all`: the columns to choose from; `needed`: members that are always read. Joined columns are all read. */
export function pageReader<Row, Needed extends keyof Row, Filter, Found = unknown>(
  all: Selection<Row>,
  needed: readonly Needed[],
  toQuery: (filter: Filter) => Omit<PageQuery<unknown>, 'select'>,
  joined?: Joined<Found>,
) {
  const select = choosing(all, needed);
  return <Name extends string>(db: Database, filter: Filter & PageFilter & Wanted<Name>) =>
    selectPage(db, filter, { ...toQuery(filter), select: select(filter.members) }, joined);
}

/** Whether its conditions leave nothing. */
export function isEmptyPage({ keys, further }: Pick<PageQuery<unknown>, 'keys' | 'further'>): boolean {
  for (const column in further) if (isEmptyRange(further[column]!)) return true;
  // Bounds of further keys apply only at those of the first.
  const [first] = Object.values(keys);
  return first !== undefined && isEmptyRange(first);
}

/** `by`: the columns of the order, each with its direction. */
export function toPageSql(
  db: Database,
  filter: Extent,
  { shape, from, owner, condition = '', values, keys, further }: PageQuery<unknown>,
) {
  const { order } = filter;
  const limit = filter.limit === null ? '' : toLiteralLimit(filter.limit);
  const listed = Object.entries(keys).map(([column, range]) => ({ column, range }));
  const hidden = owner === undefined || db.isDistributed ? [] : hideExactKeys(listed);
  let { code, sql } = toKeysPart(listed, values, filter);
  let before = '';
  if (owner !== undefined) {
    const { column, range } = listed[0]!;
    const part = toOwnerPart(db, { owner, column, range }, values);
    code += `-${part.code}`;
    sql = `${part.sql}${condition}${sql}`;
    if (part.isOrdered) before = `${owner} ${order}, `;
  }
  for (const { column, place, equals } of hidden) {
    const part = toRangePart({ ...anyRange, equals }, values);
    code += `-h${place}${part.code}`;
    sql += part.sql(`(${column} + 0)`);
  }
  for (const column in further) {
    const part = toRangePart(further[column]!, values);
    code += `-${part.code}`;
    sql += part.sql(column);
  }
  const by = listed.map(({ column }) => `${column} ${order}`);
  return {
    shape: `${order}${limit}-${code}-${shape ?? ''}`,
    page: `from ${from}${sql}${toOrderSql(by, before)}${limit && ` limit ${limit}`}`,
    by,
  };
}

/**
 * Exact values of keys behind an open first one narrow no index of the owner. But PostgreSQL would skip to them in an
 * index that begins with the first key, through the rows of all owners: so they become conditions that no index has.
 * Changes the keys.
 */
function hideExactKeys([first, ...others]: Key[]) {
  if (first!.range.equals.length > 0) return [];
  return others.flatMap((key, place) => {
    const { equals } = key.range;
    if (equals.length === 0) return [];
    key.range = { ...key.range, equals: [] };
    return [{ column: key.column, place, equals }];
  });
}

export function toOrderSql(by: readonly string[], before = ''): string {
  return by.length === 0 ? '' : `\norder by ${before}${by.join(', ')}`;
}

function toKeysPart(keys: readonly Key[], values: unknown[], filter: Parameters<typeof toKeyPart>[2]) {
  const [only] = keys;
  if (keys.length !== 1) return toKeyPart(keys, values, filter);
  const part = toRangePart(only!.range, values);
  return { code: part.code, sql: part.sql(only!.column) };
}
