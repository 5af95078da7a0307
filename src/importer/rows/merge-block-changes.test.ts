// The tables end the same whether blocks are written one by one or several at once, whatever they say, also what no
// ledger would say: changes of what was never created, supplies below zero, what was deleted and comes back.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { dayTables } from '../../../packages/schema/day-tables.ts';
import type { Table } from '../../../packages/schema/table.ts';
import { type Row, type TableName, tables } from '../../../packages/schema/tables.ts';
import type { BlockChanges, WritableChanges } from '../../../packages/store/write/block-changes.ts';
import type { BlockWriter } from '../../../packages/store/write/block-writer.ts';
import { columnSamples } from '../../../packages/test-support/rows/column-samples.ts';
import { type OpenedWriter, openWriter } from '../../../packages/test-support/streams/open-writer.ts';
import { createBlockRows } from './block-rows.ts';
import { mergeBlockChanges } from './merge-block-changes.ts';

let opened: OpenedWriter;
let writer: BlockWriter;
let db: Database;

beforeAll(async () => {
  opened = await openWriter();
  ({ writer, db } = opened);
});
afterAll(() => opened?.close());

type AnyRow = Record<string, unknown>;
type Step = { key: number; isVersion: boolean; values: AnyRow; later: boolean };

// Those of days are no rows of blocks: one statement counts them.
const merged = (Object.entries(tables) as [TableName, Table][]).filter(
  ([name, { kind }]) => kind !== 'insert' && !Object.hasOwn(dayTables, name),
);
const runs = Number(process.env.MERGE_RUNS ?? 12);

test.each(merged)('%s', async (name, table) => {
  const blocks = fc.array(
    fc.record({ steps: fc.array(stepOf(table), { minLength: 1, maxLength: 3 }), isCommitted: fc.boolean() }),
    { minLength: 2, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(blocks, async (all) => {
      const changes = toChanges(
        name,
        all.map(({ steps }) => steps),
      );
      const before = JSON.stringify(changes, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      const together: BlockChanges[][] = [[]];
      for (const [index, block] of changes.entries()) {
        together.at(-1)!.push(block);
        if (all[index]!.isCommitted) together.push([]);
      }
      const atOnce = await write(
        name,
        together.filter((group) => group.length > 0).map((group) => mergeBlockChanges(group)),
      );
      expect(JSON.stringify(changes, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).toBe(before);
      expect(atOnce).toEqual(await write(name, changes));
    }),
    { numRuns: runs },
  );
});

function stepOf(table: Table): fc.Arbitrary<Step> {
  const free = Object.entries(table.columns).filter(
    ([column]) => !table.key.includes(column) && column !== 'timestamp_range',
  );
  const samples = free.map(([column, { type, merge, emptyClears }]) => {
    if (merge === 'setUnlessMinusOne') return [column, fc.constantFrom(-1n, 4n, 5n)];
    if (merge === 'replaceOrAddNegative') return [column, fc.constantFrom(-150n, -2n, 100n, 200n)];
    if (emptyClears) return [column, fc.constantFrom('', 'ab')];
    return [column, fc.constantFrom(...columnSamples(type))];
  });
  const sometimes = fc.record(Object.fromEntries(samples), { requiredKeys: [] });
  const always = fc.record(Object.fromEntries(samples));
  return fc.record({
    key: fc.integer({ min: 1, max: 2 }),
    isVersion: fc.boolean(),
    values: fc.oneof(always, sometimes),
    later: fc.boolean(),
  }) as fc.Arbitrary<Step>;
}

function toChanges(name: TableName, blocks: Step[][]): BlockChanges[] {
  const table: Table = tables[name];
  let now = 1_600_000_000_000_000_000n;
  return blocks.map((steps) => {
    const rows = createBlockRows();
    now += 1n;
    for (const { key, isVersion, values, later } of steps) {
      if (later) now += 1n;
      const keys = Object.fromEntries(
        table.key.map((column) => [column, table.columns[column]!.type === 'bytea' ? Buffer.of(key) : BigInt(key)]),
      );
      const row = { ...keys, ...values } as Row<TableName>;
      if (table.kind === 'upsert') rows.upsert(name, row);
      else rows.version(name, isVersion ? { ...row, timestamp_range: { from: now, to: null } } : row);
    }
    return rows.changes();
  });
}

/** The rows and their history when these were the commits of an empty table. */
async function write(name: TableName, commits: WritableChanges[]): Promise<string[][]> {
  const all = (tables[name] as Table).kind === 'versioned' ? [name, `${name}_history`] : [name];
  for (const one of all) await db.query({ name: `empty-${one}`, text: `delete from "${one}"` });
  for (const changes of commits) await writer.writeBlock(changes);
  const found = all.map((one) =>
    db.query<{ line: string }>({ name: `rows-${one}`, text: `select t::text as line from "${one}" t order by 1` }),
  );
  return (await Promise.all(found)).map((rows) => rows.map(({ line }) => line));
}
