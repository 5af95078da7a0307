// Which revision of the import wrote which blocks (schema/import-revisions.ts).
import type pg from 'pg';
import { currentRevision } from '../schema/import-revisions.ts';
import type { Database } from '../wire/database.ts';

/** Blocks after the newest stored one are of this program's revision. */
export async function upsertImportRevision(db: Database): Promise<void> {
  await db.query({
    name: 'upsert-import-revision',
    text: `insert into import_revision (after, revision)
select coalesce((select max(consensus_end) from record_file), -1), $1
where (select revision from import_revision order by after desc limit 1) is distinct from $1
on conflict (after) do update set revision = excluded.revision, blocks_revision = null`,
    values: [currentRevision],
  });
}

/** The rows of all blocks that end after this consensus timestamp are of this program's revision, their state is not. */
export async function noteReimport(client: pg.Client, after: bigint): Promise<void> {
  await client.query('begin');
  await client.query(
    `insert into import_revision (after, revision, blocks_revision)
select $1, revision, blocks_revision from import_revision where after <= $1 order by after desc limit 1
on conflict (after) do nothing`,
    [after],
  );
  await client.query('update import_revision set blocks_revision = $2 where after >= $1 and revision < $2', [
    after,
    currentRevision,
  ]);
  await client.query('commit');
}
