// Loads the chosen files of an export, several at a time: each whole or not at all. A file that fails is tried again,
// then named, and the others go on.
import { availableParallelism } from 'node:os';
import { pause } from '../../packages/kit/pause.ts';
import type { FilePlaceAddress } from '../../packages/sources/places/file-place.ts';
import type { ChosenFile } from './choose-files.ts';
import { findFileProblem } from './find-file-problem.ts';
import type { LoadJob, LoadNote, LoadResult, LoadThreadData } from './load-thread.ts';
import { createJobThreads, entryBeside } from './threads/job-threads.ts';

export type LoadProgress = {
  files: { done: number; all: number };
  /** Compressed. */
  bytes: { done: number; all: number };
  /** Estimated from the part of each file that was read; `all` is null if the manifest does not say them. */
  rows: { done: number; all: number | null };
};

export type FailedFile = { name: string; reason: string };

export type LoadExportOptions = LoadThreadData & {
  from: FilePlaceAddress;
  /** Without those that are loaded. */
  files: readonly ChosenFile[];
  /** How many files of a table there are, with those that are loaded. */
  filesOf(table: string): number;
  /** Of a row, where its table has no longer ones. */
  maxRowBytes?: number;
  /** Files at a time; default: the processors, at most 8. */
  filesAtOnce?: number;
  signal: AbortSignal;
  onProgress?(progress: LoadProgress): void;
  /** It is tried again. */
  onFailed?(file: FailedFile): void;
};

/** Sources with the output of their compiler are the longest texts. */
const defaultMaxRowBytes = 64 * 2 ** 20;
const maxAttempts = 3;
const firstPauseMs = 500;
const maxFilesAtOnce = 8;

/** PostgreSQL, on the same machine, takes a processor for each. */
export function defaultFilesAtOnce(): number {
  return Math.min(maxFilesAtOnce, availableParallelism());
}

/** Resolves with the files that failed for good. An aborted signal ends it at once; what is not committed is undone. */
export async function loadExport(options: LoadExportOptions): Promise<FailedFile[]> {
  const { connectionString, from, files, signal, onProgress = () => {}, onFailed = () => {} } = options;
  const { filesAtOnce = defaultFilesAtOnce(), maxRowBytes: usualRowBytes = defaultMaxRowBytes } = options;
  const entry = entryBeside(import.meta.url, 'load-thread');
  const threads = createJobThreads<LoadJob, LoadResult, LoadNote>(entry, {
    connectionString,
    from,
  } satisfies LoadThreadData);
  const onAbort = (): void => void threads.close();
  signal.addEventListener('abort', onAbort, { once: true });
  const failed: FailedFile[] = [];
  const tracker = createTracker(files, onProgress);

  async function loadOne(file: ChosenFile): Promise<void> {
    const { name, table, month, path, choice, expected, described } = file;
    const maxRowBytes = Math.max(usualRowBytes, described.longRowBytes ?? 0);
    const isOnly = options.filesOf(table) === 1;
    const impossible = findFileProblem(file);
    for (let attempt = 1; impossible === null && !signal.aborted; attempt++) {
      try {
        const job = { name, table, month, path: path!, choice, isOnly, maxRowBytes, expected };
        await threads.run(job, ({ bytes }) => tracker.read(file, bytes));
        tracker.end(file);
        return;
      } catch (error) {
        tracker.forget(file);
        const { message } = error as Error;
        if (signal.aborted) return;
        if (attempt === maxAttempts) failed.push({ name, reason: message });
        else onFailed({ name, reason: message });
        if (attempt === maxAttempts || !(await pause(firstPauseMs * 2 ** attempt, signal))) return;
      }
    }
    if (impossible !== null) failed.push({ name, reason: impossible });
  }

  try {
    for (const stage of inStages(files)) {
      const waiting = [...stage];
      const work = async (): Promise<void> => {
        for (let file = waiting.shift(); file && !signal.aborted; file = waiting.shift()) await loadOne(file);
      };
      await Promise.all(Array.from({ length: filesAtOnce }, work));
    }
    return failed;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await threads.close();
  }
}

/** The largest first, so that the last ones end at about the same time. */
function inStages(files: readonly ChosenFile[]): ChosenFile[][] {
  const stages = Map.groupBy(files, ({ described }) => described.stage);
  return [...stages]
    .sort(([one], [other]) => one - other)
    .map(([, ofStage]) => ofStage.sort((one, other) => other.sizeBytes - one.sizeBytes));
}

function createTracker(files: readonly ChosenFile[], onProgress: (progress: LoadProgress) => void) {
  const all = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const hasRows = files.every(({ expected }) => expected.rows !== null);
  const allRows = files.reduce((sum, { expected }) => sum + (expected.rows ?? 0), 0);
  const read = new Map<ChosenFile, number>();
  let doneFiles = 0;
  const tell = (): void => {
    let bytes = 0;
    let rows = 0;
    for (const [file, count] of read) {
      bytes += count;
      rows += file.sizeBytes === 0 ? 0 : ((file.expected.rows ?? 0) * count) / file.sizeBytes;
    }
    onProgress({
      files: { done: doneFiles, all: files.length },
      bytes: { done: bytes, all },
      rows: { done: Math.round(rows), all: hasRows ? allRows : null },
    });
  };
  return {
    read(file: ChosenFile, bytes: number): void {
      read.set(file, Math.min(file.sizeBytes, (read.get(file) ?? 0) + bytes));
      tell();
    },
    end(file: ChosenFile): void {
      read.set(file, file.sizeBytes);
      doneFiles += 1;
      tell();
    },
    forget(file: ChosenFile): void {
      read.delete(file);
      tell();
    },
  };
}
