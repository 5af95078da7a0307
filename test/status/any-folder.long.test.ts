// The program in a folder with a name that a URL would read otherwise: its status service starts there, too.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
let mirror: RunningMirror | null = null;
let database: ScratchDatabase;

afterEach(async () => {
  mirror?.child.kill('SIGTERM');
  await mirror?.ended;
  await database?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('a folder with a space, %, #, ? and letters of other alphabets', async () => {
  folder = mkdtempSync(join(tmpdir(), 'any-folder-'));
  const copy = join(folder, 'mein 100% #1 %20 Spiegel? ü 鏡');
  mkdirSync(copy);
  for (const part of ['src', 'packages', 'clients']) cpSync(join(root, part), join(copy, part), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  database = await createScratchDatabase();
  const flags = ['--port=0', `--data-dir=${join(copy, 'data')}`];
  const environment = { DATABASE_URL: database.connectionString };
  mirror = runMirror(['serve', ...flags], { env: environment, script: join(copy, 'src', 'cli', 'main.ts') });
  const [, url] = await mirror.says(/Answering on (http:\S+)/);
  const answer = await fetch(`${url}/status`);
  expect(answer.status, mirror.output()).toBe(200);
  expect(await answer.text()).toContain('Record stream import');
});
