import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { type Database, openDatabase, QueryError } from './database.ts';
import { waitForRoom } from './wait-for-room.ts';
import { queueIsFull } from './waiting-line.ts';

let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await createScratchDatabase({ empty: true });
  db = openDatabase({ connectionString: scratch.connectionString });
});
afterAll(async () => {
  await db?.close();
  await scratch?.close();
});

/** A database that refuses so many queries for the number of others. */
function crowded(refusals: number) {
  let asked = 0;
  const place: Database = {
    ...db,
    query(named) {
      asked += 1;
      if (asked > refusals) return db.query(named);
      const cause = Object.assign(new Error('40 queries wait'), { code: queueIsFull });
      return Promise.reject(new QueryError(named.name, cause));
    },
  };
  return { place, asked: () => asked };
}

const one = { name: 'one', text: 'select 1 as one' };

test('a query that is refused for the number of others is asked again', async () => {
  const { place, asked } = crowded(3);
  expect(await waitForRoom(place, { maxWaiting: 1 }).query(one)).toEqual([{ one: 1 }]);
  expect(asked()).toBe(4);
});

test('it gives up after its time', async () => {
  const { place } = crowded(Number.POSITIVE_INFINITY);
  await expect(waitForRoom(place, { maxWaiting: 1, timeoutMs: 150 }).query(one)).rejects.toMatchObject({
    code: queueIsFull,
  });
});

test('no more wait than may: the others are refused', async () => {
  const { place, asked } = crowded(5);
  const waiting = waitForRoom(place, { maxWaiting: 2 });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => waiting.query(one)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(asked()).toBe(7);
  expect(await waiting.query(one)).toEqual([{ one: 1 }]);
});

test('another error is thrown at once', async () => {
  const { place, asked } = crowded(0);
  await expect(
    waitForRoom(place, { maxWaiting: 1 }).query({ name: 'none', text: 'select none' }),
  ).rejects.toMatchObject({
    code: '42703',
  });
  expect(asked()).toBe(1);
});
