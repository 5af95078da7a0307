import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { type Database, openDatabase } from './database.ts';
import { createSessionPool } from './session-pool.ts';
import { valueParsers } from './value-parsers.ts';

let scratch: ScratchDatabase;
let db: Database;

beforeAll(async () => {
  scratch = await createScratchDatabase({ empty: true });
  db = openDatabase({ ...scratch, maxConnections: 1 });
  await db.query({ name: 'make-enum', text: `create type mood as enum ('GOOD', 'BÄD')` });
});
afterAll(async () => {
  await db.close();
  await scratch.close();
});

/** The first run is read as text, the second in binary. */
async function askTwice(name: string, text: string, values: unknown[] = []): Promise<unknown[][]> {
  return [await db.query({ name, text, values }), await db.query({ name, text, values })];
}

describe('values come out the same the first time and later', () => {
  it.each<[string, unknown]>([
    ['true', true],
    ['false', false],
    [`'\\x00ff10'::bytea`, Buffer.from([0, 255, 16])],
    [`''::bytea`, Buffer.alloc(0)],
    [`'9223372036854775807'::int8`, 9223372036854775807n],
    [`'-9223372036854775808'::int8`, -9223372036854775808n],
    [`'-32768'::int2`, -32768],
    [`'-2147483648'::int4`, -2147483648],
    [`'grüße, 世界 😀'::text`, 'grüße, 世界 😀'],
    [`''::text`, ''],
    [`'short'::varchar(10)`, 'short'],
    [`'BÄD'::mood`, 'BÄD'],
    [`'[{"id": 9223372036854775807, "some": null}]'::jsonb`, [{ id: 9223372036854775807n, some: null }]],
    [`'{"small": 7}'::json`, { small: 7 }],
    [`'[5,9)'::int8range`, { from: 5n, to: 9n }],
    [`'[-9223372036854775808,)'::int8range`, { from: -9223372036854775808n, to: null }],
    [`'empty'::int8range`, null],
    [`'(,4)'::int8range`, null],
    [`'{}'::int8[]`, []],
    [`'{1,null,-9223372036854775808}'::int8[]`, [1n, null, -9223372036854775808n]],
    [
      `array['\\x01'::bytea, null, '\\xff00'::bytea, '']`,
      [Buffer.from([1]), null, Buffer.from([255, 0]), Buffer.alloc(0)],
    ],
    [`'{}'::bytea[]`, []],
    [`array[1, 2]`, [1, 2]],
    ['12345678901234567890.12', '12345678901234567890.12'],
    ['null::int8', null],
  ])('%s', async (sql, value) => {
    const [first, later] = await askTwice(`value-${sql}`, `select ${sql} as value, 'end' as last`);
    expect(first).toEqual([{ value, last: 'end' }]);
    expect(later).toEqual(first);
  });

  it('a column that can only be read as text leaves the whole row to text', async () => {
    const text = `select 1.5 as number, '\\x02'::bytea as bytes, 5::int8 as id, null as nothing`;
    for (const rows of await askTwice('mixed', text)) {
      expect(rows).toEqual([{ number: '1.5', bytes: Buffer.from([2]), id: 5n, nothing: null }]);
    }
  });
});

describe('parameters', () => {
  it('arrive exact', async () => {
    const values = [9223372036854775807n, Buffer.from([0, 1]), 'ä', null, [1n, 2n], [Buffer.from([7])], true];
    const text =
      'select $1::int8 as a, $2::bytea as b, $3::text as c, $4::int8 as d, $5::int8[] as e, $6::bytea[] as f, $7::bool as g';
    const row = { a: values[0], b: values[1], c: 'ä', d: null, e: values[4], f: values[5], g: true };
    for (const rows of await askTwice('echo', text, values)) expect(rows).toEqual([row]);
  });
});

