// What of stored blocks is not shown, or shown in part: by kind, with the first and the last block.
import type { Database } from '../../postgres/wire/database.ts';
import { canRead } from './select-one.ts';
import { expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

const doubts = selectAll(
  expression('kind', 'text', 'd.kind'),
  expression('count', 'int8', 'sum(d.count)::int8'),
  expression('blocks', 'int8', 'count(*)'),
  expression('firstBlock', 'int8', 'min(r.index)'),
  expression('lastBlock', 'int8', 'max(r.index)'),
  expression('place', 'int4', '(array_agg(d.place order by d.consensus_end))[1]').nullable(),
  expression('text', 'text', '(array_agg(d.text order by d.consensus_end))[1]'),
);

/** `place` and `text` are those of the first one. */
export type StoredDoubts = RowOf<typeof doubts>;

/** In alphabetical order of their kinds; counts the whole table. */
export async function selectDoubts(db: Database): Promise<StoredDoubts[]> {
  if (!(await canRead(db, 'import_doubt'))) return [];
  return db.query(
    selectQuery({
      name: 'select-doubts',
      select: doubts,
      from: 'from import_doubt d join record_file r on r.consensus_end = d.consensus_end group by d.kind order by d.kind',
    }),
  );
}
