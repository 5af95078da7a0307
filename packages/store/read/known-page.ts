// A page of what belongs to an entity, and whether that entity is known, in one statement: both as of one moment,
// without a transaction around two statements.

import { toCamelCase } from '../../kit/camel-case.ts';
import type { Database } from '../../postgres/wire/database.ts';
import type { Joined } from './joined.ts';
import { selectEntityKind } from './select-contract-creation.ts';
import {
  isEmptyPage,
  type PageFilter,
  type PageQuery,
  selectPage,
  toOrderSql,
  toPageSql,
  type Wanted,
} from './select-page.ts';
import { choosing, type Selection, selectQuery } from './statement/columns.ts';

/**
 * As `pageReader`; `values[0]` of the query is the id of the entity. null = there is no such entity, of whatever type.
 */
export function knownPageReader<Row, Needed extends keyof Row, Filter, Found = unknown>(
  all: Selection<Row>,
  needed: readonly Needed[],
  toQuery: (filter: Filter) => Omit<PageQuery<unknown>, 'select'>,
  joined?: Joined<Found>,
) {
  const select = choosing(all, needed);
  return <Name extends string>(db: Database, filter: Filter & PageFilter & Wanted<Name>) =>
    selectKnownPage(db, filter, { ...toQuery(filter), select: select(filter.members) }, joined);
}

/** The first key is one of the selected columns, and never null. */
async function selectKnownPage<Row, Found>(
  db: Database,
  filter: PageFilter,
  query: PageQuery<Row>,
  joined?: Joined<Found>,
): Promise<(Row & Found)[] | null> {
  const { name, select, values, keys } = query;
  const id = values[0] as bigint;
  if (isEmptyPage(query)) return (await isKnown(db, id)) ? [] : null;
  if (db.isDistributed) {
    return db.snapshot(async (own) => ((await isKnown(own, id)) ? selectPage(own, filter, query, joined) : null));
  }
  const { shape, page, by } = toPageSql(db, filter, query);
  const found = await db.query(
    selectQuery({
      name,
      shape,
      select: { ...select, sql: joined ? `page.*, ${joined.select.sql}` : 'page.*' },
      from: `from (select id from entity where id = $1) known
left join (select ${select.sql} ${page}) page on true${joined ? `\n${joined.sql}` : ''}${toOrderSql(by.map((key) => `page.${key}`))}`,
      values,
    }),
  );
  const [first] = found as (Row & Found & Record<string, unknown>)[];
  if (first === undefined) return null;
  // Without a row of the page that of the entity has null in all its members.
  return first[toCamelCase(Object.keys(keys)[0]!)] === null ? [] : (found.slice(0, filter.limit) as (Row & Found)[]);
}

async function isKnown(db: Database, id: bigint): Promise<boolean> {
  return (await selectEntityKind(db, id)) !== null;
}
