// `migrate --compact` as an operator runs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
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

it('does not distribute such a database', async () => {
  const refused = await run('--distributed');
  expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/compact form cannot be distributed/)]);
});
