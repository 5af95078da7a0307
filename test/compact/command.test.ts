// `migrate --compact` as an operator runs it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { runHere } from '../support/program/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'compact-'));
let ledger: OpenedLedger;
beforeAll(async () => {
  ledger = await openLedger('months');
});
afterAll(async () => {
  await ledger?.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  runHere(['migrate', ...args, '--data-dir', folder], { env: { DATABASE_URL: ledger.connectionString } });

it('compacts all but the last day, says how much, and has nothing to do the second time', async () => {
  const first = await run('--compact');
  expect([first.code, first.output]).toEqual([0, expect.stringMatching(/Compacted 2\d{3} transactions\./)]);
  const second = await run('--compact');
  expect([second.code, second.output]).toEqual([0, expect.stringMatching(/no more blocks are older than a day/)]);
});

it('gives an empty database the form, for what is imported later', async () => {
  const empty = await createScratchDatabase({ empty: true });
  const env = { DATABASE_URL: empty.connectionString };
  const { code, output } = await runHere(['migrate', '--compact', '--data-dir', folder], { env });
  expect([code, output]).toEqual([0, expect.stringMatching(/no more blocks are older than a day/)]);
  await empty.close();
});

it('does not distribute such a database', async () => {
  const refused = await run('--distributed');
  expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/compact form cannot be distributed/)]);
});

it('exports the same rows', async () => {
  const usual = await openLedger('months');
  const exportOf = async (name: string, url: string): Promise<Record<string, string[]>> => {
    const to = join(folder, name);
    const { code, output } = await runHere(['export', '--to', to, '--data-dir', folder], {
      env: { DATABASE_URL: url },
    });
    expect([code, output]).toEqual([0, expect.any(String)]);
    const files = readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.csv.gz'));
    return Object.fromEntries(
      files.toSorted().map((path) => [
        path,
        gunzipSync(readFileSync(join(to, path)))
          .toString()
          .split('\n')
          .toSorted(),
      ]),
    );
  };
  const [before, after] = [
    await exportOf('usual', usual.connectionString),
    await exportOf('compact', ledger.connectionString),
  ];
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(Object.keys(before).filter((path) => /(crypto|token)_transfer/.test(path)).length).toBeGreaterThan(2);
  for (const [path, lines] of Object.entries(before)) expect([path, after[path]]).toEqual([path, lines]);
  await usual.close();
});

it('is examined by doctor as any other', async () => {
  const { output } = await runHere(['doctor', '--data-dir', folder], {
    env: { DATABASE_URL: ledger.connectionString },
  });
  expect(output).toMatch(/blocks/);
  expect(output).not.toMatch(/is missing|cannot be read|does not exist/);
});
