// Which indexes PostgreSQL would follow for a statement, without running it.
import type pg from 'pg';
import type { NamedQuery } from '../../packages/postgres/wire/database.ts';
import { explainPlan, type PlanKind, type PlanNode } from './explain-query.ts';

/** Of a table, not of its partition, e.g. `nft (account_id, token_id, serial_number)`. */
export type Index = { name: string; table: string; columns: string[] };

/** `condition`: what it is followed by, and what is left to test of each row. */
export type IndexUse = { index: Index; condition: string; rest: string };

/** By the name of the index in plans. */
export async function readIndexes(client: pg.Client): Promise<Map<string, Index>> {
  const { rows } = await client.query<{ own: string; table: string; definition: string }>(
    `select i.indexrelid::regclass::text as own, coalesce(p.relname, t.relname) as table, pg_get_indexdef(i.indexrelid) as definition
from pg_index i join pg_class t on t.oid = i.indrelid
left join (pg_inherits h join pg_class p on p.oid = h.inhparent) on h.inhrelid = i.indrelid
where t.relnamespace = current_schema()::regnamespace`,
  );
  return new Map(
    rows.map(({ own, table, definition }) => {
      const text = definition.replace(/^.* USING \w+ /, '');
      const listed = /^\((.*?)\)( WHERE|$)/.exec(text)?.[1] ?? '';
      const columns = listed.split(', ').map((column) => column.replace(/ .*/, ''));
      return [own, { name: `${table} ${text}`, table, columns }];
    }),
  );
}

export async function explainIndexes(
  client: pg.Client,
  indexes: ReadonlyMap<string, Index>,
  query: NamedQuery,
  kind: PlanKind,
): Promise<IndexUse[]> {
  return usesOf(await explainPlan(client, query, kind), indexes);
}

export function usesOf(node: PlanNode, indexes: ReadonlyMap<string, Index>): IndexUse[] {
  const below = (node.Plans ?? []).flatMap((one) => usesOf(one, indexes));
  const index = indexes.get(node['Index Name'] ?? '');
  if (!index) return below;
  return [{ index, condition: node['Index Cond'] ?? '', rest: node.Filter ?? '' }, ...below];
}

/**
 * Whether it goes through all of an index, or skips from key to key in it, though another index of the table begins
 * with a column whose value is given.
 */
export function isAstray({ index, condition, rest }: IndexUse, indexes: ReadonlyMap<string, Index>): boolean {
  const isGiven = (column: string) => new RegExp(`(?<![\\w.])${column} = `).test(`${condition} ${rest}`);
  const [first] = index.columns;
  if (condition === '' || new RegExp(`(?<![\\w.])${first!.replaceAll(/\W/g, '.')}\\b`).test(condition)) return false;
  return [...indexes.values()].some(
    ({ table, columns }) => table === index.table && isGiven(columns[0]!.replaceAll(/\W/g, '.')),
  );
}
