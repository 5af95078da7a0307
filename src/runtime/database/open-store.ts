// The database of one run: the one at DATABASE_URL, or the embedded PostgreSQL of the data folder, migrated to the
// schema of this program.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { startEmbeddedPostgres } from '../../../packages/postgres/embedded/embedded-postgres.ts';
import { findRunningPostgres } from '../../../packages/postgres/embedded/find-running-postgres.ts';
import { assertSchemaVersion, migrate } from '../../../packages/schema/migration/migrate.ts';
import { findSchemaGaps, type SchemaGap } from '../../../packages/schema/migration/schema-gaps.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

export type Store = {
  connectionString: string;
  /** What is missing in a database that this program does not own. */
  schemaGaps: readonly SchemaGap[];
  /** Of a mirror that runs now: its end is that of the database. */
  isBeside: boolean;
  /** Stops the embedded server; does nothing to another. */
  close(): Promise<void>;
};

export type OpenStoreOptions = {
  settings: Settings;
  log: Logger;
  /** Ends the wait for another mirror that holds the data folder. */
  signal: AbortSignal;
  /** See `migrate`. */
  distributed?: boolean;
  /** See `migrate`. */
  mayBeNewer?: boolean;
};

export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { settings, log, signal, distributed, mayBeNewer } = options;
  const say = (sentence: string): void => log.info(sentence);
  const url = settings.find('database-url');
  const server =
    url === undefined
      ? await startEmbeddedPostgres({ dataFolder: settings.get('data-dir'), log: say, signal })
      : { connectionString: url, stop: async () => {} };
  try {
    await migrate({ connectionString: server.connectionString, distributed, mayBeNewer, log: say });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { connectionString: server.connectionString, schemaGaps: [], isBeside: false, close: () => server.stop() };
}

/**
 * Of a mirror that runs now, if one does: its built-in PostgreSQL is not started a second time, and not stopped. Throws
 * an Error if that mirror has another schema.
 */
export async function openStoreBeside(options: OpenStoreOptions): Promise<Store> {
  const { settings } = options;
  if (settings.find('database-url') !== undefined) return openStore(options);
  const dataFolder = settings.get('data-dir');
  const running = await findRunningPostgres(dataFolder);
  if (running === null) {
    return openStore(options).catch(async (error: Error) => {
      // Of a mirror that was about to start.
      const started = await findRunningPostgres(dataFolder);
      if (started === null) throw error;
      return beside(started);
    });
  }
  return beside(running);
}

/** What a failure of work on the database of another mirror is, if that mirror has ended. */
export async function explainEnd(error: Error, { isBeside }: Store, settings: Settings): Promise<Error> {
  if (!isBeside || (await findRunningPostgres(settings.get('data-dir'))) !== null) return error;
  return new Error(
    'The mirror that runs this database was stopped. The same command goes on, without it or beside it.',
    {
      cause: error,
    },
  );
}

async function beside(connectionString: string): Promise<Store> {
  await assertSchemaVersion(connectionString);
  return { connectionString, schemaGaps: [], isBeside: true, close: async () => {} };
}

export async function openForeignStore({ settings, log }: { settings: Settings; log: Logger }): Promise<Store> {
  const connectionString = settings.find('database-url');
  if (connectionString === undefined) {
    throw new UsageError('--read-only answers from an existing database. Set DATABASE_URL to its address.');
  }
  const schemaGaps = await findSchemaGaps(connectionString);
  for (const { sentence } of schemaGaps) {
    if (sentence !== null) log.warn(sentence);
  }
  return { connectionString, schemaGaps, isBeside: false, close: async () => {} };
}
