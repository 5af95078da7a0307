// A bootstrap by the command from a bucket of Google whose reader pays: as the operator of the public mirror publishes
// exports.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { summarizeDatabase } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { type GoogleBucket, serveGoogleBucket } from '../support/servers/google-bucket.ts';
import { writeExport } from '../support/transfer/move-ledger.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let folder: string;
let mirror: ScratchDatabase;
let bucket: GoogleBucket;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'google-bucket-'));
  mirror = await openLedger('small');
  await writeExport(mirror.connectionString, folder);
  bucket = await serveGoogleBucket(folder, { bucket: 'db-export', prefix: 'TESTNET/0.163.1/' });
});

afterAll(async () => {
  bucket?.close();
  await mirror?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function bootstrap(databaseUrl: string, flags: string[]): Promise<{ code: number | null; output: string }> {
  const from = ['--from', 'gs://db-export/TESTNET/0.163.1', '--source-endpoint', bucket.endpoint];
  const { ended, output } = runMirror(['bootstrap', '--full', '--network', 'other', ...from, ...flags], {
    env: { DATABASE_URL: databaseUrl, GOOGLE_APPLICATION_CREDENTIALS: '' },
  });
  return { code: await ended, output: output() };
}

test('it is listed page by page, read on where it broke off, and every request says who pays', async () => {
  const copy = await createScratchDatabase();
  const unpaid = await bootstrap(copy.connectionString, []);
  expect(unpaid).toMatchObject({ code: 1, output: expect.stringMatching(/lets the reader pay.*--source-project/) });
  bucket.payers.clear();
  bucket.cuts = 3;
  const paid = await bootstrap(copy.connectionString, ['--source-requester-pays', '--source-project', 'ours']);
  expect([paid.code, paid.output]).toEqual([0, expect.any(String)]);
  expect([...bucket.payers]).toEqual(['ours']);
  expect(bucket.cuts).toBe(0);
  const { mirrored_network: _, ...expected } = await summarizeDatabase(mirror.connectionString);
  expect(await summarizeDatabase(copy.connectionString)).toMatchObject(expected);
  await copy.close();
});
