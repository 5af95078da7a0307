// Indexes that a first import has left out and not made yet. Answers are right without them, and slow.
import type { Database } from '../wire/database.ts';
import { canRead } from './select-one.ts';
import { expression, selectQuery } from './statement/columns.ts';

/** 0 where the database is not of this program, too. */
export async function countPostponedIndexes(db: Database): Promise<number> {
  if (!(await canRead(db, 'postponed_index'))) return 0;
  const query = selectQuery({
    name: 'count-postponed-indexes',
    select: expression('count', 'int8', 'count(*)'),
    from: 'from postponed_index',
  });
  return Number((await db.query(query))[0]!.count);
}
