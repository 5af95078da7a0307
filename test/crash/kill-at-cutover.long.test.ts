// The importer is killed (SIGKILL) again and again while record files end and a block stream goes on: files appear one
// block at a time, each run lives for a moment of one of them. The tables end exactly as those of an undisturbed run.
// `KILLS=20 node node_modules/vitest/vitest.mjs run test/crash/kill-at-cutover.test.ts` is the long form.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runMirror } from '../support/program/run-mirror.ts';

const kills = Number(process.env.KILLS ?? 4);
const cutoverAt = 20;
const blocks = cutoverAt + kills;
/** Half of the kills come while the last record files do. */
const firstHeldBack = cutoverAt - Math.floor(kills / 2);
const longestLifeMs = 100;
const longestStartMs = 2_500;

const random = createSeededRandom('cutover crash test', 'moments to kill at');
const databases: ScratchDatabase[] = [];
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kill-at-cutover-'));
  await writeNetwork({
    folder: join(folder, 'whole'),
    seed: 'cutover crash',
    cutoverAt: BigInt(cutoverAt),
    blocks,
    transactions: 12,
  });
});

afterAll(async () => {
  for (const database of databases) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test(`tables are the same after ${kills} kills around the cutover`, async () => {
  const source = join(folder, 'growing');
  cpSync(join(folder, 'whole'), source, { recursive: true });
  const held = holdBack(source);
  const killed = await openDatabase();
  let runs = 0;
  for (; runs < kills; runs++) {
    const importer = startImport(source, killed.connectionString, []);
    held.shift()?.();
    // Half of the runs are killed about when they have the block, the others at whatever moment of starting and
    // importing.
    if (runs % 2 === 0) await importer.says(/block \d+ ·/);
    await sleep(random.integer(0, runs % 2 === 0 ? longestLifeMs : longestStartMs));
    importer.child.kill('SIGKILL');
    expect(await importer.ended).toBe(null);
  }
  for (const release of held) release();
  const whole = await openDatabase();
  for (const [from, { connectionString }] of [
    [source, killed],
    [join(folder, 'whole'), whole],
  ] as const) {
    const importer = startImport(from, connectionString, ['--once']);
    const code = await importer.ended;
    expect([code, code === 0 ? '' : importer.output()]).toEqual([0, '']);
  }
  const expected = summarizeDump(await dumpDatabase(whole.connectionString));
  expect(expected.record_file).toMatch(new RegExp(`^${blocks} rows`));
  expect(summarizeDump(await dumpDatabase(killed.connectionString))).toEqual(expected);
});

/** Takes the files of the last blocks away; each function puts those of the next one back. */
function holdBack(source: string): (() => void)[] {
  const store = join(folder, 'held');
  mkdirSync(store);
  const moves = Array.from({ length: blocks - firstHeldBack }, (): [string, string][] => []);
  const hold = (index: number, path: string): void => {
    const away = join(store, path.replaceAll('/', '+'));
    renameSync(path, away);
    moves[index]!.push([away, path]);
  };
  for (const node of readdirSync(join(source, 'recordstreams'))) {
    const nodeFolder = join(source, 'recordstreams', node);
    const names = readdirSync(nodeFolder)
      .filter((name) => name.includes('.rcd'))
      .sort();
    // A record file and its signature for each block.
    for (const [index, name] of names.entries()) {
      const block = Math.floor(index / 2);
      if (block >= firstHeldBack) hold(block - firstHeldBack, join(nodeFolder, name));
    }
  }
  for (const name of readdirSync(join(source, 'blocks'))) {
    hold(Number.parseInt(name, 10) - firstHeldBack, join(source, 'blocks', name));
  }
  return moves.map((files) => () => {
    for (const [away, path] of files) renameSync(away, path);
  });
}

function startImport(source: string, connectionString: string, args: string[]) {
  const files = ['--source', source, '--address-book', join(source, 'addressbook.bin')];
  return runMirror(['import', ...args, ...files], { env: { DATABASE_URL: connectionString } });
}

async function openDatabase(): Promise<ScratchDatabase> {
  const database = await createScratchDatabase();
  databases.push(database);
  return database;
}