describe('rows', () => {
  it('come whole over any number of packets, between short ones', async () => {
    const text = `select i as number, repeat(chr(97 + i % 26), i * 37) as filling from generate_series(0, 999) i`;
    for (const rows of await askTwice('many', text)) {
      expect(rows).toHaveLength(1000);
      for (const [i, row] of rows.entries()) {
        expect(row).toEqual({ number: i, filling: String.fromCharCode(97 + (i % 26)).repeat(i * 37) });
      }
    }
    const [first, later] = await askTwice('large', `select repeat('x', 3000000) as filling`);
    expect((first![0] as { filling: string }).filling).toHaveLength(3_000_000);
    expect(later).toEqual(first);
  });

  it('may be none, and a statement without rows is one too', async () => {
    expect(await askTwice('none', 'select 1 as one where false')).toEqual([[], []]);
    await db.query({ name: 'make', text: 'create table note (text text)' });
    expect(await askTwice('write', 'insert into note values ($1)', ['kept'])).toEqual([[], []]);
    expect(await db.query({ name: 'read', text: 'select text from note' })).toEqual([
      { text: 'kept' },
      { text: 'kept' },
    ]);
  });

  it('before a failure are dropped with it, and the connection goes on', async () => {
    const text = 'select 10 / (3 - i) as number from generate_series(1, $1::int4) i';
    for (let turn = 0; turn < 3; turn++) {
      await expect(db.query({ name: 'fails', text, values: [3] })).rejects.toThrow(/division by zero/);
      expect(await db.query({ name: 'fails', text, values: [2] })).toEqual([{ number: 5 }, { number: 10 }]);
    }
  });

  it('a text that does not parse fails each time, and a correct one may take its name', async () => {
    for (const _ of [1, 2]) {
      await expect(db.query({ name: 'typo', text: 'selct 1' })).rejects.toThrow(/syntax error/);
    }
    expect(await askTwice('typo', 'select 1 as one')).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  });

  it('a failure at Bind is reported as what it is each time, and the statement serves good values afterwards', async () => {
    const query = { name: 'bind', text: 'select $1::int8 + 1 as next' };
    for (const _ of [1, 2, 3]) {
      await expect(db.query({ ...query, values: ['twelve'] })).rejects.toMatchObject({ code: '22P02' });
    }
    expect(await askTwice('bind', query.text, [12n])).toEqual([[{ next: 13n }], [{ next: 13n }]]);
    await expect(db.query({ ...query, values: ['twelve'] })).rejects.toMatchObject({ code: '22P02' });
    expect(await db.query({ name: 'names', text: 'select name from pg_prepared_statements' })).toContainEqual({
      name: 'bind',
    });
  });

  it('a statement that the server has forgotten, or planned for other columns, is prepared again after one failure', async () => {
    await db.query({ name: 'make-notes', text: 'create table notes (text text)' });
    await db.query({ name: 'fill-notes', text: `insert into notes values ('kept')` });
    const all = { name: 'all-notes', text: 'select * from notes' };
    expect(await askTwice(all.name, all.text)).toEqual([[{ text: 'kept' }], [{ text: 'kept' }]]);
    await db.query({ name: 'widen-notes', text: 'alter table notes add column number int8' });
    await expect(db.query(all)).rejects.toMatchObject({ code: '0A000' });
    expect(await db.query(all)).toEqual([{ text: 'kept', number: null }]);
    await db.query({ name: 'forget', text: 'deallocate all' });
    await expect(db.query(all)).rejects.toMatchObject({ code: '26000' });
    expect(await db.query(all)).toEqual([{ text: 'kept', number: null }]);
  });

  it('two texts under one name are refused', async () => {
    await db.query({ name: 'twin', text: 'select 1 as one' });
    await expect(db.query({ name: 'twin', text: 'select 2 as two' })).rejects.toThrow(/shape must tell them apart/);
    await db.check();
  });

  it('belong to the caller that asked, however many ask at once', async () => {
    const many = openDatabase({ ...scratch, maxConnections: 4 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        many.query({
          name: 'own',
          text: 'select $1::int4 + k as number from generate_series(1, 3) k',
          values: [i * 10],
        }),
      ),
    );
    await many.close();
    for (const [i, rows] of answers.entries()) {
      expect(rows).toEqual([1, 2, 3].map((k) => ({ number: i * 10 + k })));
    }
  });
});

describe('statements that come and go', () => {
  /** Some fail at Parse, some at Bind with these values, some only with others, some at Execute. */
  const texts = [
    'select $1::int4 as value',
    'select 10 / $1::int4 as value',
    'select no_such_column, $1::int4',
    'select $1::bool as value',
    'select $1::text as value, 1.5 as number',
  ];
  const values = ['0', '1', 'true', '5'];

  it('answer as they would alone, whatever was asked before and however few stay prepared', async () => {
    const oracle = new pg.Client({ connectionString: scratch.connectionString, types: valueParsers });
    await oracle.connect();
    const expected = new Map<string, unknown>();
    for (const text of texts) {
      for (const value of values) {
        const answer = await oracle.query(text, [value]).then(
          ({ rows }) => rows,
          (error) => error.code,
        );
        expected.set(`${text} ${value}`, answer);
      }
    }
    await oracle.end();
    const asked = fc.array(fc.tuple(fc.constantFrom(...texts), fc.constantFrom(...values), fc.boolean()));
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 1, max: 4 }), async (runs, maxPrepared) => {
        const client = { connectionString: scratch.connectionString };
        const pool = createSessionPool({ client, maxSessions: 1, maxPrepared, onConnectionLost: () => {} });
        const ask = (statement: string, text: string, value: string) =>
          new Promise<unknown>((resolve, reject) =>
            pool.run({ statement, text, values: [value], client: '', resolve, reject }),
          );
        const answers: Promise<void>[] = [];
        for (const [text, value, waits] of runs) {
          const answer = ask(text, text, value).catch((error) => error.code);
          answers.push(answer.then((found) => expect(found).toEqual(expected.get(`${text} ${value}`))));
          if (waits) await answer;
        }
        await Promise.all(answers);
        const kept = await ask('', 'select count(*)::int4 as count from pg_prepared_statements where $1', 'true');
        await pool.close();
        // One more may wait for its Close.
        expect((kept as { count: number }[])[0]!.count).toBeLessThanOrEqual(maxPrepared + 1);
      }),
      { numRuns: 60 },
    );
  });
});
