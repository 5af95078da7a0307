// A database whose indexes were postponed and made again has exactly those of one that had them all the time, wherever
// the work was interrupted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import { makePostponedIndexes, postponeIndexes } from '../../schema/migration/postponed-indexes.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { countPostponedIndexes } from '../read/count-postponed-indexes.ts';
import { createBlockWriter } from './block-writer.ts';

let ordinary: ScratchDatabase;
let bulk: ScratchDatabase;
let db: Database;

beforeAll(async () => {
  ordinary = await createScratchDatabase();
  bulk = await createScratchDatabase();
  db = openDatabase(bulk);
});
afterAll(async () => {
  await db.close();
  await bulk.close();
  await ordinary.close();
});

// Two years: two partitions.
const times = [1_700_000_000_000_000_000n, 1_710_000_000_000_000_000n];

test('indexes are left out of an empty database, made once it is filled, and never left out of a filled one', async () => {
  await expect(postponeIndexes(bulk.connectionString)).resolves.toBe(true);
  const postponed = await countPostponedIndexes(db);
  expect(postponed).toBeGreaterThan(10);
  for (const database of [ordinary, bulk]) await fill(database);
  expect(await indexesOf(bulk)).not.toEqual(await indexesOf(ordinary));
  // Another run of the same first import.
  await expect(postponeIndexes(bulk.connectionString)).resolves.toBe(true);
  await expect(countPostponedIndexes(db)).resolves.toBe(postponed);

  const { connectionString } = bulk;
  const stop = new AbortController();
  let steps = 0;
  const interrupted = await makePostponedIndexes({
    connectionString,
    signal: stop.signal,
    onProgress: () => {
      steps += 1;
      if (steps === 5) stop.abort();
    },
  });
  expect(interrupted).toBeGreaterThan(0);
  await expect(countPostponedIndexes(db)).resolves.toBe(postponed - interrupted);

  const progress: number[] = [];
  const rest = await makePostponedIndexes({ connectionString, onProgress: ({ done }) => progress.push(done) });
  expect(rest).toBe(postponed - interrupted);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  await expect(countPostponedIndexes(db)).resolves.toBe(0);
  expect(await indexesOf(bulk)).toEqual(await indexesOf(ordinary));
  await expect(makePostponedIndexes({ connectionString })).resolves.toBe(0);
  await expect(postponeIndexes(connectionString)).resolves.toBe(false);
});

async function fill({ connectionString }: ScratchDatabase): Promise<void> {
  const writer = await createBlockWriter({ connectionString });
  for (const [index, consensus_end] of times.entries()) {
    const transaction = {
      consensus_timestamp: consensus_end,
      payer_account_id: 2n,
      result: 22,
      type: 14,
      valid_start_ns: 1n,
    };
    const transfer = { amount: 1n, consensus_timestamp: consensus_end, entity_id: 3n, payer_account_id: 2n };
    const file = {
      consensus_start: consensus_end,
      count: 1n,
      hash: `${index}`,
      load_end: 1n,
      load_start: 1n,
      prev_hash: '',
    };
    const block = {
      ...file,
      consensus_end,
      digest_algorithm: 0,
      file_hash: '',
      index: BigInt(index),
      name: `${index}`,
      version: 6,
    };
    await writer.writeBlock({
      parts: [{ transaction: [transaction], crypto_transfer: [transfer], record_file: [block] }],
    });
  }
  await writer.close();
}

/** What PostgreSQL says of them, without the names of those of partitions. */
async function indexesOf({ connectionString }: ScratchDatabase): Promise<string[]> {
  const own = openDatabase({ connectionString, maxConnections: 1 });
  const rows = await own.query<{ text: string }>({
    name: 'indexes',
    text: `select tablename || ': ' || regexp_replace(indexdef, '^CREATE (UNIQUE )?INDEX \\S+', '\\1') || (
      select count(*) from pg_inherits where inhrelid = (quote_ident(schemaname) || '.' || quote_ident(indexname))::regclass) as text
      from pg_indexes where schemaname = current_schema() order by 1`,
  });
  await own.close();
  return rows.map(({ text }) => text);
}
