// The content that a file had at a moment: its creation or last update of content, with everything appended until then. An
// update without content changes other things and leaves the content alone.
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { Database } from '../wire/database.ts';
import { columns, expression, selectAll, selectQuery } from './columns.ts';

export type FileVersion = { startTimestamp: bigint; content: Buffer };

/** null = the file did not exist yet. */
export async function selectFileVersion(db: Database, fileId: bigint, at: bigint): Promise<FileVersion | null> {
  const query = selectQuery({
    name: 'select-file-version',
    select: fileVersion,
    from: `from (
  select consensus_timestamp from file_data
  where entity_id = $1 and consensus_timestamp <= $2
    and (transaction_type = ${typeNumber.fileCreate} or (transaction_type = ${typeNumber.fileUpdate} and length(file_data) <> 0))
  order by consensus_timestamp desc limit 1
) v`,
    values: [fileId, at],
  });
  const row = (await db.query(query))[0];
  return row ? { startTimestamp: row.start_timestamp, content: row.content ?? Buffer.alloc(0) } : null;
}

const fileVersion = selectAll(
  columns('file_data', { start_timestamp: 'consensus_timestamp' }, 'v'),
  expression(
    'content',
    'bytea',
    `(
  select string_agg(d.file_data, ''::bytea order by d.consensus_timestamp) from file_data d
  where d.entity_id = $1 and d.consensus_timestamp >= v.consensus_timestamp and d.consensus_timestamp <= $2
    and d.transaction_type in (${typeNumber.fileAppend}, ${typeNumber.fileCreate}, ${typeNumber.fileUpdate})
)`,
  ).nullable(),
);
