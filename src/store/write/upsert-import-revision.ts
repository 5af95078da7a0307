import { currentRevision } from '../schema/import-revisions.ts';
import type { Database } from '../wire/database.ts';

/** Blocks that come after the newest stored one are of this program's revision. */
export async function upsertImportRevision(db: Database): Promise<void> {
  await db.query({
    name: 'upsert-import-revision',
    text: `insert into import_revision (after, revision)
select coalesce((select max(consensus_end) from record_file), -1), $1
where (select revision from import_revision order by after desc limit 1) is distinct from $1
on conflict (after) do update set revision = excluded.revision`,
    values: [currentRevision],
  });
}
