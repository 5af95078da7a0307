// Exports as others write them: three forms of names, columns in any order, more and fewer of them, every kind of
// value. What PostgreSQL itself reads from the same files, by COPY, is right.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createBLAKE3 } from 'hash-wasm';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectClient } from '../../packages/postgres/wire/connect-client.ts';
import { enumTypes, type Table } from '../../packages/schema/table.ts';
import { tables } from '../../packages/schema/tables.ts';
import { makePartitions } from '../../packages/store/transfer/make-partitions.ts';
import { transferTables } from '../../packages/store/transfer/transfer-tables.ts';
import { dumpDatabase } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { loadFrom } from '../support/transfer/move-ledger.ts';

// A database for each run.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const month = '2026_03';
const start = BigInt(Date.UTC(2026, 2, 1)) * 1_000_000n;
const described: readonly (readonly [string, Table])[] = Object.entries(tables);

let folder: string;
let source: ScratchDatabase;
let client: pg.Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foreign-exports-'));
  source = await createScratchDatabase();
  await makePartitions(source.connectionString, { from: start, to: start });
  client = await connectClient(source.connectionString, 'test');
});

afterAll(async () => {
  await client.end();
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

/** `a`: a sequence of numbers that makes keys unique. */
const words = fc.oneof(
  fc.constantFrom('', ' ', '\\.', '\\N', 'null', '""', 'a,b', 'two\nlines', 'cr\r\nlf', '{1,2}', '\\x00', 'ünï'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const whole = (bits: 16 | 32 | 64) => fc.bigInt(-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n).map(String);
const bytes = fc.uint8Array({ maxLength: 40 }).map((value) => `\\x${Buffer.from(value).toString('hex')}`);
const list = (item: fc.Arbitrary<string>) =>
  fc
    .array(fc.option(item), { maxLength: 4 })
    .map((items) => `{${items.map((one) => (one === null ? 'NULL' : `"${one.replaceAll('\\', '\\\\')}"`)).join(',')}}`);

function textOf(type: string): fc.Arbitrary<string> {
  switch (type) {
    case 'int8':
      return whole(64);
    case 'int4':
      return whole(32);
    case 'int2':
      return whole(16);
    case 'bool':
      return fc.constantFrom('t', 'f');
    case 'bytea':
      return bytes;
    case 'text':
      return words.map((text) => text.replaceAll('\0', '').toWellFormed());
    case 'jsonb':
      return fc
        .json({ maxDepth: 2 })
        .filter((text) => !text.includes('\\u'))
        .map((text) => text.toWellFormed());
    case 'int8range':
      return fc.nat().chain((from) => fc.constantFrom(`[${from},)`, `[${from},${from + 7})`));
    case 'int8[]':
      return list(whole(64));
    case 'int4[]':
      return list(whole(32));
    case 'int2[]':
      return list(whole(16));
    case 'bytea[]':
      return list(bytes);
    default:
      return fc.constantFrom(...enumTypes[type as keyof typeof enumTypes]);
  }
}

function rowOf({ key, columns, partitionBy }: Table, index: number): fc.Arbitrary<Record<string, string | null>> {
  const fields = Object.entries(columns).map(([name, { type, required }]) => {
    if (name === partitionBy || (key.includes(name) && ['int8', 'int4', 'int2'].includes(type))) {
      return [name, fc.constant(String(name === partitionBy ? start + BigInt(index) : index))] as const;
    }
    if (key.includes(name)) return [name, fc.constant(`\\x${index.toString(16).padStart(4, '0')}`)] as const;
    return [name, required ? textOf(type) : fc.option(textOf(type), { freq: 3 })] as const;
  });
  return fc.record(Object.fromEntries(fields));
}

type Case = {
  table: string;
  rows: Record<string, string | null>[];
  /** Of the file, in its order; those that the table does not have are made up. */
  columns: string[];
  form: keyof typeof forms;
};

const added = ['another_column', 'note', 'zz'];

function caseOf(table: string, facts: Table): fc.Arbitrary<Case> {
  const optional = Object.entries(facts.columns)
    .filter(([name, { required, default: value }]) => !facts.key.includes(name) && !(required && value === undefined))
    .map(([name]) => name);
  return fc.record({
    table: fc.constant(table),
    rows: fc
      .integer({ min: 0, max: 8 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => rowOf(facts, index)))),
    columns: fc.tuple(fc.subarray(optional), fc.subarray(added)).chain(([absent, further]) => {
      const names = [...Object.keys(facts.columns).filter((name) => !absent.includes(name)), ...further];
      return fc.shuffledSubarray(names, { minLength: names.length });
    }),
    form: fc.constantFrom(...(Object.keys(forms) as (keyof typeof forms)[])),
  });
}

const forms = {
  'with its folder': (base: string, table: string) => ({
    entry: `${table}/${base}.csv.gz`,
    path: `${table}/${base}.csv.gz`,
  }),
  'without its folder': (base: string, table: string) => ({ entry: `${base}.csv.gz`, path: `${table}/${base}.csv.gz` }),
  'without its ending': (base: string, table: string) => ({ entry: base, path: `${table}/${base}.csv.gz` }),
  'beside the manifest': (base: string) => ({ entry: `${base}.csv.gz`, path: `${base}.csv.gz` }),
} as const;

/** One of every table. */
const cases = fc.tuple(...described.map(([table, facts]) => caseOf(table, facts)));

/** PostgreSQL's own CSV of these rows. */
async function makeCsv({ table, rows, columns }: Case): Promise<Buffer> {
  const facts: Table = tables[table as keyof typeof tables];
  await client.query(`truncate "${table}"`);
  for (const row of rows) {
    const names = Object.keys(row);
    const places = names.map((name, index) => `$${index + 1}::${facts.columns[name]!.type}`);
    await client.query(
      `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    );
  }
  const list = columns.map((name) => (added.includes(name) ? `e'a,"b"\\n' || ctid::text as ${name}` : `"${name}"`));
  return buffer(
    client.query(copyTo(`copy (select ${list.join(', ')} from "${table}") to stdout (format csv, header)`)),
  );
}

type Written = { one: Case; csv: Buffer };

async function writeCases(all: readonly Case[]): Promise<{ place: string; written: Written[] }> {
  const place = mkdtempSync(join(folder, 'case-'));
  const lines = ['filename,row_count,file_size,blake3_hash'];
  const written: Written[] = [];
  const hasher = await createBLAKE3();
  for (const one of all) {
    const csv = await makeCsv(one);
    const { entry, path } = forms[one.form](baseOf(one.table), one.table);
    const packed = gzipSync(csv);
    lines.push(`${entry},${one.rows.length},${packed.length},${hasher.init().update(packed).digest('hex')}`);
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), packed);
    written.push({ one, csv });
  }
  // Without the other tables of state nothing is loaded.
  for (const { name, columns, state } of transferTables.values()) {
    if (state.kind === 'none' || all.some(({ table }) => table === name)) continue;
    const packed = gzipSync(`${Object.keys(columns).join(',')}\n`);
    lines.push(`${name}.csv.gz,0,${packed.length},`);
    writeFileSync(join(place, `${name}.csv.gz`), packed);
  }
  writeFileSync(join(place, 'manifest.csv'), `${lines.join('\n')}\n`);
  return { place, written };
}

function baseOf(table: string): string {
  const { partitionBy }: Table = tables[table as keyof typeof tables];
  return partitionBy ? `${table}_p${month}` : table;
}

/** What PostgreSQL reads from the CSV. */
async function copyDirectly({ table, columns }: Case, csv: Buffer): Promise<void> {
  await client.query(`truncate "${table}"`);
  await client.query(`create temporary table incoming as select * from "${table}" limit 0`);
  for (const name of columns.filter((column) => added.includes(column))) {
    await client.query(`alter table incoming add column ${name} text`);
  }
  const list = (names: string[]): string => names.map((name) => `"${name}"`).join(', ');
  const stream = client.query(copyFrom(`copy incoming (${list(columns)}) from stdin (format csv, header)`));
  await pipeline(Readable.from([csv]), stream);
  const known = list(columns.filter((column) => !added.includes(column)));
  await client.query(`insert into "${table}" (${known}) select ${known} from incoming`);
  await client.query('drop table incoming');
}

test('whatever the columns, their order, the values and the names, PostgreSQL reads the same', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (all) => {
      const { place, written } = await writeCases(all);
      for (const { one, csv } of written) await copyDirectly(one, csv);
      const copy = await createScratchDatabase();
      try {
        const { failed, warned } = await loadFrom(place, copy.connectionString);
        expect(failed).toEqual([]);
        for (const { table, columns } of all) {
          const further = columns.filter((name) => added.includes(name));
          const told = `Of ${table} columns are left out that this program does not have: ${further.join(', ')}.`;
          expect([table, warned.includes(told)]).toEqual([table, further.length > 0]);
        }
        const [found, expected] = [
          await dumpDatabase(copy.connectionString),
          await dumpDatabase(source.connectionString),
        ];
        for (const { table, rows } of all) {
          // The load adds the days of the blocks, where the export says nothing of them.
          if (table === 'ledger_day_fill') continue;
          expect([table, found.get(table)]).toEqual([table, expected.get(table)]);
          expect(expected.get(table) ?? rows).toHaveLength(rows.length);
        }
      } finally {
        await copy.close();
      }
    }),
    // To shrink a case takes longer than the limit of a test.
    { numRuns: 3, endOnFailure: true },
  );
});

test('a column without a default that is missing is refused before the first row', async () => {
  const columns = Object.keys(tables.token.columns).filter((name) => name !== 'symbol');
  const { place } = await writeCases([{ table: 'token', rows: [], columns, form: 'with its folder' }]);
  const copy = await createScratchDatabase();
  await expect(loadFrom(place, copy.connectionString)).rejects.toThrow(
    'The export lacks columns that have no default (token: symbol)',
  );
  await copy.close();
});
