import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../../test/support/scratch-database.ts';
import { type Database, openDatabase, QueryError } from './database.ts';
import { queueIsFull } from './session-pool.ts';
import { waitForRoom } from './wait-for-room.ts';

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
  expect(await waitForRoom(place).query(one)).toEqual([{ one: 1 }]);
  expect(asked()).toBe(4);
});

test('it gives up after its time', async () => {
  await expect(waitForRoom(crowded(Number.POSITIVE_INFINITY).place, 150).query(one)).rejects.toMatchObject({
    code: queueIsFull,
  });
});

test('another error is told at once', async () => {
  const { place, asked } = crowded(0);
  await expect(waitForRoom(place).query({ name: 'none', text: 'select none' })).rejects.toMatchObject({
    code: '42703',
  });
  expect(asked()).toBe(1);
});
