// `import --once --keep`: it ends when everything is dropped that is older than the newest part of what is stored,
// however fast the import was, and also if there was nothing to import.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runHere } from '../support/program/run-here.ts';

// Commands run.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** No whole part of an hour: when in its time a block ends decides nothing. */
const blockTime = 50n * 60_000_000_000n;
const begin = BigInt(Date.UTC(2026, 2, 1)) * 1_000_000n;
const blocks = 48;
/** In commits of a block each, which is when a drop may begin. */
const flags = ['--commit-transactions', '0'];

let folder: string;
let database: ScratchDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'retention-once-'));
  await writeNetwork({ folder, seed: 'once', blocks, transactions: 8, start: begin, blockTime });
  database = await createScratchDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

function importOnce(...args: string[]): Promise<{ code: number; output: string }> {
  const files = ['--source', folder, '--address-book', join(folder, 'addressbook.bin'), '--network', 'demo'];
  const env = { DATABASE_URL: database.connectionString };
  return runHere(['import', '--once', ...files, ...flags, ...args], { env });
}

/**
 * Numbers of the first and the last block, how many rows are older than the first, and from where on nothing is
 * missing.
 */
async function held(): Promise<{ first: number; last: number; older: number; keptFrom: bigint | null }> {
  return withClient(database.connectionString, 'test', async (client) => {
    const { rows } = await client.query(
      `select min(index)::int4 as first, max(index)::int4 as last,
  (select count(*)::int4 from transaction where consensus_timestamp < min(r.consensus_start)) as older,
  (select kept_from::text from mirror_extent) as kept from record_file r`,
    );
    const { first, last, older, kept } = rows[0];
    return { first, last, older, keptFrom: kept === null ? null : BigInt(kept) };
  });
}

test('at its end no block is left that ended before what is kept', async () => {
  expect(await importOnce('--keep', '6h')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Imported 48 blocks/m),
  });
  const { first, last, older, keptFrom } = await held();
  // Of the last one, and those that end six hours or less before it.
  expect([first, last, older]).toEqual([40, 47, 0]);
  expect(keptFrom).toBeGreaterThan(begin + 39n * blockTime);
  expect(keptFrom).toBeLessThan(begin + 40n * blockTime);
});

test('nothing new to import: what is older than a smaller --keep is dropped all the same', async () => {
  expect(await importOnce('--keep', '3h')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Imported 0 blocks/m),
  });
  expect(await held()).toMatchObject({ first: 44, last: 47, older: 0 });
});

test('what cannot be dropped is said at the end, and the same command goes on', async () => {
  await withClient(database.connectionString, 'test', async (client) => {
    // Dropping needs it, and the import does not.
    await client.query('begin; lock table network_freeze in share mode');
    expect(await importOnce('--keep', '1h')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/could not be dropped: .*lock timeout.*The same command goes on/),
    });
    await client.query('rollback');
  });
  expect(await importOnce('--keep', '1h')).toMatchObject({ code: 0 });
  expect(await held()).toMatchObject({ first: 46, last: 47, older: 0 });
});
