// Leaves columns out of CSV as it streams. The bytes of the others are passed on as they are, so that PostgreSQL still
// sees what is quoted: an empty field is null, a quoted empty one an empty text, and line ends inside quotes belong to
// the value.

/** `kept`: for each column of the CSV whether it stays; at least one does. */
export async function* keepColumns(rows: AsyncIterable<Uint8Array>, kept: readonly boolean[]): AsyncGenerator<Buffer> {
  const filter = createColumnFilter(kept);
  for await (const chunk of rows) {
    const out = filter(chunk);
    if (out.length > 0) yield out;
  }
}

const comma = 0x2c;
const quote = 0x22;
const lineFeed = 0x0a;

/** Its state goes on from chunk to chunk: within quotes or not, the column, whether one was written before. */
function createColumnFilter(kept: readonly boolean[]): (chunk: Uint8Array) => Buffer {
  let isQuoted = false;
  let column = 0;
  let hasWritten = false;
  return (chunk) => {
    // A comma less for each column that is left out, never more than came in, and one that a chunk may begin with.
    const out = Buffer.allocUnsafe(chunk.length + 1);
    let length = 0;
    let from = 0;
    const flush = (to: number): void => {
      if (kept[column] ?? true) {
        if (to - from > 16) {
          out.set(chunk.subarray(from, to), length);
          length += to - from;
        } else for (let place = from; place < to; place++) out[length++] = chunk[place]!;
      }
      from = to + 1;
    };
    for (let place = 0; place < chunk.length; place++) {
      const byte = chunk[place]!;
      if (byte === quote) isQuoted = !isQuoted;
      else if (isQuoted || (byte !== comma && byte !== lineFeed)) continue;
      else if (byte === comma) {
        flush(place);
        hasWritten ||= kept[column] ?? true;
        column += 1;
        // The comma goes before the next column that stays, if one came before it.
        if (hasWritten && (kept[column] ?? true)) out[length++] = comma;
      } else {
        flush(place);
        out[length++] = lineFeed;
        column = 0;
        hasWritten = false;
      }
    }
    flush(chunk.length);
    return out.subarray(0, length);
  };
}
