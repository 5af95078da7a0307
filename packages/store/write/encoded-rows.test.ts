// Rows that are encoded when their block is known end in the tables as rows that are written as they are.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import type { Table } from '../../schema/table.ts';
import { type TableName, tables } from '../../schema/tables.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { columnSamples } from '../../test-support/rows/column-samples.ts';
import type { BlockChanges, EncodedChanges, TableChanges, WritableChanges } from './block-changes.ts';
import { type BlockWriter, createBlockWriter } from './block-writer.ts';
import { createRowCollector, encodeInsertedRows, joinEncodedRows, lastOfEachKey } from './encoded-rows.ts';

let scratch: ScratchDatabase;
let writer: BlockWriter;
let db: Database;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  writer = await createBlockWriter(scratch);
  db = openDatabase(scratch);
});
afterAll(async () => {
  await writer.close();
  await db.close();
  await scratch.close();
});

type AnyRow = Record<string, unknown>;

const inserted = (Object.entries(tables) as [TableName, Table][])
  .filter(([name, { kind }]) => kind === 'insert' && name !== 'record_file')
  .map(([name]) => name);
const firstTimestamp = 1_600_000_000_000_000_000n;

/** Each column has each of its samples, and is left out, in turn; no key repeats. */
function rowsOf(name: TableName, count: number): AnyRow[] {
  const { key, columns, partitionBy }: Table = tables[name];
  return Array.from({ length: count }, (_, index) => {
    const members = Object.entries(columns).map(([column, { type, required }], place) => {
      if (key.includes(column) || column === partitionBy) return [column, keyValue(type, index)];
      const samples = columnSamples(type);
      const choice = (index + place) % (samples.length + 1);
      return [column, choice < samples.length || required ? samples[choice % samples.length] : undefined];
    });
    return Object.fromEntries(members);
  });
}

function keyValue(type: string, index: number): unknown {
  if (type === 'bytea') return Buffer.of(index >> 8, index);
  if (type === 'text') return `key ${index}`;
  return type === 'int8' ? firstTimestamp + BigInt(index) : index;
}

async function stored(name: TableName, changes: WritableChanges): Promise<string[]> {
  await db.query({ name: `empty-${name}`, text: `delete from "${name}"` });
  await writer.writeBlock(changes);
  const text = `select t::text as line from "${name}" t order by 1`;
  const rows = await db.query<{ line: string }>({ name: `rows-${name}`, text });
  return rows.map(({ line }) => line);
}

const changesOf = (name: TableName, rows: AnyRow[]): BlockChanges => ({ parts: [{ [name]: rows } as TableChanges] });

function encodedOf(name: TableName, rows: AnyRow[], collector = createRowCollector()) {
  const [first] = encodeInsertedRows(changesOf(name, rows), collector).parts;
  const [encoded] = (first as EncodedChanges).encoded;
  return encoded!;
}

it.each(inserted)('of %s', async (name) => {
  const rows = rowsOf(name, 9);
  const expected = await stored(name, changesOf(name, rows));
  expect(expected).toHaveLength(rows.length);
  const collector = createRowCollector();
  const parts = [rows.slice(0, 4), rows.slice(4)].map((some) => encodedOf(name, some, collector));
  const joined = joinEncodedRows(parts);
  expect(joined.count).toBe(rows.length);
  expect(await stored(name, { parts: [{ encoded: [joined] }] })).toEqual(expected);
});

it('of each key the last one is kept, in the place of the first', () => {
  const [one, two] = rowsOf('staking_reward_transfer', 2) as [AnyRow, AnyRow];
  const changed = { ...one, amount: 12n };
  const unique = lastOfEachKey(encodedOf('staking_reward_transfer', [one, two, changed]));
  expect(unique.count).toBe(2);
  const expected = encodedOf('staking_reward_transfer', [changed, two]);
  expect(Buffer.concat(unique.chunks)).toEqual(Buffer.concat(expected.chunks));
});

it('rows of a table without a key are all kept', () => {
  const rows = encodedOf('crypto_transfer', rowsOf('crypto_transfer', 3));
  expect(lastOfEachKey(rows)).toEqual(rows);
});

it('more rows than a chunk takes', async () => {
  const rows = rowsOf('transaction_hash', 4_000);
  const encoded = encodedOf('transaction_hash', rows);
  expect(encoded.chunks.length).toBeGreaterThan(1);
  expect(encoded.span).toEqual(encodedOf('transaction_hash', [rows.at(-1)!, ...rows.slice(0, -1)]).span);
  const lines = await stored('transaction_hash', { parts: [{ encoded: [encoded] }] });
  expect(lines).toEqual(await stored('transaction_hash', changesOf('transaction_hash', rows)));
});

it('a row that cannot be stored stays as it is, and the writer names it', async () => {
  const [good, bad] = rowsOf('token_transfer', 2) as [AnyRow, AnyRow];
  const rows = { token_transfer: [good, { ...bad, amount: 'much' }], transaction_hash: rowsOf('transaction_hash', 2) };
  const changes = encodeInsertedRows({ parts: [rows as TableChanges] }, createRowCollector());
  expect(changes.parts[1]).toEqual({ token_transfer: rows.token_transfer });
  await expect(writer.writeBlock(changes)).rejects.toThrow('token_transfer.amount cannot be stored');
  const left = await db.query({ name: 'none', text: 'select from transaction_hash where consensus_timestamp = 1' });
  expect(left).toHaveLength(0);
});
