// Adds rows to an insert-only table by COPY in binary format, without formatting and parsing text.
import type pg from 'pg';
import { copyIn } from '../../postgres/wire/copy-in.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import type { Table } from '../../schema/table.ts';

/** Encoded rows, in chunks; PostgreSQL works on one while the next one is made. */
export type RowCopier = (client: pg.Client, chunks: Iterable<Uint8Array>) => Promise<void>;

export function createRowCopier(name: string, table: Table): RowCopier {
  const statement = `copy ${quoteName(name)} (${quoteNames(Object.keys(table.columns))}) from stdin (format binary)`;
  return async (client, chunks) => {
    await copyIn(client, statement, inMessages(chunks));
  };
}

/** Size of a message, which takes two system calls. */
const messageBytes = 128 * 1024;

/** Joins small chunks, between header and trailer. */
function* inMessages(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let pending: Uint8Array[] = [header];
  let size = header.length;
  for (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < messageBytes) continue;
    yield Buffer.concat(pending);
    pending = [];
    size = 0;
  }
  yield Buffer.concat([...pending, trailer]);
}

/** Signature, flags, length of the (absent) extension. */
const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** A row of −1 columns. */
const trailer = Buffer.of(0xff, 0xff);
