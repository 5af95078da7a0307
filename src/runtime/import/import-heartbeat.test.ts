// The heartbeat through a real database: what another process reads of it.

import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { selectImporterState } from '../../../packages/store/read/select-importer-state.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import { StreamCheckError } from '../../importer/open/stream-check-error.ts';
import { createImportWatch } from '../status/signals/import-signals.ts';
import { startImportHeartbeat } from './import-heartbeat.ts';

const log = pino({ level: 'silent' });
let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  db = openDatabase({ connectionString: scratch.connectionString });
});
afterAll(async () => {
  await db.close();
  await scratch.close();
});

const begin = () =>
  startImportHeartbeat(
    db,
    {
      watch: createImportWatch(Date.now),
      lookAtSource: async () => ({ newestFile: 1_700_000_000_123_456_789n, problem: null }),
    },
    log,
  );

it('says that it lives, what it sees of the network, and how it ended', async () => {
  expect(await selectImporterState(db)).toBeNull();
  const heartbeat = await begin();
  for (const until = Date.now() + 120_000; Date.now() < until; ) {
    if (await selectImporterState(db)) break;
  }
  expect(await selectImporterState(db)).toMatchObject({
    isEnded: false,
    newestFile: 1_700_000_000_123_456_789n,
    haltedFile: null,
  });
  await heartbeat.end(
    new StreamCheckError([
      { code: 'fileHash', file: 'x.rcd', node: '0.0.3', expected: 'a', found: 'b', transient: false },
    ]),
  );
  expect(await selectImporterState(db)).toMatchObject({ isEnded: true, haltedFile: 'x.rcd' });
});

it('a start after a broken file stays halted; its end is reported at once', async () => {
  const heartbeat = await begin();
  await heartbeat.end(null);
  const state = await selectImporterState(db);
  expect(state).toMatchObject({ isEnded: true, haltedFile: 'x.rcd' });
  expect(state!.haltedReason).toMatch(/^x\.rcd: not the file that was signed/);
  expect(Number(state!.seenMs)).toBeLessThan(60_000);
});

it('a database without the table has no importer to speak of', async () => {
  const empty = await createScratchDatabase({ empty: true });
  const other = openDatabase({ connectionString: empty.connectionString });
  expect(await selectImporterState(other)).toBeNull();
  await other.close();
  await empty.close();
});
