// The importer writes its state to the database every two seconds, so that processes that answer beside it can tell a
// dead importer, a broken chain and a silent network apart.

import { pause } from '../../../packages/kit/pause.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectImporterState } from '../../../packages/store/read/select-importer-state.ts';
import { upsertImporterState } from '../../../packages/store/write/upsert-importer-state.ts';
import type { ImportObserver } from '../status/signals/read-importer.ts';

export type ImportHeartbeat = Awaited<ReturnType<typeof startImportHeartbeat>>;

const everyMs = 2000;
/** Blocks come every two seconds: after this time without one, the newest file is read. */
const lateMs = 30_000;
const listEveryMs = 15_000;

export async function startImportHeartbeat(db: Database, { watch, lookAtSource }: ImportObserver, log: Logger) {
  const earlier = await selectImporterState(db);
  if (earlier) watch.resume(earlier);
  const stop = new AbortController();
  const beating = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await beat();
      await pause(everyMs, stop.signal);
    }
  }

  async function beat(): Promise<void> {
    try {
      const now = Date.now();
      const lastBlockAt = watch.lastBlockAt();
      const isLate = lastBlockAt === null || now - lastBlockAt > lateMs;
      const seen = isLate ? await lookAtSource(now, listEveryMs) : { newestFile: null, problem: null };
      const state = watch.state(now);
      const sourceProblem = state.sourceProblem ?? seen.problem;
      await upsertImporterState(db, { ...state, sourceProblem, newestFile: seen.newestFile });
    } catch (error) {
      // If the database is away, the import itself reports it; its readers see that the heartbeat is missing.
      log.debug({ err: error }, 'the state of the import could not be written');
    }
  }

  return {
    /** Writes why the import has ended, null if it was asked to; nothing is written after it. */
    async end(error: Error | null): Promise<void> {
      stop.abort();
      await beating;
      watch.onEnd(error);
      await beat();
    },
  };
}
