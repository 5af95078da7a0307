// Writes into the database how far its bootstrap is, every second, so that processes beside it can tell a running one
// from one that was killed.

import { pause } from '../../../packages/kit/pause.ts';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import {
  type BootstrapProgress,
  upsertBootstrapProgress,
} from '../../../packages/store/transfer/bootstrap-progress.ts';
import type { ChosenFile } from '../../transfer/choose-files.ts';
import type { LoadProgress } from '../../transfer/load-export.ts';
import { createTransferRates } from '../../transfer/transfer-rates.ts';

export type ProgressReport = {
  /** Of the files that earlier runs have left. */
  onRows(progress: LoadProgress): void;
  /** `done`: share of the work, 0 to 1. */
  onIndexes(done: number): void;
  onChecks(): void;
  /** `problem`: a sentence, where the run ends before its end. Nothing is written after it. */
  end(problem: string | null): Promise<void>;
};

export type ReportedFiles = { loaded: readonly ChosenFile[]; left: readonly ChosenFile[] };

const everyMs = 1_000;

export function startProgressReport(connectionString: string, { loaded, left }: ReportedFiles): ProgressReport {
  const db = openDatabase({ connectionString, maxConnections: 1, onConnectionLost: () => {} });
  const earlier = { files: loaded.length, rows: sumRows(loaded) };
  const all = { files: loaded.length + left.length, rows: countRows([...loaded, ...left]) };
  const rates = createTransferRates(Date.now);
  let latest: LoadProgress = {
    files: { done: 0, all: left.length },
    bytes: { done: 0, all: left.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) },
    rows: { done: 0, all: null },
  };
  let later: Pick<BootstrapProgress, 'step' | 'done'> | null = null;
  const stop = new AbortController();
  const beating = run();

  function current(): BootstrapProgress {
    const { files, bytes, rows } = latest;
    const { rowsPerSecond, bytesPerSecond } = rates(rows.done, bytes.done);
    return {
      step: 'rows',
      done: bytes.all === 0 ? 1 : bytes.done / bytes.all,
      files: { done: earlier.files + files.done, all: all.files },
      rows: { done: earlier.rows + rows.done, all: all.rows },
      rowsPerSecond: later === null ? rowsPerSecond : 0,
      msLeft: later === null && bytesPerSecond > 0 ? (1000 * (bytes.all - bytes.done)) / bytesPerSecond : null,
      ...later,
    };
  }

  async function beat(isEnded: boolean, problem: string | null = null): Promise<void> {
    // The bootstrap itself says that the database is away.
    await upsertBootstrapProgress(db, current(), { isEnded, problem }).catch(() => {});
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await beat(false);
      await pause(everyMs, stop.signal);
    }
  }

  return {
    onRows(progress) {
      latest = progress;
    },
    onIndexes(done) {
      later = { step: 'indexes', done };
    },
    onChecks() {
      later = { step: 'checks', done: 0 };
    },
    async end(problem) {
      stop.abort();
      await beating;
      await beat(true, problem);
      await db.close();
    },
  };
}

function sumRows(files: readonly ChosenFile[]): number {
  return files.reduce((sum, { expected }) => sum + (expected.rows ?? 0), 0);
}

/** null = the manifest does not say it of all. */
function countRows(files: readonly ChosenFile[]): number | null {
  return files.every(({ expected }) => expected.rows !== null) ? sumRows(files) : null;
}
