import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { type Database, openDatabase, type QueryError } from './database.ts';

let scratch: ScratchDatabase;
let db: Database;
const lost: string[] = [];
const seen: string[] = [];

beforeAll(async () => {
  scratch = await createScratchDatabase({ empty: true });
  db = openDatabase({
    ...scratch,
    maxConnections: 2,
    onConnectionLost: (error) => lost.push(error.message),
    onQuery: (name, durationMs, error) => seen.push(`${name} ${durationMs > 0} ${error === null}`),
  });
});
afterAll(async () => {
  await db.close();
  await scratch.close();
});

describe('openDatabase', () => {
  it('prepares a query under its name and tells how it went', async () => {
    const query = { name: 'next-number', text: 'select $1::int8 + 1 as next', values: [9007199254740993n] };
    expect(await db.query(query)).toEqual([{ next: 9007199254740994n }]);
    const prepared = await db.query({ name: 'prepared', text: 'select name from pg_prepared_statements' });
    expect(prepared).toContainEqual({ name: 'next-number' });
    expect(seen).toContain('next-number true true');
  });

  it('keeps the statements prepared that were used most recently, out of any number', async () => {
    const other = openDatabase({ ...scratch, maxConnections: 1 });
    const askNumber = (i: number) => ({ name: 'number', shape: `of-${i}`, text: `select ${i} as number, $1 as given` });
    for (let i = 0; i < 2_000; i++) {
      expect(await other.query({ ...askNumber(i), values: ['x'] })).toEqual([{ number: i, given: 'x' }]);
      if (i % 100 === 99)
        expect(await other.query({ ...askNumber(7), values: ['y'] })).toEqual([{ number: 7, given: 'y' }]);
    }
    const prepared = await other.query<{ name: string; runs: bigint }>({
      name: 'prepared',
      text: 'select name, generic_plans + custom_plans as runs from pg_prepared_statements',
    });
    expect(prepared).toHaveLength(200);
    // Prepared once, run 21 times; the last column would start again if it had been closed in between.
    expect(prepared).toContainEqual({ name: 'number:of-7', runs: 21n });
    expect(prepared).toContainEqual({ name: 'number:of-1999', runs: 1n });
    expect(prepared.map(({ name }) => name)).not.toContain('number:of-8');
    expect(await other.query({ ...askNumber(8), values: ['z'] })).toEqual([{ number: 8, given: 'z' }]);
    await other.close();
  });

  it('tells statements apart whose long names differ at the end, where PostgreSQL cuts them', async () => {
    const one = openDatabase({ ...scratch, maxConnections: 1 });
    const shape = 'x'.repeat(60);
    const askFor = (end: string) => ({
      name: 'long',
      shape: `${shape}${end}`,
      text: `select '${end}' as end, $1 as given`,
    });
    for (let round = 0; round < 3; round++) {
      for (const end of ['one', 'other']) {
        expect(await one.query({ ...askFor(end), values: ['x'] })).toEqual([{ end, given: 'x' }]);
      }
    }
    await one.close();
  });

  it('names the query that failed, with its SQLSTATE', async () => {
    const failed = db.query({ name: 'divide', text: 'select 1 / $1::int4', values: [0] });
    await expect(failed).rejects.toThrow(/Query divide failed: division by zero/);
    await expect(failed).rejects.toMatchObject({ code: '22012', query: 'divide' } satisfies Partial<QueryError>);
    expect(seen).toContain('divide true false');
  });

  it('goes on after its connections were lost', async () => {
    await Promise.all([db.check(), db.check()]);
    const other = openDatabase(scratch);
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    // Again and again: one that was still being opened is not among them.
    await vi.waitUntil(
      async () => {
        await other.query({ name: 'kill', text: kill });
        return db.connections().open === 0;
      },
      { timeout: 50_000 },
    );
    await other.close();
    await db.check();
    expect(lost.length).toBeGreaterThan(0);
  });

  it('ends queries that take too long', async () => {
    const hasty = openDatabase({ ...scratch, statementTimeoutMs: 300 });
    await expect(hasty.query({ name: 'sleep', text: 'select pg_sleep(300)' })).rejects.toMatchObject({ code: '57014' });
    await hasty.close();
  });
});
