// `contract import` as a process: its output and exit codes; and what it refuses.
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { type ImportStack, startImportStack } from './import-stack.ts';
import { toTables, type WrittenMatch, writeParquetExport } from './write-exports.ts';

let stack: ImportStack;
let folder: string;
let matches: WrittenMatch[];

beforeAll(async () => {
  stack = await startImportStack();
  matches = stack.samples;
});
afterAll(() => stack?.close());
beforeEach(async () => {
  folder = await stack.begin();
});

const place = () => ({
  cwd: folder,
  env: { DATABASE_URL: stack.connectionString, LEDGER_MIRROR_CHAIN_ID: '298' },
});

async function run(...args: string[]) {
  const mirror = runMirror(['contract', ...args], place());
  return { code: await mirror.ended, output: mirror.output() };
}

test('says what it did, and ends with 1 where something could not be checked', async () => {
  const [first, second] = matches as [WrittenMatch, WrittenMatch];
  const unknown = { ...first, address: `0x${'ab'.repeat(20)}` };
  const old = { ...second, compilerVersion: '0.4.24+commit.e67f0147' };
  writeParquetExport(folder, toTables([first, unknown]));
  const dry = await runHere(['contract', 'import', '--from', folder, '--dry-run'], place());
  expect(dry).toMatchObject({
    code: 0,
    output: expect.stringMatching(/1 would be checked\n.*1 are of contracts that/s),
  });
  expect(await stack.stored()).toEqual([]);
  const whole = await run('import', '--from', folder);
  expect(whole.output).toContain(`Read parquet files of Sourcify's database in ${folder}: 2 matches of chain 298.`);
  expect(whole).toMatchObject({ code: 0, output: expect.stringContaining('  1 verified and stored as perfect\n') });

  writeParquetExport(folder, toTables([first, unknown, old]));
  const missing = await runHere(['contract', 'import', '--from', folder], place());
  expect(missing.output).toMatch(
    /1 need compilers .*--verify-download fetches them:\n {4}0\.4\.24\+commit\.e67f0147: 1\n/,
  );
  expect(missing.code).toBe(1);

  truncateSync(join(folder, 'v2/sources/sources_0_1000.parquet'), 60);
  const cut = await run('import', '--from', folder);
  expect(cut).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /1 place of the export could not be read:\n {4}v2\/sources\/sources_0_1000\.parquet /,
    ),
  });
});

test.each<[args: string[], says: RegExp]>([
  [[], /"contract" is not a command; there is .*"contract import"/],
  [['improt'], /"contract improt" is not a command/],
  [['toString'], /"contract toString" is not a command/],
  [['import'], /--from <folder or file> is needed/],
  [['import', '--from', './none'], /none cannot be read: ENOENT/],
  [['import', '--from', '.'], /has neither parquet files such as/],
  [['import', '--from', '.', '--limit', '0'], /--limit must be a whole number above 0, not "0"/],
  [['import', '--from', '.', '--chain', 'mainnet'], /--chain must be a whole number above 0, not "mainnet"/],
  [['import', '--from', '.', '--dry-run=yes'], /--dry-run/],
  [['import', '--from', '.', '--port', '1'], /--port has no meaning for this command/],
])('"contract %j" is refused', async (args, says) => {
  expect(await runHere(['contract', ...args], place())).toEqual({ code: 2, output: expect.stringMatching(says) });
});

test('a chain that is not configured is refused, and the known ones are named', async () => {
  writeParquetExport(folder, toTables(matches.slice(0, 1)));
  const { code, output } = await runHere(['contract', 'import', '--from', folder, '--chain', '295'], place());
  expect([code, output]).toEqual([2, expect.stringMatching(/Chain 295 is not configured; --verify-chains names/)]);
});
