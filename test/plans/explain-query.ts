// The plan of a named query, made for its values or generic.
import type pg from 'pg';
import type { NamedQuery } from '../../packages/postgres/wire/database.ts';

export type PlanKind = 'force_custom_plan' | 'force_generic_plan';

/**
 * Rows that a node of the plan read from a table. `searches`: of an index from its root; 0 before PostgreSQL 18.
 * `pages`: of the table and its index, which also shows entries that were passed by; 0 where they were not asked for.
 */
export type TableRead = { table: string; node: string; rows: number; searches: number; pages: number };

/** What is read of the nodes of a plan; how often and how many rows where it was run. */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Index Searches'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
};

export async function explainQuery(client: pg.Client, query: NamedQuery, kind: PlanKind): Promise<TableRead[]> {
  return readsOf(await explainPlan(client, query, kind, 'analyze, timing off'));
}

/** @param options e.g. `analyze`, which runs it */
export async function explainPlan(
  client: pg.Client,
  query: NamedQuery,
  kind: PlanKind,
  options?: string,
): Promise<PlanNode> {
  return withPrepared(client, query, kind, async (execute) => {
    const { rows } = await client.query(
      `explain (${options === undefined ? '' : `${options}, `}format json) ${execute}`,
    );
    return (rows[0]['QUERY PLAN'] as { Plan: PlanNode }[])[0]!.Plan;
  });
}

/** `work` gets SQL that runs the statement with its values. */
async function withPrepared<T>(
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

/** Of a plan that was run. */
export function readsOf(node: PlanNode): TableRead[] {
  const below = (node.Plans ?? []).flatMap(readsOf);
  const table = node['Relation Name'];
  if (!table || node['Actual Loops'] === 0) return below;
  const perLoop =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = perLoop * node['Actual Loops'];
  const pages = (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
  return [{ table, node: node['Node Type'], rows, searches: node['Index Searches'] ?? 0, pages }, ...below];
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
