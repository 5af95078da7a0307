// How many bytes the database takes.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { expression } from './statement/columns.ts';

/** With indexes, without WAL. null = it is distributed, and one machine knows its own part alone. */
export async function selectDatabaseSize(db: Database): Promise<bigint | null> {
  if (db.isDistributed) return null;
  const select = expression('bytes', 'int8', 'pg_database_size(current_database())');
  return (await selectOne(db, { name: 'select-database-size', select }))!.bytes;
}
