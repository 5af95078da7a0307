// Writes an export of one block of the ledger, while the import goes on. The manifest comes last: a place without one
// holds no export.
import { availableParallelism } from 'node:os';
import { gzipSync } from 'node:zlib';
import { baselineStatements } from '../../packages/schema/migration/baseline.ts';
import type { FilePlaceAddress } from '../../packages/sources/places/file-place.ts';
import { openFilePlace } from '../../packages/sources/places/open-file-place.ts';
import {
  type LedgerSnapshot,
  openLedgerSnapshot,
  type SnapshotBlock,
} from '../../packages/store/transfer/ledger-snapshot.ts';
import { transferTables } from '../../packages/store/transfer/transfer-tables.ts';
import {
  oneChunk,
  progressName,
  readExportProgress,
  type WrittenFile,
  writeExportProgress,
} from './export-progress.ts';
import { formatManifest, manifestName, schemaName, versionName } from './manifest.ts';
import { type ExportMode, type PlannedFile, planExport } from './plan-export.ts';
import { createJobThreads, entryBeside } from './threads/job-threads.ts';
import { TransferError } from './transfer-error.ts';
import type { WriteJob, WriteNote, WriteResult, WriteThreadData } from './write-thread.ts';

export type ExportLedgerOptions = ExportMode & {
  connectionString: string;
  to: FilePlaceAddress;
  /** Said in MIRRORNODE_VERSION. */
  version: string;
  /** Files at a time; default: the processors, at most 8. */
  filesAtOnce?: number;
  signal: AbortSignal;
  onProgress?(progress: ExportProgress): void;
};

export type ExportProgress = {
  files: { done: number; all: number };
  /** Of the CSV. */
  bytes: number;
  rows: number;
};

export type ExportSummary = { block: SnapshotBlock; files: number; rows: number; sizeBytes: number; reused: number };

const maxFilesAtOnce = 8;

/**
 * Resolves with null when the signal ended it; the same call goes on. Throws TransferError if the place holds something
 * else.
 */
export async function exportLedger(options: ExportLedgerOptions): Promise<ExportSummary | null> {
  const { connectionString, to, version, isState, isPlain, signal } = options;
  const place = openFilePlace(to);
  const mode = `${isState ? 'state' : 'full'}${isPlain ? ' plain' : ''}`;
  const begun = await findBegun(options, mode);
  const snapshot = await openLedgerSnapshot(connectionString);
  try {
    const planned = await planExport(snapshot, options);
    const reused = await findReusable(snapshot, planned, begun);
    const written: WrittenFile[] = [...reused];
    await writeExportProgress(place, { mode, files: written });
    const isReused = new Set(reused.map(({ path }) => path));
    const files = planned.filter(({ path }) => !isReused.has(path));
    await writeFiles(options, { snapshot, files, written, mode });
    if (signal.aborted) return null;
    await writeEnd(options, written, planned);
    // Of months that the database has dropped since the export was begun.
    const names = new Set(planned.map(({ path }) => path));
    for (const { path } of begun) if (!names.has(path)) await place.remove(path);
    await place.remove(progressName);
    const sum = (read: (file: WrittenFile) => number): number => written.reduce((total, file) => total + read(file), 0);
    return {
      block: snapshot.lastBlock,
      files: written.length,
      rows: sum(({ rows }) => rows),
      sizeBytes: sum(({ sizeBytes }) => sizeBytes),
      reused: reused.length,
    };
  } finally {
    await snapshot.close();
  }

  async function writeEnd(
    { to: _to }: ExportLedgerOptions,
    done: WrittenFile[],
    planned: PlannedFile[],
  ): Promise<void> {
    const order = new Map(planned.map(({ path }, index) => [path, index]));
    done.sort((one, other) => order.get(one.path)! - order.get(other.path)!);
    await place.write(versionName, oneChunk(gzipSync(`${version}\n`)));
    await place.write(schemaName, oneChunk(gzipSync(formatSchema())));
    const lines = done.map(({ path, rows, sizeBytes, hash }) => ({ name: path, rows, sizeBytes, hash }));
    await place.write(manifestName, oneChunk(formatManifest(lines)));
  }
}

