// The importer, or its PostgreSQL, is killed (SIGKILL) at random moments of an import; whatever the moment, the tables end
// exactly as those of an undisturbed run.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { findBackends, killBackend, readServerPid } from '../support/program/postgres-processes.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const blocks = 90;
const transactionsPerBlock = 12;
/** Two databases are imported into side by side, each killed at so many times. */
const killsEach = 10;
/** How long an undisturbed import takes from its first block on: kills come in parts of that, whatever the speed of the machine. */
let importMs: number;

const random = createSeededRandom('crash test', 'moments to kill at');
const databases: ScratchDatabase[] = [];
let folder: string;
let source: string;
let expected: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kill-importer-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  source = join(folder, 'streams');
  await writeNetwork({ folder: source, seed: 'crash', blocks, transactions: transactionsPerBlock });
  const undisturbed = await openDatabase();
  const importer = startImport({ DATABASE_URL: undisturbed.connectionString });
  await importer.says(/block \d+ ·/);
  const firstBlockMs = performance.now();
  await finish(importer);
  importMs = performance.now() - firstBlockMs;
  expected = await summarize(undisturbed.connectionString);
  expect(expected.record_file).toMatch(new RegExp(`^${blocks} rows`));
});

afterAll(async () => {
  for (const database of databases) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test(`tables are the same after ${2 * killsEach} kills of the importer`, async () => {
  const [alone, together] = await Promise.all([importWithKills(0), importWithKills(transactionsPerBlock * 2)]);
  expect([alone.summary, together.summary]).toEqual([expected, expected]);
  // Kills after the last block prove nothing.
  expect(alone.interrupted).toBeGreaterThan(0);
  expect(together.interrupted).toBeGreaterThan(0);
}, 600_000);

test('an import goes on when its PostgreSQL is killed, and the tables are the same after that too', async () => {
  const dataFolder = join(folder, 'embedded');
  const args = ['--data-dir', dataFolder, '--commit-transactions', '0'];
  const importer = startImport({}, args, { once: false });
  await importer.says(/block \d+ ·/);
  // Short, so that the import has not ended when the last of three is over.
  const longestMs = importMs / 20;
  await pause(longestMs);
  const firstServer = readServerPid(dataFolder);
  process.kill(firstServer, 'SIGKILL');
  await importer.says(/PostgreSQL ended unexpectedly \(SIGKILL\)/);
  const isOfNext = ({ server }: { server: number }) => server !== firstServer;
  await findBackends(dataFolder, isOfNext);
  await pause(longestMs);
  const killed = await killBackend(dataFolder, isOfNext);
  await findBackends(dataFolder, ({ backend }) => !killed.includes(backend));
  await pause(longestMs);
  expect([importer.child.exitCode, importer.output()]).toEqual([null, expect.not.stringContaining('Imported')]);
  importer.child.kill('SIGKILL');
  await importer.ended;
  const last = startImport({}, args);
  await finish(last);
  // Kills after the last block prove nothing.
  expect(last.output()).toMatch(/Imported [1-9]\d* block/);
  const server = await startEmbeddedPostgres({ dataFolder });
  try {
    expect(await summarize(server.connectionString)).toEqual(expected);
  } finally {
    await server.stop();
  }
}, 600_000);

/** @param commitTransactions 0: every block is a commit */
async function importWithKills(
  commitTransactions: number,
): Promise<{ summary: Record<string, string>; interrupted: number }> {
  const { connectionString } = await openDatabase();
  let interrupted = 0;
  for (let kill = 0; kill < killsEach; kill++) {
    const env = { DATABASE_URL: connectionString, LEDGER_MIRROR_COMMIT_TRANSACTIONS: `${commitTransactions}` };
    // It waits for more files when it has all: a fast one does not end before it is killed.
    const importer = startImport(env, [], { once: false });
    // Now and then also while it starts; the first time at once, when most is still to come.
    if (kill % 4 !== 3) await importer.says(/block \d+ ·/);
    if (kill > 0) await pause(importMs / 4);
    importer.child.kill('SIGKILL');
    expect(await importer.ended).toBe(null);
    if ((await countBlocks(connectionString)) < blocks) interrupted += 1;
  }
  await finish(startImport({ DATABASE_URL: connectionString }));
  return { summary: await summarize(connectionString), interrupted };
}

function startImport(env: Record<string, string>, args: string[] = [], { once = true } = {}): RunningMirror {
  const files = ['--source', source, '--address-book', join(source, 'addressbook.bin')];
  return runMirror(['import', ...(once ? ['--once'] : []), ...files, ...args], { env });
}

async function finish(importer: RunningMirror): Promise<void> {
  const code = await importer.ended;
  expect([code, code === 0 ? '' : importer.output()]).toEqual([0, '']);
}

function pause(longestMs: number): Promise<void> {
  return sleep(random.integer(0, Math.ceil(longestMs)));
}

async function openDatabase(): Promise<ScratchDatabase> {
  const database = await createScratchDatabase();
  databases.push(database);
  return database;
}

async function summarize(connectionString: string): Promise<Record<string, string>> {
  return summarizeDump(await dumpDatabase(connectionString));
}

async function countBlocks(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>('select count(*)::int4 as count from record_file');
    return rows[0]!.count;
  } finally {
    await client.end();
  }
}
