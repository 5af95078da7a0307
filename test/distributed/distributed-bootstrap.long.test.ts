// An export fills a database before it is distributed over several machines (a stand-in for Citus), not after.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { ledgers } from '../../packages/test-support/ledgers/ledgers.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { addCitusStandIn } from '../support/servers/citus-stand-in.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

// A ledger is imported, exported and loaded.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let folder: string;
const scratch: ScratchDatabase[] = [];

async function openScratch(): Promise<ScratchDatabase> {
  const opened = await createScratchDatabase();
  scratch.push(opened);
  return opened;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'distributed-bootstrap-'));
  const stream = await writeSimulatedStream(ledgers.small);
  const mirror = await openScratch();
  await stream.importInto(mirror.connectionString);
  stream.close();
  await writeExport(mirror.connectionString, folder);
});

afterAll(async () => {
  for (const database of scratch) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('one that is distributed already is refused, with what to do', async () => {
  const copy = await openScratch();
  await addCitusStandIn(copy.connectionString);
  await migrate({ ...copy, distributed: true });
  await expect(loadFrom(folder, copy.connectionString)).rejects.toThrow(
    /is not filled from an export\. Fill one on the coordinator that is not distributed yet, and distribute it then: "migrate --distributed"\.$/,
  );
});

test.each(['full', 'state'] as const)('one that was filled (%s) is distributed with all of its rows', async (kind) => {
  const copy = await openScratch();
  await addCitusStandIn(copy.connectionString);
  expect((await loadFrom(folder, copy.connectionString, { mode: { kind } })).failed).toEqual([]);
  const before = summarizeDump(await dumpDatabase(copy.connectionString));
  const said: string[] = [];
  await migrate({ ...copy, distributed: true, log: (sentence) => said.push(sentence) });
  expect(said).toEqual([expect.stringMatching(/^Distributed \d\d+ tables over the machines of the cluster$/)]);
  expect(summarizeDump(await dumpDatabase(copy.connectionString))).toMatchObject(before);
});
