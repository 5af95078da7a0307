// Entry of a thread that loads files: it reads, hashes, decompresses and sends to PostgreSQL over a connection of its
// own, so that no byte passes from thread to thread.
import { pipeline } from 'node:stream/promises';
import { workerData } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import type { FilePlaceAddress } from '../../packages/sources/places/file-place.ts';
import { openFilePlace } from '../../packages/sources/places/open-file-place.ts';
import { createFileLoader } from '../../packages/store/transfer/load-file.ts';
import { type RowChoice, transferTables } from '../../packages/store/transfer/transfer-tables.ts';
import { type Blake3, createBlake3 } from './blake3.ts';
import { boundRows } from './bound-rows.ts';
import { keepColumns } from './keep-columns.ts';
import { matchColumns } from './match-columns.ts';
import type { ExportFile } from './read-export.ts';
import { splitHeader } from './split-header.ts';
import { answerJobs } from './threads/answer-jobs.ts';
import { TransferError } from './transfer-error.ts';

export type LoadThreadData = { connectionString: string; from: FilePlaceAddress };
export type LoadJob = Pick<ExportFile, 'name' | 'table' | 'month' | 'expected'> & {
  path: string;
  choice: RowChoice;
  isOnly: boolean;
  maxRowBytes: number;
};
/** `rows`: null = it was loaded before. */
export type LoadResult = { rows: number | null };
/** Since the last note, of the compressed file. */
export type LoadNote = { bytes: number };

const { connectionString, from } = workerData as LoadThreadData;
const place = openFilePlace(from);
const loader = createFileLoader(connectionString);
const hasher = await createBlake3();

answerJobs<LoadJob, LoadResult, LoadNote>(async (job, tell) => {
  hasher.digest();
  const rows = await load(job, hasher, (bytes) => tell({ bytes }));
  return { rows };
});

async function load(job: LoadJob, hash: Blake3, onBytes: (bytes: number) => void): Promise<number | null> {
  const { name, table, month, path, choice, isOnly, maxRowBytes, expected } = job;
  let sizeBytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of place.read(path)) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      onBytes(chunk.length);
      yield chunk;
    }
  }
  let stored: number | null = null;
  await pipeline(counted, createGunzip({ chunkSize: textChunkBytes }), async (text) => {
    const { columns: header, rows: all } = await splitHeader(text as AsyncIterable<Uint8Array>);
    const rows = boundRows(all, maxRowBytes);
    const { columns, kept, lacking } = matchColumns(transferTables.get(table)!, header);
    if (lacking.length > 0) throw new TransferError(`it lacks the columns ${lacking.join(', ')}`);
    stored = await loader.load({
      name,
      table,
      columns,
      choice,
      year: month === null ? null : Number(month.slice(0, 4)),
      isOnly,
      text: kept.every(Boolean) ? rows : keepColumns(rows, kept),
      accept: (count) => accept(expected, { rows: count, sizeBytes, hash: hash.digest() }),
    });
  });
  return stored;
}

/** PostgreSQL gets messages of this size. */
const textChunkBytes = 128 * 1024;

/** Throws TransferError. */
function accept(expected: LoadJob['expected'], found: { rows: number; sizeBytes: number; hash: string }): void {
  const { rows, sizeBytes, hash } = expected;
  if (sizeBytes !== null && sizeBytes !== found.sizeBytes) {
    throw new TransferError(`it has ${found.sizeBytes} bytes, the manifest says ${sizeBytes}`);
  }
  if (hash !== null && hash !== found.hash) {
    throw new TransferError(`its BLAKE3 hash is ${found.hash}, the manifest says ${hash}`);
  }
  if (rows !== null && rows !== found.rows) {
    throw new TransferError(`it has ${found.rows} rows, the manifest says ${rows}`);
  }
}
