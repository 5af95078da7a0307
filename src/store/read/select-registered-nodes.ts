// Services that registered with the network and are still there, by their number.
import type { Range } from '../../kit/range.ts';
import type { JsonValue } from '../schema/table.ts';
import type { Database } from '../wire/database.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { asTexts, columns, type Replace, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

export type RegisteredNodeRow = Replace<RowOf<typeof storedRow>, { serviceEndpoints: JsonValue }>;

export type RegisteredNodesFilter = {
  id: Range;
  /** Number of a kind of endpoint; null = any. */
  type: number | null;
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectRegisteredNodes(db: Database, filter: RegisteredNodesFilter): Promise<RegisteredNodeRow[]> {
  const { order, type } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  const id = toRangePart(filter.id, values);
  if (type !== null) values.push(type);
  const ofType = type === null ? '' : ` and $${values.length}::int2 = any(type)`;
  const query = selectQuery({
    name: 'select-registered-nodes',
    shape: `${order}${limit}-${id.code}${type === null ? '' : '-type'}`,
    select: storedRow,
    from: `from registered_node where not deleted${id.sql('registered_node_id')}${ofType}
order by registered_node_id ${order} limit ${limit}`,
    values,
  });
  const rows = (await db.query(query)).slice(0, filter.limit);
  return rows.map((row) => ({ ...row, serviceEndpoints: parseExactJson(row.serviceEndpoints) }));
}

const storedRow = selectAll(
  columns('registered_node', ['admin_key', 'created_timestamp', 'description', 'registered_node_id']),
  asTexts('registered_node', ['service_endpoints']),
  columns('registered_node', { timestamp: 'timestamp_range' }),
);
