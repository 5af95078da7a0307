// The program is killed (SIGKILL) while it imports blocks again, and resumed: the tables are as before.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayTables } from '../../packages/schema/day-tables.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { dumpTables } from '../support/tables/dump-tables.ts';
import { compareTables } from '../support/tables/import-folder.ts';

const blocks = 60;
let folder: string;
let scratch: ScratchDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kill-reimport-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  const start = 1_750_000_000_000_000_000n;
  const network = { format: 'blocks', stateForm: 'always', blocks, transactions: 30, start } as const;
  await writeNetwork({ folder, seed: 'killed again', ...network });
  scratch = await createScratchDatabase();
});

afterAll(async () => {
  await scratch?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** `importer_state`: when the import was last heard of. */
const dump = () => dumpTables(scratch.connectionString, { importer_state: ['*'] });

function startImport(args: string[] = []): RunningMirror {
  const common = ['import', '--once', '--source', folder, '--address-book', join(folder, 'addressbook.bin')];
  return runMirror([...common, ...args], { env: { DATABASE_URL: scratch.connectionString } });
}

async function finish(importer: RunningMirror): Promise<void> {
  expect([await importer.ended, importer.output()]).toEqual([0, expect.anything()]);
}

test('a reimport that is killed between two blocks, again and again, ends as one that is not', async () => {
  await finish(startImport());
  const imported = await dump();
  let next = 0;
  let kills = 0;
  for (; kills < 3 && next < blocks - 15; kills++) {
    // At this level every line is shown.
    const shown = ['--commit-transactions', '0', '--log-level', 'debug'];
    const killed = startImport([...shown, '--reimport-from', String(next)]);
    await killed.says(new RegExp(`Imported again: blocks ${next} to ${next + 8} of`));
    killed.child.kill('SIGKILL');
    await killed.ended;
    const reached = [...killed.output().matchAll(/Imported again: blocks \d+ to (\d+) of/g)].at(-1)!;
    next = Number(reached[1]) + 1;
    // Days of blocks that were imported again are counted at the end, or by the next import.
    expect(compareTables(imported, await dump()).filter((table) => !Object.hasOwn(dayTables, table))).toEqual([]);
  }
  expect(kills).toBeGreaterThan(0);
  const last = startImport(['--reimport-from', String(next)]);
  await finish(last);
  expect(last.output()).toMatch(new RegExp(`Imported again: ${blocks - next} blocks, from ${next} to ${blocks - 1}`));
  expect(compareTables(imported, await dump())).toEqual([]);
});

test('--until ends it, and a block that is not stored is named', async () => {
  const imported = await dump();
  const part = startImport(['--reimport-from', '5', '--until', '9']);
  await finish(part);
  expect(part.output()).toContain('Imported again: 5 blocks, from 5 to 9');
  const beyond = startImport(['--reimport-from', '60']);
  expect(await beyond.ended).toBe(1);
  expect(beyond.output()).toContain('Block 60 is not stored: there is nothing to import again from there.');
  expect(compareTables(imported, await dump())).toEqual([]);
});
