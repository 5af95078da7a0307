// What remains of `contract import` when it is killed: whole matches, from which the next one goes on.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { type ImportStack, startImportStack } from './import-stack.ts';
import { toTables, writeParquetExport } from './write-exports.ts';

let stack: ImportStack;
beforeAll(async () => {
  stack = await startImportStack();
});
afterAll(() => stack?.close());

test('killed again and again, it stores what one run stores', async () => {
  const folder = await stack.begin();
  const some = stack.samples.slice(0, 3);
  const damaged = { ...some[0]!, sources: { [some[0]!.path]: 'contract Other {}' } };
  writeParquetExport(folder, toTables([...some, damaged]), { rowsPerFile: 2 });
  await stack.run(folder);
  const expected = await stack.stored();
  expect(expected).toHaveLength(some.length);
  await stack.clear();

  for (let stored = 1; stored < some.length; stored++) {
    const mirror = startImport(folder);
    await vi.waitUntil(async () => (await stack.stored()).length >= stored, { timeout: waitMs, interval: 20 });
    mirror.child.kill('SIGKILL');
    await mirror.ended;
    // Whole matches only.
    const rows = await stack.stored();
    expect(expected).toEqual(expect.arrayContaining(rows));
  }
  const last = startImport(folder);
  expect([await last.ended, last.output()]).toEqual([
    0,
    expect.stringContaining('are verified here already, as well or better'),
  ]);
  expect(await stack.stored()).toEqual(expected);
});

function startImport(folder: string) {
  return runMirror(['contract', 'import', '--from', folder], {
    cwd: folder,
    env: { DATABASE_URL: stack.connectionString, LEDGER_MIRROR_CHAIN_ID: '298' },
  });
}
