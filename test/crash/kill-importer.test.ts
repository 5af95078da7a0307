// The importer is killed (SIGKILL) at random moments while it imports; whatever the moment, the tables end exactly as those
// of an undisturbed run.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/network/seeded-random.ts';
import { dumpDatabase, summarizeDump } from '../support/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.ts';

const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const kills = 20;

let folder: string;
const databases: ScratchDatabase[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kill-importer-'));
  const network = startMirror(
    ['network', '--output', folder, '--blocks', '150', '--transactions-per-block', '40', '--block-interval', '0'],
    {},
  );
  expect(await endOf(network)).toBe(0);
}, 180_000);

afterAll(async () => {
  for (const database of databases) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test(`tables are the same after ${kills} kills`, async () => {
  const undisturbed = await openDatabase();
  const started = Date.now();
  expect(await endOf(startImport(undisturbed))).toBe(0);
  const wholeMs = Date.now() - started;
  const expected = summarizeDump(await dumpDatabase(undisturbed.connectionString));
  expect(expected.record_file).toMatch(/^150 rows/);

  const random = createSeededRandom('crash test', 'moments to kill at');
  let killed = 0;
  let survivors = 0;
  // Each database is killed at until its import has come through; then the next one begins.
  while (killed < kills) {
    const disturbed = await openDatabase();
    for (;;) {
      const importer = startImport(disturbed);
      const ended = endOf(importer);
      const whole = await Promise.race([ended, sleep(wholeMs * (random.integer(5, 70) / 100)).then(() => undefined)]);
      if (whole !== undefined) {
        expect(whole).toBe(0);
        break;
      }
      importer.kill('SIGKILL');
      await ended;
      killed += 1;
    }
    expect(summarizeDump(await dumpDatabase(disturbed.connectionString))).toEqual(expected);
    survivors += 1;
  }
  expect(survivors).toBeGreaterThan(0);
}, 300_000);

async function openDatabase(): Promise<ScratchDatabase> {
  const database = await createScratchDatabase();
  databases.push(database);
  return database;
}

function startImport(database: ScratchDatabase): ChildProcess {
  return startMirror(['import', '--once', '--source', folder, '--address-book', join(folder, 'addressbook.bin')], {
    DATABASE_URL: database.connectionString,
  });
}

function startMirror(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main, ...args], {
    env: { ...process.env, LEDGER_MIRROR_LAUNCHER: '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve));
}
