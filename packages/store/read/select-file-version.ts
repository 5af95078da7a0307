// The content of a file at a moment: its creation or last update of content, with everything appended until then. An
// update without content leaves the content unchanged.

import type { Database } from '../../postgres/wire/database.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { columns, expression, selectAll, selectQuery } from './statement/columns.ts';

export type FileVersion = {
  startTimestamp: bigint;
  /** Of the last part of the content. */
  lastTimestamp: bigint;
  content: Buffer;
};

/** null = the file did not exist yet. `from`: the version must have begun then or later; null = any. */
export async function selectFileVersion(
  db: Database,
  fileId: bigint,
  at: bigint,
  from: bigint | null = null,
): Promise<FileVersion | null> {
  const since = from === null ? '' : 'and consensus_timestamp >= $3';
  const query = selectQuery({
    name: 'select-file-version',
    shape: from === null ? '' : 'from',
    select: fileVersion,
    from: `from (
  select consensus_timestamp from file_data
  where entity_id = $1 and consensus_timestamp <= $2 ${since}
    and (transaction_type = ${typeNumber.fileCreate} or (transaction_type = ${typeNumber.fileUpdate} and length(file_data) <> 0))
  order by consensus_timestamp desc limit 1
) v`,
    values: from === null ? [fileId, at] : [fileId, at, from],
  });
  const row = (await db.query(query))[0];
  if (!row) return null;
  const { startTimestamp, lastTimestamp, content } = row;
  return { startTimestamp, lastTimestamp, content: content ?? Buffer.alloc(0) };
}

const parts = `from file_data d
  where d.entity_id = $1 and d.consensus_timestamp >= v.consensus_timestamp and d.consensus_timestamp <= $2
    and d.transaction_type in (${typeNumber.fileAppend}, ${typeNumber.fileCreate}, ${typeNumber.fileUpdate})`;

const fileVersion = selectAll(
  columns('file_data', { start_timestamp: 'consensus_timestamp' }, 'v'),
  expression(
    'last_timestamp',
    'int8',
    `(
  select d.consensus_timestamp ${parts}
    and (d.transaction_type <> ${typeNumber.fileUpdate} or length(d.file_data) <> 0)
  order by d.entity_id desc, d.consensus_timestamp desc limit 1
)`,
  ),
  expression(
    'content',
    'bytea',
    `(
  select string_agg(d.file_data, ''::bytea order by d.consensus_timestamp) ${parts}
)`,
  ).nullable(),
);
