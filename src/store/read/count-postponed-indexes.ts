// Indexes that a first import has left out and not made yet. Answers are right without them, and slow.
import type { Database } from '../wire/database.ts';
import { expression, selectQuery } from './statement/columns.ts';

/** 0 where the database is not of this program, too. */
export async function countPostponedIndexes(db: Database): Promise<number> {
  const found = selectQuery({
    name: 'find-postponed-indexes',
    select: expression('found', 'bool', `has_table_privilege(to_regclass('postponed_index'), 'select')`).nullable(),
  });
  if (!(await db.query(found))[0]?.found) return 0;
  const query = selectQuery({
    name: 'count-postponed-indexes',
    select: expression('count', 'int8', 'count(*)'),
    from: 'from postponed_index',
  });
  return Number((await db.query(query))[0]!.count);
}
