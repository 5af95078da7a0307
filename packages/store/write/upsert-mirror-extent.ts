import type { Database } from '../../postgres/wire/database.ts';
import type { StoredExtent } from '../read/select-mirror-extent.ts';

/** What an empty database is going to hold. */
export async function upsertMirrorExtent(
  db: Database,
  { begunAt, included, excluded }: Pick<StoredExtent, 'begunAt' | 'included' | 'excluded'>,
): Promise<void> {
  await db.query({
    name: 'upsert-mirror-extent',
    text: `insert into mirror_extent (id, begun_at, included, excluded) values (1, $1, $2, $3)
on conflict (id) do update set begun_at = excluded.begun_at, included = excluded.included, excluded = excluded.excluded`,
    values: [begunAt, included, excluded],
  });
}
