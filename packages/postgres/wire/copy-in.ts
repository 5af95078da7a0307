// COPY … FROM STDIN, as fast as PostgreSQL reads.
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Resolves with the number of rows, as PostgreSQL counts them. If it fails, the connection cannot be used again. */
export async function copyIn(
  client: pg.Client,
  statement: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const stream = client.query(copyFrom(statement));
  const done = finished(stream);
  // It may fail while chunks are made; the error is the one that is thrown below.
  done.catch(() => {});
  try {
    for await (const bytes of chunks) {
      if (!stream.write(bytes)) await Promise.race([new Promise((resume) => stream.once('drain', resume)), done]);
      if (stream.errored) break;
    }
    stream.end();
  } catch (error) {
    stream.destroy(error as Error);
    await done.catch(() => {});
    throw error;
  }
  await done;
  return stream.rowCount;
}
