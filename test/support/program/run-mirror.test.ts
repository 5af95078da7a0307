import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../../packages/postgres/embedded/running-process.ts';

/** A process that runs tests. */
const program = `
import { runMirror } from ${JSON.stringify(new URL('./run-mirror.ts', import.meta.url).href)};
const mirror = runMirror([], { script: process.argv[1] });
await mirror.says(/ready/);
console.log(mirror.child.pid);
`;

/** Writes nothing more, and so does not notice that nobody reads it. */
const silent = `
process.stdout.write('ready');
setInterval(() => {}, 1000);
`;

test('what a test started ends when the process of the tests is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-mirror-'));
  const script = join(folder, 'silent.mjs');
  writeFileSync(script, silent);
  const tests = spawn(process.execPath, ['--input-type=module', '-e', program, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: tests.stdout }), 'line')) as [string];
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  const ended = once(tests, 'exit');
  tests.kill('SIGKILL');
  await ended;
  await vi.waitUntil(() => !isAlive(pid), { timeout: 240_000 });
  rmSync(folder, { recursive: true, force: true });
});
