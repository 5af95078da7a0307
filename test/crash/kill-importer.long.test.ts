// The importer, or its PostgreSQL, is killed (SIGKILL) at random moments of an import; whatever the moment, the tables
// end exactly as those of an undisturbed run. A gate in the database keeps each import from its end until it is killed,
// so that no kill comes too late on a fast machine, and no wait is in vain on a slow one.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { findRunningPostgres } from '../../packages/postgres/embedded/find-running-postgres.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { findBackends, killBackend, readServerPid } from '../support/program/postgres-processes.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { type BlockGate, makeBlockGate } from './block-gate.ts';

const blocks = 90;
const transactionsPerBlock = 12;
/** Two databases are imported into side by side, each killed at so many times. */
const killsEach = 10;
/** Blocks that the gate opens for at a time: those after the last are still to come when the last kill has come. */
const blocksAtATime = 8;

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
  await finish(startImport({ DATABASE_URL: undisturbed.connectionString }));
  expected = await summarize(undisturbed.connectionString);
  expect(expected.record_file).toMatch(new RegExp(`^${blocks} rows`));
});

afterAll(async () => {
  for (const database of databases) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test(`tables are the same after ${2 * killsEach} kills of the importer`, async () => {
  const [alone, together] = await Promise.all([importWithKills(0), importWithKills(transactionsPerBlock * 2)]);
  expect([alone, together]).toEqual([expected, expected]);
});

test('an import goes on when its PostgreSQL is killed, and the tables are the same after that too', async () => {
  const dataFolder = join(folder, 'embedded');
  const gate = await makeEmbeddedGate(dataFolder);
  const args = ['--data-dir', dataFolder, '--commit-transactions', '0'];
  const importer = startImport({}, args, { once: false });
  await importer.says(/block \d+ ·/);
  await gate.reached();
  const firstServer = readServerPid(dataFolder);
  process.kill(firstServer, 'SIGKILL');
  await importer.says(/PostgreSQL ended unexpectedly \(SIGKILL\)/);
  const isOfNext = ({ server }: { server: number }) => server !== firstServer;
  await findBackends(dataFolder, isOfNext);
  await gate.openTo(2 * thirdOfBlocks);
  // Before the gate, or anywhere on the way to it.
  await gate.reached(random.integer(thirdOfBlocks + 1, 2 * thirdOfBlocks));
  const killed = await killBackend(dataFolder, isOfNext);
  await findBackends(dataFolder, ({ backend }) => !killed.includes(backend));
  await gate.reached();
  expect([importer.child.exitCode, importer.output()]).toEqual([null, expect.not.stringContaining('Imported')]);
  importer.child.kill('SIGKILL');
  await importer.ended;
  const server = await startEmbeddedPostgres({ dataFolder });
  await gate.remove();
  await server.stop();
  const last = startImport({}, args);
  await finish(last);
  // Kills after the last block prove nothing.
  expect(last.output()).toMatch(/Imported [1-9]\d* block/);
  const again = await startEmbeddedPostgres({ dataFolder });
  try {
    expect(await summarize(again.connectionString)).toEqual(expected);
  } finally {
    await again.stop();
  }
});

const thirdOfBlocks = blocks / 3;

/** In a data folder whose PostgreSQL does not run afterwards; open for a third of the blocks. */
async function makeEmbeddedGate(dataFolder: string): Promise<BlockGate> {
  const server = await startEmbeddedPostgres({ dataFolder });
  try {
    await migrate({ connectionString: server.connectionString });
    const gate = await makeBlockGate(() => addressOf(dataFolder));
    await gate.openTo(thirdOfBlocks);
    return gate;
  } finally {
    await server.stop();
  }
}

async function addressOf(dataFolder: string): Promise<string> {
  const address = await findRunningPostgres(dataFolder);
  if (address === null) throw new Error('PostgreSQL does not run yet');
  return address;
}

/** How far the gate opens when an import was killed, or has stood there: never for the last block. */
function afterNext(next: number): number {
  return Math.min(blocks - 1, next + blocksAtATime);
}

/** Where an import is killed that has `stored` blocks, and may go on until it stands before the gate. */
const moments: ((gate: BlockGate, stored: number, next: number) => Promise<void>)[] = [
  // In the middle of a transaction.
  async (gate) => {
    await gate.reached();
    await pause(20);
  },
  // While it starts, or soon after.
  async () => pause(1_500),
  // Anywhere on its way.
  async (gate, stored, next) => {
    await gate.reached(random.integer(stored + 1, next));
    await pause(20);
  },
  // When a transaction goes on that stood still.
  async (gate, _stored, next) => {
    await gate.reached();
    await gate.openTo(afterNext(next));
    await pause(20);
  },
];

/** @param commitTransactions 0: every block is a commit */
async function importWithKills(commitTransactions: number): Promise<Record<string, string>> {
  const { connectionString } = await openDatabase();
  const gate = await makeBlockGate(async () => connectionString);
  const env = { DATABASE_URL: connectionString, LEDGER_MIRROR_COMMIT_TRANSACTIONS: `${commitTransactions}` };
  for (let kill = 0; kill < killsEach; kill++) {
    const stored = await gate.stored();
    const next = Math.max(stored, kill * blocksAtATime) + 1;
    await gate.openTo(next);
    // It waits for more files when it has all.
    const importer = startImport(env, [], { once: false });
    await moments[kill % moments.length]!(gate, stored, next);
    importer.child.kill('SIGKILL');
    expect([await importer.ended, importer.output()]).toEqual([null, expect.anything()]);
    // What stands before the gate ends when it is open.
    await gate.openTo(afterNext(next));
    await gate.left();
    // Kills after the last block prove nothing.
    expect(await gate.stored()).toBeLessThan(blocks);
  }
  await gate.remove();
  await finish(startImport({ DATABASE_URL: connectionString }));
  return summarize(connectionString);
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
