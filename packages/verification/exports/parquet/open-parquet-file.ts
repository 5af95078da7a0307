// One parquet file, as far as an export needs it: columns of one row group after the other. What a file says about
// lengths and counts is compared with what it has before memory is taken for it.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type ColumnMetaData,
  type Compressors,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { compressors as otherCompressors } from 'hyparquet-compressors';

export type ParquetFile = {
  /** Physical type of each column. */
  columns: ReadonlyMap<string, string>;
  rowGroups: readonly RowGroup[];
  close(): Promise<void>;
};

type RowGroup = {
  /** Position of the first row in the file. */
  firstRow: number;
  rows: number;
  columns: readonly string[];
  /** As many values as there are rows; null where there is none. Texts are bytes. */
  read(column: string): Promise<ArrayLike<unknown>>;
};

/** Throws an Error if it is no parquet file, or not a whole one. */
export async function openParquetFile(path: string): Promise<ParquetFile> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const file = await toBuffer(handle);
    await assertBegins(file);
    const options = { file, parsers, geoparquet: false };
    const metadata = await parquetMetadataAsync(file, options);
    const leaves = parquetSchema(metadata).children.filter(({ children }) => children.length === 0);
    const scan = await parquetScan({ ...options, metadata, compressors, utf8: false, useOffsetIndex: false });
    let firstRow = 0;
    const rowGroups = metadata.row_groups.map((group): RowGroup => {
      const rows = Number(group.num_rows);
      if (!Number.isInteger(rows) || rows < 0 || rows > maxRows)
        throw new Error(`a row group says it has ${rows} rows`);
      const [rowStart, rowEnd] = [firstRow, firstRow + rows];
      firstRow = rowEnd;
      const chunks = new Map(
        group.columns.flatMap(({ meta_data: chunk }) =>
          chunk ? [[chunk.path_in_schema.join('.'), chunk] as const] : [],
        ),
      );
      return {
        firstRow: rowStart,
        rows,
        columns: [...chunks.keys()],
        async read(column) {
          if (rows === 0) return [];
          const chunk = chunks.get(column);
          if (chunk === undefined) throw new Error(`a row group has no column ${column}`);
          await assertPages(file, chunk, rows);
          const values = await scan.readColumn({ column, rowStart, rowEnd });
          if (values.length !== rows) throw new Error(`column ${column} has ${values.length} values in ${rows} rows`);
          return values;
        },
      };
    });
    const columns = new Map(leaves.map(({ element }) => [element.name, element.type ?? 'none']));
    return { columns, rowGroups, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Bytes are decoded where a row is chosen, most rows are of other chains. */
const parsers = { stringFromBytes: asIs, jsonFromBytes: asIs };

function asIs(bytes: Uint8Array): Uint8Array {
  return bytes;
}

/** Sourcify's largest row groups have 100,000 rows. */
const maxRows = 10_000_000;
/** Of what is read at once: a column of a row group, or the description of the file. */
const maxChunkBytes = 512 * 2 ** 20;
const maxPageBytes = 512 * 2 ** 20;

async function toBuffer(handle: FileHandle): Promise<AsyncBuffer> {
  const stat = await handle.stat();
  if (!stat.isFile()) throw new Error('it is no regular file');
  const byteLength = stat.size;
  if (byteLength < 12) throw new Error(`it has ${byteLength} bytes, too few for a parquet file`);
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const length = end - start;
      if (!(start >= 0 && length >= 0 && end <= byteLength)) {
        throw new Error(`it refers to bytes ${start} to ${end} of ${byteLength}`);
      }
      if (length > maxChunkBytes)
        throw new Error(`it has a part of ${length} bytes, at most ${maxChunkBytes} are read`);
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(bytes, done, length - done, start + done);
        if (bytesRead === 0) throw new Error('it became shorter while it was read');
        done += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

async function assertBegins(file: AsyncBuffer): Promise<void> {
  const magic = Buffer.from(await file.slice(0, 4)).toString('latin1');
  if (magic !== 'PAR1') throw new Error('it does not begin as a parquet file');
}

/**
 * Walks over the headers of a column's pages: a decoder takes memory for as many values as a header says, and for as
 * many bytes.
 */
async function assertPages(file: AsyncBuffer, chunk: ColumnMetaData, rows: number): Promise<void> {
  const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
  const view = new DataView(await file.slice(start, start + Number(chunk.total_compressed_size)));
  const reader = { view, offset: 0 };
  let values = 0;
  while (reader.offset < view.byteLength && values < rows) {
    const header = parquetHeader(reader);
    const compressed = header.compressed_page_size;
    if (!(compressed >= 0 && reader.offset + compressed <= view.byteLength)) {
      throw new Error('a page is longer than its column');
    }
    assertBytes(header.uncompressed_page_size);
    const data = header.data_page_header ?? header.data_page_header_v2;
    const count = (data ?? header.dictionary_page_header)?.num_values ?? 0;
    if (!(count >= 0 && count <= rows)) throw new Error(`a page says it has ${count} values of ${rows} rows`);
    if (data) values += count;
    reader.offset += compressed;
  }
  if (values !== rows) throw new Error(`a column has ${values} values in ${rows} rows`);
}

function assertBytes(length: number): void {
  if (!(length >= 0 && length <= maxPageBytes)) throw new Error(`a page says it has ${length} bytes`);
}

type Decompress = (input: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** Node's own are faster, and take no more memory than the header of the page says. */
function bounded(decompress: Decompress) {
  return (input: Uint8Array, length: number): Uint8Array => {
    assertBytes(length);
    return decompress(input, { maxOutputLength: Math.max(1, length) });
  };
}

const compressors: Compressors = {
  ...otherCompressors,
  ZSTD: bounded(zstdDecompressSync),
  GZIP: bounded(gunzipSync),
  BROTLI: bounded(brotliDecompressSync),
};
