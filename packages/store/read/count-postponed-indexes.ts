// Indexes that a bulk import has postponed and not created yet. Without them answers are correct, but slow.
import type { Database } from '../../postgres/wire/database.ts';
import { canRead } from './select-one.ts';
import { expression, selectQuery } from './statement/columns.ts';

/** Also 0 if this program does not own the database. */
export async function countPostponedIndexes(db: Database): Promise<number> {
  if (!(await canRead(db, 'postponed_index'))) return 0;
  const query = selectQuery({
    name: 'count-postponed-indexes',
    select: expression('count', 'int8', 'count(*)'),
    from: 'from postponed_index',
  });
  return Number((await db.query(query))[0]!.count);
}
