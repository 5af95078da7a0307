// The first line of a CSV: the names of its columns. What follows is passed on as it is.
import { TransferError } from './transfer-error.ts';

export type SplitCsv = {
  columns: string[];
  /** The rest, without the header. */
  rows: AsyncIterable<Uint8Array>;
};

const maxHeaderBytes = 256 * 1024;

/** Throws TransferError if there is no header. */
export async function splitHeader(text: AsyncIterable<Uint8Array>): Promise<SplitCsv> {
  const chunks = text[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  for (;;) {
    const end = start.indexOf(0x0a);
    if (end >= 0) {
      const rest = start.subarray(end + 1);
      return { columns: readNames(start.subarray(0, end).toString()), rows: restOf(rest, chunks) };
    }
    if (start.length > maxHeaderBytes) throw new TransferError('its first line is no list of columns');
    const { value, done } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  // Without rows the end of the line may be missing.
  return { columns: readNames(start.toString()), rows: restOf(Buffer.alloc(0), chunks) };
}

async function* restOf(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

function readNames(line: string): string[] {
  const names = line
    .replace(/\r$/, '')
    .split(',')
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const isList = names.every((name) => /^[a-z_][a-z0-9_]{0,62}$/i.test(name));
  if (!isList || new Set(names).size !== names.length) throw new TransferError('its first line is no list of columns');
  return names;
}
