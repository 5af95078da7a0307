// The tables of a mirror that was disturbed, beside those of another database that is imported at once from the same
// files.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../packages/postgres/embedded/embedded-postgres.ts';
import { summarizeDatabase } from '../../../packages/test-support/postgres/dump-database.ts';
import { runMirror } from '../program/run-mirror.ts';

export type UndisturbedOptions = {
  /** Of the mirror that was disturbed; it has, or still gets, every block of the files. */
  connectionString: string;
  streams: string;
  book: string;
  /** Of the other database; made here. */
  folder: string;
  /** More flags of its import. */
  flags?: readonly string[];
  /** Tables that are not compared. */
  without?: readonly string[];
  /** Compares more while the other database runs. Sentences of what differs. */
  compareMore?(undisturbed: string): Promise<string[]>;
};

/** Sentences of what differs. The files must not grow meanwhile. */
export async function compareWithUndisturbed(options: UndisturbedOptions): Promise<string[]> {
  const { connectionString, streams, book, folder, flags = [], without = [], compareMore } = options;
  const undisturbed = await startEmbeddedPostgres({ dataFolder: folder, durable: false });
  try {
    const ofSource = ['--source', streams, '--address-book', book, '--network', 'demo', '--data-dir', folder];
    const imported = runMirror(['import', '--once', ...ofSource, ...flags, '--log-level', 'warn'], {
      env: { DATABASE_URL: undisturbed.connectionString },
    });
    if ((await imported.ended) !== 0) return [`the undisturbed import failed: ${imported.output()}`];
    const expected = await summarizeDatabase(undisturbed.connectionString);
    await waitForBlocks(connectionString, await countBlocks(undisturbed.connectionString), settleMs);
    const found = await summarizeDatabase(connectionString);
    const compared = Object.keys(expected).filter((table) => !without.includes(table));
    console.log(`${compared.length} tables compared`);
    const differences = compared
      .filter((table) => expected[table] !== found[table])
      .map((table) => `table ${table}: ${found[table]}, undisturbed ${expected[table]}`);
    return [...differences, ...((await compareMore?.(undisturbed.connectionString)) ?? [])];
  } finally {
    await undisturbed.stop();
  }
}

const settleMs = 300_000;

/** Throws where they have not come in this time. */
export async function waitForBlocks(
  connectionString: string,
  count: number,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (let stored = 0; ; await sleep(200)) {
    stored = await countBlocks(connectionString);
    if (stored >= count) return;
    if (performance.now() > until) throw new Error(`Only ${stored} of ${count} blocks are stored`);
  }
}

/** Of the stored ones; 0 where the database does not answer. */
export async function countBlocks(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  // Ends with the server, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ count: string }>('select count(*) from record_file');
    return Number(rows[0]!.count);
  } catch {
    return 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}
