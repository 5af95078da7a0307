// Rows of insert-only tables as the bytes of COPY. The importer encodes the rows of a block as soon as it has them: as
// objects they would live until their commit, and the garbage collector would copy and mark them again and again (a
// third of the importer's time, measured); bytes cost the collector nothing, and PostgreSQL never waits for them.
import type { Table } from '../../schema/table.ts';
import { type TableName, tables } from '../../schema/tables.ts';
import { type BinaryOutput, createBinaryOutput } from './binary-output.ts';
import type { BlockChanges, EncodedRows, TableChanges, TimeSpan, WritableChanges } from './block-changes.ts';
import { addCounts, countTransactions, type DayCounts } from './day-counts.ts';
import { type AnyRow, createRowEncoder, type RowEncoder } from './row-encoder.ts';

/** Size of a chunk; a larger row is a larger chunk. */
const chunkBytes = 128 * 1024;
const slackBytes = 16 * 1024;

export type RowCollector = {
  /** The rows in chunks; encodes lazily. Throws if a row cannot be stored. */
  encode(name: TableName, rows: readonly AnyRow[]): Generator<Buffer>;
};

/** Rows of several tables and blocks share chunks: most tables of most blocks have a handful. */
export function createRowCollector(): RowCollector {
  let out: BinaryOutput = createBinaryOutput(chunkBytes + slackBytes);
  return {
    *encode(name, rows) {
      const encodeRow = rowEncoderOf(name);
      let start = out.position;
      // An iterator would make an object for each row.
      for (let place = 0; place < rows.length; place++) {
        encodeRow(out, rows[place]!);
        if (out.position < chunkBytes) continue;
        const chunk = out.bytes.subarray(start, out.position);
        out = createBinaryOutput(chunkBytes + slackBytes);
        start = 0;
        yield chunk;
      }
      if (out.position > start) yield out.bytes.subarray(start, out.position);
    },
  };
}

/** The changes with encoded rows of insert-only tables; others, and record_file, which is read later, are unchanged. */
export function encodeInsertedRows(changes: BlockChanges, collector: RowCollector): WritableChanges {
  return {
    parts: changes.parts.flatMap((part): WritableChanges['parts'] => {
      if ('operation' in part) return [part];
      const encoded: EncodedRows[] = [];
      const left: Record<string, AnyRow[]> = {};
      for (const [name, rows] of Object.entries(part) as [TableName, AnyRow[]][]) {
        const inserted = isEncoded(name) ? tryToEncode(name, rows, collector) : null;
        if (inserted) encoded.push(inserted);
        else left[name] = rows;
      }
      return encoded.length > 0 ? [{ encoded }, left as TableChanges] : [part];
    }),
  };
}

function isEncoded(name: TableName): boolean {
  return tables[name].kind === 'insert' && name !== 'record_file';
}

/**
 * null if a row cannot be stored: the writer reports it when it is the block's turn, and the blocks before it are
 * stored.
 */
function tryToEncode(name: TableName, rows: readonly AnyRow[], collector: RowCollector): EncodedRows | null {
  try {
    const encoded = { name, count: rows.length, chunks: [...collector.encode(name, rows)], span: spanOf(name, rows) };
    return name === 'transaction' ? { ...encoded, days: countTransactions(rows) } : encoded;
  } catch {
    return null;
  }
}

export function spanOf(name: TableName, rows: readonly AnyRow[]): TimeSpan | null {
  const column = (tables[name] as Table).partitionBy;
  const [first] = rows;
  if (column === undefined || first === undefined) return null;
  let from = first[column] as bigint;
  let to = from;
  for (const row of rows) {
    const timestamp = row[column] as bigint;
    if (timestamp < from) from = timestamp;
    if (timestamp > to) to = timestamp;
  }
  return { from, to };
}

/** Rows of one table, in this order; at least one. */
export function joinEncodedRows(all: readonly EncodedRows[]): EncodedRows {
  const days = joinDays(all);
  return {
    name: all[0]!.name,
    count: all.reduce((sum, { count }) => sum + count, 0),
    chunks: all.flatMap(({ chunks }) => chunks),
    span: joinSpans(all.map(({ span }) => span)),
    ...(days === null ? {} : { days }),
  };
}

/** null = they are not known of all. */
function joinDays(all: readonly EncodedRows[]): DayCounts | null {
  const joined: DayCounts = new Map();
  for (const { days } of all) {
    if (days === undefined) return null;
    addCounts(joined, days);
  }
  return joined;
}

export function joinSpans(spans: Iterable<TimeSpan | null>): TimeSpan | null {
  let joined: TimeSpan | null = null;
  for (const span of spans) {
    if (joined === null || span === null) joined ??= span;
    else {
      joined = {
        from: span.from < joined.from ? span.from : joined.from,
        to: span.to > joined.to ? span.to : joined.to,
      };
    }
  }
  return joined;
}

/** The last one of rows with the same key; all if the table has no key. */
export function lastOfEachKey({ days, ...rows }: EncodedRows): EncodedRows {
  const { key, columns } = tables[rows.name] as Table;
  if (key.length === 0) return days === undefined ? rows : { ...rows, days };
  const isKey = Object.keys(columns).map((column) => key.includes(column));
  const byKey = new Map<string, Buffer>();
  for (const chunk of rows.chunks) {
    for (let offset = 0; offset < chunk.length; ) {
      const start = offset;
      let keyText = '';
      offset += 2;
      for (const isPartOfKey of isKey) {
        const fieldStart = offset;
        // −1 = null.
        offset += 4 + Math.max(0, chunk.readInt32BE(offset));
        if (isPartOfKey) keyText += chunk.toString('latin1', fieldStart, offset);
      }
      byKey.set(keyText, chunk.subarray(start, offset));
    }
  }
  return { ...rows, count: byKey.size, chunks: [...byKey.values()] };
}

const rowEncoders = new Map<TableName, RowEncoder>();

function rowEncoderOf(name: TableName): RowEncoder {
  const known = rowEncoders.get(name);
  if (known) return known;
  const created = createRowEncoder(name, tables[name]);
  rowEncoders.set(name, created);
  return created;
}