/** Files of an interrupted export of the same kind. */
async function findBegun({ to }: ExportLedgerOptions, mode: string): Promise<WrittenFile[]> {
  const place = openFilePlace(to);
  if (to.kind === 'folder') await place.write(writeTest, oneChunk('')).then(() => place.remove(writeTest));
  const found = (await place.list()).filter(({ path }) => path !== writeTest);
  if (found.length === 0) return [];
  const begun = found.some(({ path }) => path === progressName) ? await readExportProgress(place) : null;
  if (!begun) {
    throw new TransferError(
      `${place.name} is not empty. Name an empty folder or prefix, or one where an export was interrupted.`,
    );
  }
  if (begun.mode !== mode) {
    throw new TransferError(
      `In ${place.name} an export of another kind was interrupted (${begun.mode}, not ${mode}). Name an empty place.`,
    );
  }
  // Beside what was begun it is of an export that was interrupted at its very end, or of what is now written over.
  await place.remove(manifestName);
  const sizes = new Map(found.map(({ path, sizeBytes }) => [path, sizeBytes]));
  return begun.files.filter(({ path, sizeBytes }) => sizes.get(path) === sizeBytes);
}

const writeTest = 'export-write-test';

/** Months that were over, and have as many rows as then. */
async function findReusable(
  snapshot: LedgerSnapshot,
  planned: readonly PlannedFile[],
  begun: readonly WrittenFile[],
): Promise<WrittenFile[]> {
  const written = new Map(begun.map((file) => [file.path, file]));
  const reusable: WrittenFile[] = [];
  for (const { path, table, span, isClosed } of planned) {
    const file = written.get(path);
    if (!file || !isClosed || BigInt(file.until) < span!.to) continue;
    if ((await snapshot.countRows(transferTables.get(table)!, span!)) === file.rows) reusable.push(file);
  }
  return reusable;
}

type FilesToWrite = { snapshot: LedgerSnapshot; files: PlannedFile[]; written: WrittenFile[]; mode: string };

async function writeFiles(
  options: ExportLedgerOptions,
  { snapshot, files, written, mode }: FilesToWrite,
): Promise<void> {
  const { connectionString, to, signal, onProgress = () => {} } = options;
  const { filesAtOnce = Math.min(maxFilesAtOnce, availableParallelism()) } = options;
  const data: WriteThreadData = { connectionString, snapshot: snapshot.id, to };
  const threads = createJobThreads<WriteJob, WriteResult, WriteNote>(
    entryBeside(import.meta.url, 'write-thread'),
    data,
  );
  const onAbort = (): void => void threads.close();
  signal.addEventListener('abort', onAbort, { once: true });
  const place = openFilePlace(to);
  const all = files.length + written.length;
  let bytes = 0;
  let saving = Promise.resolve();
  const waiting = [...files];
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file && !signal.aborted; file = waiting.shift()) {
      const { path, table, month, columns, choice, span } = file;
      const result = await threads.run({ path, table, columns, choice, span }, (note) => {
        bytes += note.bytes;
        onProgress(toProgress());
      });
      written.push({ path, table, month, until: String(snapshot.lastBlock.consensusEnd), ...result });
      saving = saving.then(() => writeExportProgress(place, { mode, files: written }));
      await saving;
      onProgress(toProgress());
    }
  };
  const toProgress = (): ExportProgress => ({
    files: { done: written.length, all },
    bytes,
    rows: written.reduce((sum, { rows }) => sum + rows, 0),
  });
  try {
    await Promise.all(Array.from({ length: filesAtOnce }, work));
  } catch (error) {
    // Threads were ended by the signal.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await threads.close();
    await saving.catch(() => {});
  }
}

/** The tables as this program makes them: for readers that look up a column's type. */
function formatSchema(): string {
  return `${baselineStatements().join(';\n\n')};\n`;
}
