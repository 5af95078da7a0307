import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runAs } from '../../kit/shares/current-client.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { type Database, openDatabase } from './database.ts';

let scratch: ScratchDatabase;
let client: pg.Client;
let db: Database;

beforeAll(async () => {
  scratch = await createScratchDatabase({ empty: true });
  client = new pg.Client(scratch);
  await client.connect();
  await client.query('create table counted (n int4)');
});
beforeEach(async () => {
  await client.query('truncate counted');
  db = openDatabase({ ...scratch, maxConnections: 3 });
});
afterEach(() => db.close());
afterAll(async () => {
  await client.end();
  await scratch.close();
});

const add = () => client.query('insert into counted values (1)');

async function count(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>({ name: 'count', text: 'select count(*)::int4 as n from counted' });
  return row!.n;
}

it('all queries see the same moment, and it ends with the work', async () => {
  await add();
  await db.snapshot(async (own) => {
    expect(await count(own)).toBe(1);
    await add();
    expect(await count(own)).toBe(1);
    expect(await own.snapshot(count)).toBe(1);
    expect(await count(db)).toBe(2);
  });
  expect(await Promise.all([count(db), count(db), count(db), db.snapshot(count)])).toEqual([2, 2, 2, 2]);
});

it('queries that are asked at once see the same moment, too', async () => {
  for (let round = 0; round < 20; round++) {
    const [counts] = await Promise.all([
      db.snapshot((own) => Promise.all(Array.from({ length: 5 }, () => count(own)))),
      add(),
    ]);
    expect(new Set(counts).size).toBe(1);
  }
});

it('far more of them than connections come to an end, with other queries beside and within', async () => {
  const asked = Array.from({ length: 60 }, async (_, number) => {
    if (number % 3 === 0) return count(db);
    return db.snapshot(async (own) => (await count(own)) + (await count(db)) + (await count(own)));
  });
  expect(new Set(await Promise.all(asked))).toEqual(new Set([0]));
  const { open, idle, waiting } = db.connections();
  expect({ open, waiting }).toEqual({ open: 3, waiting: 0 });
  expect(idle).toBeGreaterThan(0);
});

it.each([2, 3, 4, 5, 8])(
  'one client can ask beside all that it borrowed, with %i connections',
  async (maxConnections) => {
    const own = openDatabase({ ...scratch, maxConnections });
    const askBeside = () => own.snapshot(() => Promise.all([count(own), count(own)]));
    try {
      const counts = await runAs('a client', () => Promise.all(Array.from({ length: 3 * maxConnections }, askBeside)));
      expect(counts.flat()).toEqual(Array.from({ length: 6 * maxConnections }, () => 0));
    } finally {
      await own.close();
    }
  },
);

it('a failed query or failed work leaves the connection in order', async () => {
  const wrong = { name: 'wrong', text: 'select 1 / 0' };
  for (let round = 0; round < 6; round++) {
    await expect(db.snapshot((own) => own.query(wrong))).rejects.toThrow('division by zero');
    await expect(db.snapshot(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await add();
    expect(await Promise.all([count(db), db.snapshot(count), count(db)])).toEqual(Array(3).fill(round + 1));
  }
});

it('nothing can be written in one', async () => {
  const write = { name: 'write', text: 'insert into counted values (1)' };
  await expect(db.snapshot((own) => own.query(write))).rejects.toThrow('read-only transaction');
});

it('a lost connection ends the work, and the next one has another', async () => {
  const lost = db.snapshot(async (own) => {
    const [row] = await own.query<{ pid: number }>({ name: 'pid', text: 'select pg_backend_pid() as pid' });
    await client.query('select pg_terminate_backend($1, 10000)', [row!.pid]);
    await own.query({ name: 'one', text: 'select 1 as one' }).catch(() => {});
    return count(own);
  });
  await expect(lost).rejects.toThrow('Query count failed');
  expect(await db.snapshot(count)).toBe(0);
});

it('leaves no transaction open on an idle connection', async () => {
  for (let round = 0; round < 3; round++) await db.snapshot(count);
  const openOnes = `select count(*)::int4 as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  await expect.poll(async () => (await client.query<{ n: number }>(openOnes)).rows).toEqual([{ n: 0 }]);
  await db.snapshot(count);
  await db.close();
  db = openDatabase({ ...scratch, maxConnections: 3 });
});
