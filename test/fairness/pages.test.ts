// Pages that wait, for each other or for the database, keep nobody from an answer of the API, nor others from a page.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { doorShares } from '../../packages/kit/shares/door-shares.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { noBlockWatch } from '../../packages/store/notify/block-watch.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { honest, hostile } from '../support/fairness.ts';
import { lockTable } from './lock-table.ts';

let ledger: OpenedLedger;
let db: Database;
beforeAll(async () => {
  ledger = await openLedger('small');
  db = openDatabase(ledger);
});
afterAll(async () => {
  await db?.close();
  await ledger?.close();
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([
  ['quiet', false],
  ['busy', true],
])('on a %s thread more pages wait than there are places of the API, which is answered', async (_name, isHalfUsed) => {
  const thread = { isHalfUsed: () => isHalfUsed, isBusy: () => false, isBehind: () => false, isLate: () => false };
  const app = openServer(db, 'spec', { hasRoom: () => true, thread });
  const ask = async (url: string, remoteAddress = hostile) => (await app.inject({ url, remoteAddress })).statusCode;
  const unlock = await lockTable(ledger.connectionString, 'schedule');
  const count = doorShares.questions.places + doorShares.pages.places;
  const answered: string[] = [];
  const pages = Array.from({ length: count }, async (_, at) => {
    const status = await ask(`/demo/schedules?limit=${at + 1}`);
    answered.push(`${at + 1}: ${status}`);
    return status;
  });
  try {
    expect(await ask('/api/v1/blocks')).toBe(200);
    for (const address of honest) expect([address, await ask('/demo/blocks', address)]).toEqual([address, 200]);
    expect(answered).toEqual([]);
  } finally {
    await unlock();
  }
  expect(await Promise.all(pages)).toEqual(pages.map(() => 200));
  await app.close();
});

it('who asks for the same page as a client with many does not wait in the line of that', async () => {
  const thread = { isHalfUsed: () => false, isBusy: () => false, isBehind: () => false, isLate: () => false };
  const cache = { maxBytes: 2 ** 20, blocks: noBlockWatch, clockReadings: () => 0 };
  const app = openServer(db, 'spec', { hasRoom: () => true, thread, cache });
  const ask = async (url: string, remoteAddress: string) => (await app.inject({ url, remoteAddress })).statusCode;
  const unlock = await lockTable(ledger.connectionString, 'schedule');
  const paths = Array.from({ length: doorShares.pages.places }, (_, at) => `/demo/schedules?limit=${at + 1}`);
  const many = [...paths, '/demo/accounts'].map((path) => ask(path, hostile));
  try {
    expect(await ask('/demo/accounts', honest[0]!)).toBe(200);
  } finally {
    await unlock();
  }
  expect(await Promise.all(many)).toEqual(many.map(() => 200));
  await app.close();
});

it('a page that has waited too long is refused: of who has others in work with 429, of who has none with 503', async () => {
  const thread = { isHalfUsed: () => false, isBusy: () => false, isBehind: () => false, isLate: () => false };
  const app = openServer(db, 'spec', { hasRoom: () => true, thread });
  const ask = (url: string, remoteAddress: string) => app.inject({ url, remoteAddress });
  const { places, kept, waitMs, retryAfterSeconds } = doorShares.pages;
  const unlock = await lockTable(ledger.connectionString, 'schedule');
  await app.ready();
  const schedules = (count: number, address: string) =>
    Array.from({ length: count }, (_, at) => ask(`/demo/schedules?limit=${at + 1}`, address));
  const made = schedules(places, hostile);
  const inKept = honest.slice(0, kept).flatMap((address) => schedules(1, address));
  // Once the first of them waits at the database, all have a place.
  const onlooker = openDatabase(ledger);
  const ownLocks = 'select 1 from pg_locks join pg_database on oid = database and datname = current_database()';
  const waiting = { name: 'waiting', text: `${ownLocks} where not granted` };
  await vi.waitUntil(async () => (await onlooker.query(waiting)).length > 0);
  await onlooker.close();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const settled: number[] = [];
  const late = [ask('/demo/accounts', hostile), ask('/demo/accounts', honest[kept]!)];
  for (const one of late) void one.then(({ statusCode }) => settled.push(statusCode));
  while (vi.getTimerCount() < late.length) await new Promise((done) => setImmediate(done));
  await vi.advanceTimersByTimeAsync(waitMs - 1_000);
  expect(settled).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  const [own, all] = await Promise.all(late);
  vi.useRealTimers();
  await unlock();
  expect([own!.statusCode, all!.statusCode]).toEqual([429, 503]);
  expect(own!.body).toContain('<p>Your network has its share of the requests that are worked on.');
  expect(all!.body).toContain('<p>More requests than can be answered.');
  for (const { headers } of [own!, all!]) {
    expect(headers['retry-after']).toBe(`${retryAfterSeconds}`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  }
  const statuses = (await Promise.all([...made, ...inKept])).map(({ statusCode }) => statusCode);
  expect(statuses).toEqual(Array.from({ length: places + kept }, () => 200));
  expect((await ask('/demo/accounts', hostile)).statusCode).toBe(200);
  await app.close();
});
