// Registered services that are not deleted, by number.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { asTexts, columns, type Replace, type RowOf, selectAll } from './statement/columns.ts';

export type RegisteredNodeRow = Replace<RowOf<typeof storedRow>, { serviceEndpoints: JsonValue }>;

export type RegisteredNodesFilter = PageFilter & {
  id: Range;
  /** Number of a kind of endpoint; null = any. */
  type: number | null;
};

export async function selectRegisteredNodes(
  db: Database,
  { id, type, ...page }: RegisteredNodesFilter,
): Promise<RegisteredNodeRow[]> {
  const rows = await selectPage(db, page, {
    name: 'select-registered-nodes',
    shape: type === null ? '' : 'type',
    select: storedRow,
    from: `registered_node where not deleted${type === null ? '' : ' and $1::int2 = any(type)'}`,
    values: type === null ? [] : [type],
    keys: { registered_node_id: id },
  });
  return rows.map((row) => ({ ...row, serviceEndpoints: parseExactJson(row.serviceEndpoints) }));
}

const storedRow = selectAll(
  columns('registered_node', ['admin_key', 'created_timestamp', 'description', 'registered_node_id']),
  asTexts('registered_node', ['service_endpoints']),
  columns('registered_node', { timestamp: 'timestamp_range' }),
);
