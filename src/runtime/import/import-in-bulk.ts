// The first import of history without the indexes that only readers need; they are made when it has caught up. If the
// process ends earlier, the next import makes them, or, with --bulk, continues without them.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { makePostponedIndexes, postponeIndexes } from '../../../packages/schema/migration/postponed-indexes.ts';
import type { ImportSummary } from '../../importer/import-stream.ts';
import { StreamCheckError } from '../../importer/open/stream-check-error.ts';
import { type RetryOptions, retryTransient } from '../../importer/retry-transient.ts';

export type ImportInBulkOptions = {
  connectionString: string;
  isBulk: boolean;
  live: boolean;
  log: Logger;
  signal: AbortSignal;
  onRetry: NonNullable<RetryOptions['onRetry']>;
  /** Imports the existing units and, if live, those that follow. */
  importBlocks(live: boolean): Promise<ImportSummary>;
};

export async function importInBulk(options: ImportInBulkOptions): Promise<ImportSummary> {
  const { connectionString, isBulk, live, log, signal, importBlocks } = options;
  const makeIndexes = () => makeIndexesWithProgress(connectionString, log, signal);
  if (!isBulk) {
    await makeIndexes();
    return importBlocks(live);
  }
  if (!(await postponeIndexes(connectionString))) {
    log.info('The database holds blocks already and has all its indexes: --bulk changes nothing any more.');
    return importBlocks(live);
  }
  log.info('Indexes that only queries need are left out until the import has caught up; queries are slow until then.');
  const summary = await importWhatIsThere(options);
  if (!signal.aborted) await makeIndexes();
  return live && !signal.aborted ? importBlocks(true) : (summary ?? importBlocks(live));
}

/** null: it stopped at a file that does not pass, or was asked to end. Live, it retries failures that may pass. */
async function importWhatIsThere({ live, signal, onRetry, importBlocks }: ImportInBulkOptions) {
  const done: { summary: ImportSummary | null } = { summary: null };
  const work = async (): Promise<void> => {
    try {
      done.summary = await importBlocks(false);
    } catch (error) {
      // A live import waits there.
      if (!live || !(error instanceof StreamCheckError)) throw error;
    }
  };
  await retryTransient(work, { live, signal, onRetry });
  return done.summary;
}

/** Minimum time between log lines about progress. */
const tellEveryMs = 5_000;

async function makeIndexesWithProgress(connectionString: string, log: Logger, signal: AbortSignal): Promise<void> {
  const sinceMs = performance.now();
  let loggedMs = Number.NEGATIVE_INFINITY;
  const made = await makePostponedIndexes({
    connectionString,
    signal,
    onProgress({ index, done }) {
      const nowMs = performance.now();
      if (nowMs - loggedMs < tellEveryMs) return;
      loggedMs = nowMs;
      const leftMs = done > 0 ? ((nowMs - sinceMs) * (1 - done)) / done : null;
      const left = leftMs === null ? '' : `, about ${Math.ceil(leftMs / 1000)} s to go`;
      log.info(`Making the indexes that the import left out: ${index}; ${Math.floor(done * 100)} %${left}`);
    },
  });
  if (made > 0) {
    log.info(
      `Made ${made} indexes that the import had left out, in ${((performance.now() - sinceMs) / 1000).toFixed(1)} s.`,
    );
  }
}
