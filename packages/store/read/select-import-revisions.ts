// Which blocks were imported by which revision of the import.
import type { Database } from '../../postgres/wire/database.ts';
import { canRead } from './select-one.ts';
import { expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

const importRevisions = selectAll(
  expression('revision', 'int4', 'revision'),
  // Of the rows of single moments.
  expression('blocksRevision', 'int4', 'coalesce(blocks_revision, revision)'),
  // Number of the newest block stored by it; null = none.
  expression(
    'lastBlock',
    'int8',
    `(select index from record_file where consensus_end > after and consensus_end <= coalesce(until, 9223372036854775807)
      order by consensus_end desc limit 1)`,
  ).nullable(),
  expression(
    'firstBlock',
    'int8',
    `(select index from record_file where consensus_end > after and consensus_end <= coalesce(until, 9223372036854775807)
      order by consensus_end limit 1)`,
  ).nullable(),
);

export type ImportedRevision = RowOf<typeof importRevisions>;

/** In the order of the blocks; empty for a database that this program does not own. */
export async function selectImportRevisions(db: Database): Promise<ImportedRevision[]> {
  if (!(await canRead(db, 'import_revision'))) return [];
  const query = selectQuery({
    name: 'select-import-revisions',
    select: importRevisions,
    from: 'from (select after, revision, blocks_revision, lead(after) over (order by after) as until from import_revision) r order by after',
  });
  return db.query(query);
}
