// An export of a mirror, loaded into an empty database: the tables are equal, and stay so while the import goes on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../packages/test-support/postgres/scratch-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

// Two ledgers are imported and compared row by row.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let stream: SimulatedStream;
let mirror: ScratchDatabase;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'transfer-'));
  stream = await writeSimulatedStream({ seed: 'export', blocks: 40, transactionsPerBlock: 40 });
  mirror = await createScratchDatabase();
  await stream.importInto(mirror.connectionString);
});

afterAll(async () => {
  stream?.close();
  await mirror?.close();
  rmSync(folder, { recursive: true, force: true });
});

const summary = async ({ connectionString }: ScratchDatabase) => summarizeDump(await dumpDatabase(connectionString));

test('a bootstrap of a whole export gives equal tables', async () => {
  const place = join(folder, 'full');
  const written = await writeExport(mirror.connectionString, place);
  const copy = await createScratchDatabase();
  const loaded = await loadFrom(place, copy.connectionString);
  expect(loaded.failed).toEqual([]);
  expect(loaded.warned).toEqual([]);
  expect(loaded.checks.filter(({ holds }) => holds === false)).toEqual([]);
  expect(await summary(copy)).toEqual(await summary(mirror));
  expect(written.reused).toBe(0);
  await copy.close();
});
