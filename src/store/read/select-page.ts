// A page of a table's rows in the order of their keys, alone or each with columns of a row of another table.
import { toCamelCase } from '../../kit/camel-case.ts';
import { isEmptyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { addFound } from './distributed/look-up.ts';
import { type Absent, choosing, type Selection, selectQuery } from './statement/columns.ts';
import { type Key, toKeyPart } from './statement/key-part.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

export type PageFilter = { order: 'asc' | 'desc'; limit: number };

/** `members`: which members of its rows an answer takes. */
export type Wanted<Name> = { members: readonly Name[] };

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
async function selectPage<Row>(
  db: Database,
  filter: PageFilter & { after?: readonly bigint[] | null },
  query: PageQuery<Row>,
): Promise<Row[]> {
  if (leavesNothing(query)) return [];
  const { shape, page } = toPageSql(filter, query);
  const { name, select, values } = query;
  return (await db.query(selectQuery({ name, shape, select, from: page, values }))).slice(0, filter.limit);
}

/** `all`: what the select list is chosen from; `needed`: members that are read even where no answer takes them. */
export function pageReader<Row, Needed extends keyof Row, Filter>(
  all: Selection<Row>,
  needed: readonly Needed[],
  toQuery: (filter: Filter) => Omit<PageQuery<unknown>, 'select'>,
) {
  const select = choosing(all, needed);
  return <Name extends keyof Row>(db: Database, filter: Filter & PageFilter & Wanted<Name>) =>
    selectPage(db, filter, { ...toQuery(filter), select: select(filter.members) });
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
  const { shape, page } = toPageSql(filter, query);
  const by = Object.keys(query.keys).map((column) => `page.${column} ${filter.order}`);
  const statement = selectQuery({
    name: query.name,
    shape,
    select: { ...query.select, sql: 'page.*, other.*' },
    from: `from (select ${query.select.sql} ${page}) page
left join lateral (select ${other.select.sql} from ${other.table} where ${key} = page.${of} limit 1) other on true${toOrderSql(by)}`,
    values: query.values,
  });
  return (await db.query(statement)).slice(0, filter.limit) as (Row & (Found | Absent<Found>))[];
}

/** A range of the first key, or of another column, that is empty; those of further keys hold at bounds of the first only. */
function leavesNothing({ keys, further }: PageQuery<unknown>): boolean {
  for (const column in further) if (isEmptyRange(further[column]!)) return true;
  const [first] = Object.values(keys);
  return first !== undefined && isEmptyRange(first);
}

function toPageSql(
  filter: PageFilter & { after?: readonly bigint[] | null },
  { select, from, values, keys, further }: PageQuery<unknown>,
) {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const listed = Object.entries(keys).map(([column, range]) => ({ column, range }));
  let { code, sql } = toKeysPart(listed, values, filter);
  for (const column in further) {
    const part = toRangePart(further[column]!, values);
    code += `-${part.code}`;
    sql += part.sql(column);
  }
  const by = listed.map(({ column }) => `${column} ${order}`);
  return {
    shape: `${order}${limit}-${code}-${select.shape ?? ''}`,
    page: `from ${from}${sql}${toOrderSql(by)} limit ${limit}`,
  };
}

function toOrderSql(by: readonly string[]): string {
  return by.length === 0 ? '' : `\norder by ${by.join(', ')}`;
}

function toKeysPart(keys: readonly Key[], values: unknown[], filter: Parameters<typeof toKeyPart>[2]) {
  const [only] = keys;
  if (keys.length !== 1) return toKeyPart(keys, values, filter);
  const part = toRangePart(only!.range, values);
  return { code: part.code, sql: part.sql(only!.column) };
}
