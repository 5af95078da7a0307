// The plan of a named query, made for its values or generic.
import type pg from 'pg';
import type { NamedQuery } from '../../packages/postgres/wire/database.ts';

export type PlanKind = 'force_custom_plan' | 'force_generic_plan';

/** Rows that a node of the plan read from a table. */
export type TableRead = { table: string; node: string; rows: number };

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
};

export async function explainQuery(client: pg.Client, query: NamedQuery, kind: PlanKind): Promise<TableRead[]> {
  return withPrepared(client, query, kind, async (execute) => {
    const { rows } = await client.query(`explain (analyze, timing off, format json) ${execute}`);
    return reads((rows[0]['QUERY PLAN'] as { Plan: PlanNode }[])[0]!.Plan);
  });
}

/** `work` gets SQL that runs the statement with its values. */
export async function withPrepared<T>(
  client: pg.Client,
  query: NamedQuery,
  kind: PlanKind,
  work: (execute: string) => Promise<T>,
): Promise<T> {
  await client.query(`set plan_cache_mode = ${kind}`);
  await client.query(`prepare explained as ${query.text}`);
  try {
    const values = (query.values ?? []).map(toLiteral).join(', ');
    return await work(`execute explained${values ? `(${values})` : ''}`);
  } finally {
    await client.query('deallocate explained');
  }
}

function reads(node: PlanNode): TableRead[] {
  const below = (node.Plans ?? []).flatMap(reads);
  const table = node['Relation Name'];
  if (!table || node['Actual Loops'] === 0) return below;
  const perLoop =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return [{ table, node: node['Node Type'], rows: perLoop * node['Actual Loops'] }, ...below];
}

function toLiteral(value: unknown): string {
  if (value === null) return 'null';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (Array.isArray(value)) return `'{${value.map(toElement).join(',')}}'`;
  return `'${String(value)}'`;
}

function toElement(value: unknown): string {
  return Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : String(value);
}
