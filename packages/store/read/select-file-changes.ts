// When a file was written: its creations, updates and appends within a time span.
import type { Database } from '../../postgres/wire/database.ts';
import { columns, selectQuery } from './statement/columns.ts';

/** Consensus timestamps after `after` and up to `upTo`, ascending. */
export async function selectFileChanges(
  db: Database,
  fileId: bigint,
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<bigint[]> {
  const query = selectQuery({
    name: 'select-file-changes',
    select: columns('file_data', { timestamp: 'consensus_timestamp' }),
    // In the order of the index by file and time: the other index, by time alone, would read the changes of all files.
    from: `from file_data
where entity_id = $1 and consensus_timestamp > $2 and consensus_timestamp <= $3 order by entity_id, consensus_timestamp`,
    values: [fileId, after, upTo],
  });
  return (await db.query(query)).map(({ timestamp }) => timestamp);
}
