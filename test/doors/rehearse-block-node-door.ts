// A mirror follows a live network, another mirror follows that one through its port of a block node; both are killed
// again and again. In the end both have the same tables.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { freePort } from '../support/program/free-port.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { dumpTables } from '../support/tables/dump-tables.ts';
import { compareTables, countBlocks } from '../support/tables/import-folder.ts';
import { ofTheWay } from '../support/tables/of-the-way.ts';

export type DoorRehearsalOptions = {
  blocks: number;
  /** Of either side. */
  kills: number;
  seed: string;
  /** The mirror that is followed keeps files of blocks. */
  keepsFiles?: boolean;
  intervalMs?: number;
  say?(line: string): void;
};

export type DoorRehearsalReport = {
  /** Of the follower, in the order in which they are stored. */
  numbers: bigint[];
  /** Rows of all tables that were compared. */
  rows: number;
  /** Tables that differ. */
  differences: string[];
  kills: number;
  seconds: number;
};

type Side = { args: string[]; connectionString: string; running: RunningMirror | null };

export async function rehearseBlockNodeDoor(options: DoorRehearsalOptions): Promise<DoorRehearsalReport> {
  const { blocks, kills, seed, keepsFiles = false, intervalMs = 100, say = () => {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'block-node-door-'));
  const databases = [await createScratchDatabase(), await createScratchDatabase()] as const;
  const ended = new AbortController();
  const network = await openNetwork({ folder, seed, nodes: 3, format: 'blocks', keepBlocks: blocks });
  const port = await freePort();
  const book = ['--address-book', network.addressBookPath];
  const followed: Side = {
    args: [
      'start',
      '--source',
      folder,
      ...book,
      '--port',
      '0',
      '--block-node-port',
      `${port}`,
      '--status-service',
      'off',
    ],
    connectionString: databases[0].connectionString,
    running: null,
  };
  if (keepsFiles) followed.args.push('--keep-proofs');
  const follower: Side = {
    args: ['import', '--source', `grpc://127.0.0.1:${port}`, '--source-timeout', '2', ...book],
    connectionString: databases[1].connectionString,
    running: null,
  };
  const db = openDatabase({ connectionString: follower.connectionString });
  const started = performance.now();
  const { signal } = ended;
  // A part of the past is there when the first one begins.
  await network.run({ intervalMs: 0, blocks: Math.floor(blocks / 4), transactionsPerBlock: 3, signal });
  const left = blocks - Math.floor(blocks / 4);
  const writing = network.run({ intervalMs, blocks: left, transactionsPerBlock: 3, signal });
  try {
    for (const side of [followed, follower]) begin(side);
    for (let killed = 0; killed < 2 * kills; killed++) {
      await reach([followed, follower], db, Math.floor(((killed + 1) * blocks) / (2 * kills + 1)));
      const side = killed % 2 === 0 ? followed : follower;
      await kill(side, 'SIGKILL');
      say(`killed ${side === followed ? 'the followed' : 'the follower'} at block ${await countBlocks(db)}`);
      begin(side);
    }
    await reach([followed, follower], db, blocks);
    const rows = await db.query<{ index: bigint }>({
      name: 'test-block-numbers',
      text: 'select index from record_file order by consensus_end',
    });
    for (const side of [follower, followed]) await kill(side, 'SIGTERM');
    // How far the search for sources has come is each mirror's own.
    const search = { contract_match: ['*'], contract_match_task: ['*'], contract_match_count: ['*'] };
    const leftOut = { ...ofTheWay, ...search, kept_stream_file: ['*'] };
    const [expected, actual] = [
      await dumpTables(followed.connectionString, leftOut),
      await dumpTables(follower.connectionString, leftOut),
    ];
    return {
      numbers: rows.map(({ index }) => index),
      rows: Object.values(expected).reduce((sum, lines) => sum + lines.length, 0),
      differences: compareTables(expected, actual),
      kills: 2 * kills,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    ended.abort();
    for (const side of [follower, followed]) side.running?.child.kill('SIGKILL');
    await writing;
    await network.close();
    await db.close();
    for (const database of databases) await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function begin(side: Side): void {
  side.running = runMirror(side.args, { env: { DATABASE_URL: side.connectionString } });
}

async function kill(side: Side, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const { running } = side;
  side.running = null;
  running!.child.kill(signal);
  await running!.ended;
}

async function reach(sides: readonly Side[], db: ReturnType<typeof openDatabase>, blocks: number): Promise<void> {
  while ((await countBlocks(db)) < blocks) {
    const over = sides.find(({ running }) => running?.child.exitCode !== null);
    if (over) throw new Error(`A mirror ended. It said:\n${over.running?.output()}`);
    await sleep(20);
  }
}
