import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueIsFull } from '../../../packages/postgres/wire/waiting-line.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { openMeasuredReaders } from './open-measured-readers.ts';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database?.close());

/** More than are accepted in any case. */
const count = 60;
/** Two at a time: the last ones wait for longer than the two seconds of a pool that is told nothing. */
const sleepSeconds = 0.1;

test.each([
  { wait: '1', isRefused: true },
  { wait: '0', isRefused: false },
])('--max-wait $wait: queries that wait for a connection', async ({ wait, isRefused }) => {
  const { db } = await openMeasuredReaders({
    connectionString: database.connectionString,
    settings: loadSettings('serve', ['--max-wait', wait], {}),
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    maxConnections: 2,
  });
  const query = { name: 'sleep', text: 'select pg_sleep($1)', values: [sleepSeconds] };
  const ends = await Promise.allSettled(Array.from({ length: count }, () => db.query(query)));
  await db.close();
  const refused = ends.filter(({ status }) => status === 'rejected');
  expect(refused.length > 0).toBe(isRefused);
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject({ code: queueIsFull });
});
