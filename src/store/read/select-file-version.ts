// The content that a file had at a moment: its creation or last update of content, with everything appended until then. An
// update without content changes other things and leaves the content alone.
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { Database } from '../wire/database.ts';

export type FileVersion = { startTimestamp: bigint; content: Buffer };

/** null = the file did not exist yet. */
export async function selectFileVersion(db: Database, fileId: bigint, at: bigint): Promise<FileVersion | null> {
  const rows = await db.query<{ start_timestamp: bigint; content: Buffer | null }>({
    name: 'select-file-version',
    text: `select v.consensus_timestamp as start_timestamp, (
  select string_agg(d.file_data, ''::bytea order by d.consensus_timestamp) from file_data d
  where d.entity_id = $1 and d.consensus_timestamp >= v.consensus_timestamp and d.consensus_timestamp <= $2
    and d.transaction_type in (${typeNumber.fileAppend}, ${typeNumber.fileCreate}, ${typeNumber.fileUpdate})
) as content
from (
  select consensus_timestamp from file_data
  where entity_id = $1 and consensus_timestamp <= $2
    and (transaction_type = ${typeNumber.fileCreate} or (transaction_type = ${typeNumber.fileUpdate} and length(file_data) <> 0))
  order by consensus_timestamp desc limit 1
) v`,
    values: [fileId, at],
  });
  const row = rows[0];
  return row ? { startTimestamp: row.start_timestamp, content: row.content ?? Buffer.alloc(0) } : null;
}
