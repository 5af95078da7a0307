// Adds rows to an insert-only table by COPY in binary format: no text to print here and parse there.
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { quoteName, quoteNames } from '../schema/sql-names.ts';
import type { Column, Table } from '../schema/table.ts';
import {
  type BinaryOutput,
  createBinaryOutput,
  reserve,
  type ValueWriter,
  valueWriters,
  writeInt32,
} from './binary-output.ts';

export type AnyRow = Readonly<Record<string, unknown>>;

export type TableWriter = (client: pg.Client, rows: readonly AnyRow[]) => Promise<void>;

export function createRowCopier(name: string, table: Table): TableWriter {
  const encodeRow = createRowEncoder(name, table);
  const statement = `copy ${quoteName(name)} (${quoteNames(Object.keys(table.columns))}) from stdin (format binary)`;
  return async (client, rows) => {
    const stream = client.query(copyFrom(statement));
    const done = finished(stream);
    try {
      let out = startChunk(rows.length);
      out.bytes.set(header, 0);
      out.position = header.length;
      for (const row of rows) {
        encodeRow(out, row);
        if (out.position < chunkBytes) continue;
        // PostgreSQL works on this chunk while the next one is encoded.
        const room = stream.write(out.bytes.subarray(0, out.position));
        out = startChunk(rows.length);
        if (!room) await Promise.race([new Promise((resume) => stream.once('drain', resume)), done]);
      }
      reserve(out, 2);
      out.view.setInt16(out.position, -1);
      out.position += 2;
      stream.end(out.bytes.subarray(0, out.position));
    } catch (error) {
      stream.destroy(error as Error);
      await done.catch(() => {});
      throw error;
    }
    await done;
  };
}

/** Writes one row. Unset columns get their default: COPY would store NULL. */
function createRowEncoder(name: string, table: Table): (out: BinaryOutput, row: AnyRow) => void {
  const columns = Object.entries(table.columns).map(([column, description]) => ({
    column,
    write: valueWriters[description.type],
    unset: encodeDefault(description),
  }));
  const fail = (column: string, row: AnyRow, error: unknown): never => {
    const keys = table.key.map((key) => `${key} ${row[key]}`).join(', ');
    throw new Error(`${name}.${column} cannot be stored (row with ${keys}): ${(error as Error).message}`, {
      cause: error,
    });
  };
  return (out, row) => {
    reserve(out, 2);
    out.view.setInt16(out.position, columns.length);
    out.position += 2;
    for (const { column, write, unset } of columns) {
      const value = row[column];
      if (value === null || value === undefined) {
        reserve(out, unset.length);
        out.bytes.set(unset, out.position);
        out.position += unset.length;
        continue;
      }
      try {
        write(out, value);
      } catch (error) {
        fail(column, row, error);
      }
    }
  };
}

const chunkBytes = 128 * 1024;

/** Small for few rows: most tables of most blocks have a handful. */
function startChunk(rows: number): BinaryOutput {
  return createBinaryOutput(Math.min(chunkBytes + 16 * 1024, 256 + rows * 256));
}

/** Signature, flags, length of the (absent) extension. */
const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);

function encodeDefault(column: Column): Buffer {
  const out = createBinaryOutput(64);
  if (column.default === undefined) writeInt32(out, -1);
  else (valueWriters[column.type] as ValueWriter)(out, parseDefault(column, column.default));
  return Buffer.from(out.bytes.subarray(0, out.position));
}

/** Defaults in `tables.ts` are plain literals. */
function parseDefault({ type }: Column, literal: string): unknown {
  if (type === 'int8') return BigInt(literal);
  if (type === 'int4' || type === 'int2') return Number(literal);
  if (type === 'bool') return literal === 'true';
  const text = literal.slice(1, -1);
  return type === 'bytea' ? Buffer.from(text) : text;
}
