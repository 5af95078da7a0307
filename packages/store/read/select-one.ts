// Queries whose answer is one row, or none.
import type { Database } from '../../postgres/wire/database.ts';
import { expression, type SelectQuery, selectQuery } from './statement/columns.ts';

export async function selectOne<Row>(db: Database, query: SelectQuery<Row>): Promise<Row | null> {
  return (await db.query(selectQuery(query)))[0] ?? null;
}

/** Whether the role may read a table of this program; a database that it does not own has none of them. */
export async function canRead(db: Database, table: string): Promise<boolean> {
  const isReadable = `coalesce(has_table_privilege(to_regclass('${table}'), 'select'), false)`;
  const query = { name: `find-${table.replaceAll('_', '-')}`, select: expression('found', 'bool', isReadable) };
  return (await selectOne(db, query))!.found;
}
