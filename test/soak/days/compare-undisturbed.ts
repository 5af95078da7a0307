// The tables of a mirror that was disturbed, beside those of another database that is imported at once from the same
// files.
import { startEmbeddedPostgres } from '../../../packages/postgres/embedded/embedded-postgres.ts';
import { summarizeDatabase } from '../../../packages/test-support/postgres/dump-database.ts';
import { runMirror } from '../../support/program/run-mirror.ts';
import { countBlocksOf, type Mirror } from './mirror.ts';

/** Ends the network. Sentences of what differs. */
export async function compareWithUndisturbed(mirror: Mirror, folder: string): Promise<string[]> {
  await mirror.stopNetwork();
  const reference = await startEmbeddedPostgres({ dataFolder: folder, durable: false });
  try {
    const flags = ['--source', mirror.streams, '--address-book', mirror.book, '--network', 'demo'];
    const imported = runMirror(['import', '--once', ...flags, '--data-dir', folder, '--log-level', 'warn'], {
      env: { DATABASE_URL: reference.connectionString },
    });
    if ((await imported.ended) !== 0) return [`the undisturbed import failed: ${imported.output()}`];
    const expected = await summarizeDatabase(reference.connectionString);
    await mirror.settle(await countBlocksOf(reference.connectionString));
    const found = await summarizeDatabase(mirror.connectionString);
    console.log(`${Object.keys(expected).length} tables compared`);
    return Object.keys(expected)
      .filter((table) => expected[table] !== found[table])
      .map((table) => `table ${table}: ${found[table]}, undisturbed ${expected[table]}`);
  } finally {
    await reference.stop();
  }
}
