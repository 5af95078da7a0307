// Entry of a thread that writes files of an export: PostgreSQL makes the CSV, the thread compresses, hashes and stores
// it.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { workerData } from 'node:worker_threads';
import { createGzip } from 'node:zlib';
import { joinChunks } from '../../packages/kit/join-chunks.ts';
import type { FilePlaceAddress } from '../../packages/sources/places/file-place.ts';
import { openFilePlace } from '../../packages/sources/places/open-file-place.ts';
import { type CopiedRows, openSnapshotReader } from '../../packages/store/transfer/ledger-snapshot.ts';
import { createBlake3 } from './blake3.ts';
import { answerJobs } from './threads/answer-jobs.ts';

export type WriteThreadData = { connectionString: string; snapshot: string; to: FilePlaceAddress };
export type WriteJob = CopiedRows & { path: string };
export type WriteResult = { rows: number; sizeBytes: number; hash: string };
/** Of the CSV, since the last note. */
export type WriteNote = { bytes: number };

const { connectionString, snapshot, to } = workerData as WriteThreadData;
const place = openFilePlace(to);
const reader = await openSnapshotReader(connectionString, snapshot);
const hasher = await createBlake3();

answerJobs<WriteJob, WriteResult, WriteNote>(async (job, tell) => {
  hasher.digest();
  const { text, rows } = reader.copy(job);
  let sizeBytes = 0;
  const gzip = createGzip({ chunkSize: chunkBytes });
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of text) {
      tell({ bytes: chunk.length });
      yield chunk;
    }
  }
  const packed = pipeline(Readable.from(joinChunks(counted(), chunkBytes), { objectMode: false }), gzip);
  packed.catch(() => {});
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of gzip as AsyncIterable<Buffer>) {
      hasher.update(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  }
  await place.write(job.path, hashed());
  await packed;
  return { rows: await rows(), sizeBytes, hash: hasher.digest() };
});

/** PostgreSQL sends a message a row, which would be compressed one by one. */
const chunkBytes = 128 * 1024;
