import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../../packages/test-support/streams/simulated-stream.ts';
import { tellEmptyLedger } from './tell-empty-ledger.ts';

let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 1 });
});
afterAll(async () => {
  await db.close();
  await scratch.close();
});

test('a database without a block is said, one with blocks is not', async () => {
  const said: string[] = [];
  const log = pino({}, { write: (line) => void said.push((JSON.parse(line) as { msg: string }).msg) });
  await tellEmptyLedger(db, log);
  expect(said).toEqual([expect.stringMatching(/^The database holds no block yet/)]);
  const stream = await writeSimulatedStream({ seed: 'told', blocks: 1, transactionsPerBlock: 1 });
  await stream.importInto(scratch.connectionString);
  stream.close();
  await tellEmptyLedger(db, log);
  expect(said).toHaveLength(1);
});
