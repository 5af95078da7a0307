// What a database is, what its role may do in it, and what is known of the ledger in it.
import { startEmbeddedPostgres } from '../../../packages/postgres/embedded/embedded-postgres.ts';
import { findRunningPostgres } from '../../../packages/postgres/embedded/find-running-postgres.ts';
import { explainConnection } from '../../../packages/postgres/wire/explain-connection.ts';
import { findFreeBytes } from '../database/free-bytes.ts';
import type { Settings } from '../settings/load-settings.ts';
import { describeDatabase } from './describe-database.ts';
import { examineEmbedded } from './examine-embedded.ts';
import { FailedCheck } from './failed-check.ts';

/** Throws FailedCheck. */
export async function examineDatabase(settings: Settings): Promise<string | null> {
  const nothingYet = settings.find('database-url') === undefined ? examineEmbedded(settings.get('data-dir')) : null;
  if (nothingYet !== null) return nothingYet;
  return withDatabase(settings, (connectionString) =>
    describeDatabase(connectionString, {
      kind: settings.find('database-url') === undefined ? 'embedded ' : '',
      readOnly: settings.get('read-only'),
      addressBook: settings.find('address-book'),
      freeBytes: findFreeBytes(settings),
    }),
  );
}

/** With what is wrong with its connection in our words. */
async function withDatabase<Result>(
  settings: Settings,
  work: (connectionString: string) => Promise<Result>,
): Promise<Result> {
  const url = settings.find('database-url');
  const server = url === undefined ? await openEmbedded(settings) : { connectionString: url, stop: async () => {} };
  try {
    return await work(server.connectionString);
  } catch (error) {
    throw toFinding(error as Error, server.connectionString);
  } finally {
    await server.stop();
  }
}

function toFinding(error: Error, connectionString: string): Error {
  const said = explainConnection(error, connectionString);
  if (said) return new FailedCheck(said.found, said.advice);
  const { code } = error as Error & { code?: string };
  if (code === '42501') {
    return new FailedCheck(
      `the role may not read everything that is needed (${error.message})`,
      'As the owner of the tables run "ledger-mirror migrate --reader-role <name>", which lets it read.',
    );
  }
  // What PostgreSQL says of a statement has a code of five characters.
  if (!/^[0-9A-Z]{5}$/.test(code ?? '')) return error;
  return new FailedCheck(`PostgreSQL does not answer as it should (${error.message})`, 'Its log says more.');
}

/** Of the mirror that runs now, if one does. */
async function openEmbedded(settings: Settings): Promise<{ connectionString: string; stop(): Promise<void> }> {
  const dataFolder = settings.get('data-dir');
  const running = await findRunningPostgres(dataFolder);
  if (running !== null) return { connectionString: running, stop: async () => {} };
  return startEmbeddedPostgres({ dataFolder, otherMirrorMs: 0 });
}
