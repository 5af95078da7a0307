// A first import without the indexes of queries, as an operator runs it: it ends with the same tables and all indexes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { postponeIndexes } from '../../packages/schema/migration/postponed-indexes.ts';
import { countPostponedIndexes } from '../../packages/store/read/count-postponed-indexes.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runMirror } from '../support/program/run-mirror.ts';

test('import --bulk leaves the same tables, and takes up what a killed one has left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bulk-import-'));
  const [ordinary, bulk] = [await createScratchDatabase(), await createScratchDatabase()];
  const db = openDatabase({ connectionString: bulk.connectionString, maxConnections: 1 });
  try {
    await writeNetwork({ folder, seed: 'bulk', nodes: 1, blocks: 12, transactions: 6 });
    const importInto = async (connectionString: string, ...flags: string[]) => {
      const files = ['--source', folder, '--address-book', join(folder, 'addressbook.bin')];
      const run = runMirror(['import', '--once', ...files, ...flags], { env: { DATABASE_URL: connectionString } });
      return { code: await run.ended, output: run.output() };
    };
    expect(await importInto(ordinary.connectionString)).toMatchObject({ code: 0 });

    // As a first run that was killed at once leaves it.
    await postponeIndexes(bulk.connectionString);
    const run = await importInto(bulk.connectionString, '--bulk');
    expect(run.output).toMatch(/Made \d+ indexes that the import had left out/);
    expect(run.code).toBe(0);
    await expect(countPostponedIndexes(db)).resolves.toBe(0);
    const summaries = [ordinary, bulk].map(async ({ connectionString }) =>
      summarizeDump(await dumpDatabase(connectionString)),
    );
    const [expected, found] = await Promise.all(summaries);
    expect(found).toEqual(expected);

    // As a supervisor starts it again.
    const again = await importInto(bulk.connectionString, '--bulk');
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('--bulk changes nothing any more') });
  } finally {
    await db.close();
    await bulk.close();
    await ordinary.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);

test('import --bulk waits for the first file, as any import does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bulk-import-'));
  const { connectionString, close } = await createScratchDatabase();
  const db = openDatabase({ connectionString, maxConnections: 1 });
  const network = await openNetwork({ folder, seed: 'bulk', nodes: 1 });
  const files = ['--source', join(folder, 'recordstreams'), '--address-book', join(folder, 'addressbook.bin')];
  mkdirSync(join(folder, 'recordstreams'), { recursive: true });
  const run = runMirror(['import', '--bulk', ...files], { env: { DATABASE_URL: connectionString } });
  try {
    await run.says(/holds neither record files nor blocks.* The import waits there/);
    await network.run({ intervalMs: 0, blocks: 2, transactionsPerBlock: 2 });
    await run.says(/Made \d+ indexes that the import had left out/);
    run.child.kill('SIGTERM');
    await expect(run.ended).resolves.toBe(0);
    await expect(countPostponedIndexes(db)).resolves.toBe(0);
  } finally {
    run.child.kill('SIGKILL');
    await run.ended;
    await network.close();
    await db.close();
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
