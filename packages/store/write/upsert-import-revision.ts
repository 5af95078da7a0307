// Which revision of the import wrote which blocks (schema/import-revisions.ts).
import type pg from 'pg';
import type { Database } from '../../postgres/wire/database.ts';
import { currentRevision } from '../../schema/import-revisions.ts';

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

/**
 * The rows of the blocks that end after `after`, up to `to` (ns), are of this program's revision, their state is not.
 * To be called in the transaction that writes them. Where they were so before, nothing changes.
 */
export async function noteReimport(client: pg.Client, { after, to }: { after: bigint; to: bigint }): Promise<void> {
  const values = [after, to, currentRevision];
  const { rows } = await client.query<{ found: boolean }>({ name: 'find-older-revision', text: findOlder, values });
  if (!rows[0]!.found) return;
  for (const moment of [after, to]) await client.query({ name: 'part-revision', text: part, values: [moment] });
  await client.query({ name: 'note-reimport', text: note, values });
  await client.query({ name: 'join-revisions', text: join });
}

const isOlder = 'coalesce(blocks_revision, revision) < $3::int4';

const findOlder = `select exists (
  select from (select *, lead(after) over (order by after) as until from import_revision) r
  where after < $2::int8 and coalesce(until, 9223372036854775807) > $1::int8 and ${isOlder}
) as found`;

const part = `insert into import_revision (after, revision, blocks_revision)
select $1::int8, revision, blocks_revision from import_revision where after <= $1 order by after desc limit 1
on conflict (after) do nothing`;

const note = `update import_revision set blocks_revision = $3 where after >= $1 and after < $2 and ${isOlder}`;

/** Rows that say the same as the one before. */
const join = `delete from import_revision where after in (
  select after from (
    select after, (revision, coalesce(blocks_revision, -1)) = lag((revision, coalesce(blocks_revision, -1))) over (order by after) as is_same
    from import_revision
  ) r where is_same
)`;
