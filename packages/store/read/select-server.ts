// The capabilities of a server and the connected role, queried before anything is created or read.

import type { Database } from '../../postgres/wire/database.ts';
import { tables } from '../../schema/tables.ts';
import { expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/** Answers cannot do without them. */
const neededTables = Object.entries(tables)
  .filter(([, { answers }]) => answers === 'needed')
  .map(([name]) => `'${name}'`)
  .join(', ');

const server = selectAll(
  expression('version', 'text', `current_setting('server_version')`),
  // 150004 for 15.4.
  expression('number', 'int4', `current_setting('server_version_num')::int4`),
  expression('encoding', 'text', `current_setting('server_encoding')`),
  expression('database', 'text', 'current_database()::text'),
  expression('role', 'text', 'current_user::text'),
  expression('hasBlocks', 'bool', `to_regclass('record_file') is not null`),
  expression('creates', 'bool', `has_schema_privilege(current_user, current_schema(), 'create')`),
  expression('reads', 'bool', `coalesce(has_table_privilege(to_regclass('record_file'), 'select'), false)`),
  expression(
    'unreadable',
    'text',
    `(select string_agg(name, ', ' order by name) from (
      select name from unnest(array[${neededTables}]) name
      where to_regclass('record_file') is not null and not has_table_privilege(to_regclass(name), 'select') order by name limit 3
    ) t)`,
  ).nullable(),
  expression(
    'writes',
    'bool',
    `exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and has_table_privilege(oid, 'insert, update, delete, truncate'))`,
  ),
);
/**
 * `hasBlocks`: the tables of a ledger are there; `creates`, `reads`, `writes`: the role may. `unreadable`: the first
 * tables that answers need and it may not read.
 */
export type Server = RowOf<typeof server>;

export async function selectServer(db: Database): Promise<Server> {
  const [row] = await db.query(selectQuery({ name: 'select-server', select: server }));
  return row!;
}
