// However a sequence of changes is cut into blocks, the tables end the same: merging in memory (importer) and in SQL
// (store) together do what applying the changes one by one would do. The model below is that "one by one", written
// without looking at either.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../packages/postgres/wire/database.ts';
import type { TimestampRange } from '../packages/postgres/wire/values.ts';
import type { Column, Table } from '../packages/schema/table.ts';
import { type TableName, tables } from '../packages/schema/tables.ts';
import type { BlockWriter } from '../packages/store/write/block-writer.ts';
import { columnSamples } from '../packages/test-support/rows/column-samples.ts';
import { type OpenedWriter, openWriter } from '../packages/test-support/streams/open-writer.ts';
import { createBlockRows } from '../src/importer/rows/block-rows.ts';

type AnyRow = Record<string, unknown>;
type Change = { key: AnyRow /** null = an adjustment. */; timestamp: bigint | null; values: AnyRow };
type Stored = { current: AnyRow; history: AnyRow[] };

/**
 * Columns that adjustments change: what a history row says of them depends on where a block ends, as in the mirror
 * node.
 */
const adjusted: Partial<Record<TableName, string[]>> = {
  entity: ['balance', 'balance_timestamp', 'ethereum_nonce'],
  token: ['total_supply'],
  token_account: ['balance', 'balance_timestamp'],
  crypto_allowance: ['amount'],
  token_allowance: ['amount'],
};

const names = [
  'entity',
  'token',
  'token_account',
  'nft',
  'custom_fee',
  'crypto_allowance',
  'topic',
  'node',
  'token_airdrop',
  'hook',
  'registered_node',
] as const;

let opened: OpenedWriter;
let writer: BlockWriter;
let db: Database;

beforeAll(async () => {
  opened = await openWriter();
  ({ writer, db } = opened);
});
afterAll(() => opened?.close());

describe.each(names)('%s', (name) => {
  it('ends the same however its changes are cut into blocks', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(name), async ({ changes, cuts }) => {
        await db.query({ name: `truncate-${name}`, text: `truncate "${name}", "${name}_history"` });
        for (const block of cutInto(changes, cuts)) {
          const rows = createBlockRows();
          for (const { key, timestamp, values } of block) {
            const range = timestamp === null ? {} : { timestamp_range: { from: timestamp, to: null } };
            rows.version(name, { ...key, ...values, ...range });
          }
          await writer.writeBlock(rows.changes());
        }
        const expected = applyOneByOne(name, changes);
        expect(sorted(await selectAll(name))).toEqual(sorted(expected.map(({ current }) => current)));
        const without = (rows: AnyRow[]) => sorted(rows.map((row) => omit(row, adjusted[name] ?? [])));
        expect(without(await selectAll(`${name}_history`))).toEqual(
          without(expected.flatMap(({ history }) => history)),
        );
      }),
      { numRuns: 60 },
    );
  });
});

function scenario(name: TableName): fc.Arbitrary<{ changes: Change[]; cuts: boolean[] }> {
  const table: Table = tables[name];
  const free = Object.keys(table.columns).filter(
    (column) => !table.key.includes(column) && column !== 'timestamp_range',
  );
  // An approval always says its amount.
  const alwaysSaid = free.filter((column) => table.columns[column]!.merge === 'adjust');
  const samples = Object.fromEntries(free.map((column) => [column, sampleOf(name, column)]));
  const version = fc.record(samples, { requiredKeys: alwaysSaid });
  const adjustable = adjusted[name] ?? [];
  const adjustment = fc.record(Object.fromEntries(adjustable.map((column) => [column, sampleOf(name, column)])), {
    requiredKeys: [],
  });
  const step = fc.record({
    key: fc.integer({ min: 1, max: 3 }),
    /** 0: another fact of the same transaction. */
    after: fc.integer({ min: 0, max: 3 }),
    kind: adjustable.length > 0 ? fc.constantFrom('version', 'adjustment') : fc.constant('version'),
    version,
    adjustment,
    cut: fc.boolean(),
  });
  return fc.array(step, { minLength: 1, maxLength: 12 }).map((steps) => {
    let now = 1_600_000_000_000_000_000n;
    const seen = new Set<number>();
    const changes: Change[] = [];
    const cuts: boolean[] = [];
    for (const one of steps) {
      now += BigInt(one.after);
      // A block never ends within a transaction, and creation says all that is required.
      cuts.push(one.cut && one.after > 0);
      const first = !seen.has(one.key);
      seen.add(one.key);
      const key = Object.fromEntries(table.key.map((column) => [column, BigInt(one.key)]));
      const creates = first || one.kind === 'version';
      const values = first ? { ...one.version, ...creation(name) } : creates ? one.version : one.adjustment;
      changes.push({ key, timestamp: creates ? now : null, values });
    }
    return { changes, cuts };
  });
}

/** Values that a creation always says. */
function creation(name: TableName): AnyRow {
  const table: Table = tables[name];
  const needed = Object.entries(table.columns).filter(
    ([column, { required, default: value, merge }]) =>
      required &&
      (value === undefined || merge === 'keep') &&
      !table.key.includes(column) &&
      column !== 'timestamp_range',
  );
  return {
    ...Object.fromEntries(needed.map(([column, { type }]) => [column, columnSamples(type)[0]])),
    ...(name === 'entity' ? { type: 'ACCOUNT' } : {}),
  };
}

function sampleOf(name: TableName, column: string): fc.Arbitrary<unknown> {
  const { type, merge, emptyClears } = (tables[name] as Table).columns[column]!;
  if (column === 'type' && name === 'entity') return fc.constantFrom('ACCOUNT');
  // A burnt NFT never comes back.
  if (column === 'deleted' && name === 'nft') return fc.constantFrom(true);
  if (merge === 'setUnlessMinusOne') return fc.constantFrom(-1n, 4n, 5n);
  if (merge === 'replaceOrAddNegative') return fc.constantFrom(-1n, -2n, 100n, 200n);
  if (emptyClears) return fc.constantFrom('', 'ab', 'cd');
  return fc.constantFrom(...columnSamples(type));
}

function cutInto(changes: Change[], cuts: boolean[]): Change[][] {
  const blocks: Change[][] = [];
  changes.forEach((change, i) => {
    if (i === 0 || cuts[i]) blocks.push([]);
    blocks.at(-1)!.push(change);
  });
  return blocks;
}

function applyOneByOne(name: TableName, changes: Change[]): Stored[] {
  const table: Table = tables[name];
  const stored = new Map<string, Stored>();
  for (const { key, timestamp, values } of changes) {
    const id = Object.values(key).join();
    const before = stored.get(id);
    if (timestamp === null) {
      if (before) before.current = { ...before.current, ...adjust(table, before.current, values) };
      continue;
    }
    const history = before?.history ?? [];
    const range = before?.current.timestamp_range as TimestampRange | undefined;
    if (range && range.from < timestamp)
      history.push({ ...before!.current, timestamp_range: { from: range.from, to: timestamp } });
    stored.set(id, {
      current: {
        ...key,
        ...newVersion(table, before?.current, values),
        timestamp_range: { from: timestamp, to: null },
      },
      history,
    });
  }
  return [...stored.values()];
}

function newVersion(table: Table, before: AnyRow | undefined, values: AnyRow): AnyRow {
  const made: AnyRow = {};
  for (const [column, description] of Object.entries(table.columns)) {
    if (table.key.includes(column) || column === 'timestamp_range') continue;
    const given = values[column] ?? null;
    const reset = table.reset && (values[table.reset.when] ?? null) !== null && table.reset.columns.includes(column);
    const old = reset ? null : (before?.[column] ?? null);
    const { merge = 'replace', emptyClears, default: fallback } = description;
    let value = given ?? old;
    if (merge === 'keep') value = old ?? given;
    if (merge === 'add') value = sum(old, given);
    if (merge === 'set') value = given;
    if (merge === 'setUnlessMinusOne') value = given === -1n ? old : given;
    if (merge === 'replaceOrAddNegative' && given !== null && (given as bigint) < 0n) value = sum(old, given);
    if (emptyClears && given === '') value = null;
    made[column] = value ?? (fallback === undefined ? null : literal(description, fallback));
    if (value === null && column === 'balance') made[column] = 0n;
  }
  for (const [column, { nullWhen }] of Object.entries(table.columns)) {
    if (nullWhen && made[nullWhen] === true) made[column] = null;
  }
  return made;
}

function adjust(table: Table, before: AnyRow, values: AnyRow): AnyRow {
  const changed = Object.entries(values).map(([column, given]) => {
    const { merge } = table.columns[column]!;
    const adds = merge === 'add' || merge === 'adjust' || (merge === 'replaceOrAddNegative' && (given as bigint) < 0n);
    return [column, adds ? sum(before[column], given) : (given ?? before[column])];
  });
  return Object.fromEntries(changed);
}

function sum(a: unknown, b: unknown): bigint | null {
  if (a === null && b === null) return null;
  return ((a ?? 0n) as bigint) + ((b ?? 0n) as bigint);
}

function literal({ type }: Column, text: string): unknown {
  if (type === 'int8') return BigInt(text);
  if (type === 'bool') return text === 'true';
  return text.slice(1, -1);
}

function selectAll(name: string): Promise<AnyRow[]> {
  return db.query<AnyRow>({ name: `all-${name}`, text: `select * from "${name}"` });
}

function omit(row: AnyRow, columns: string[]): AnyRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
}

function sorted(rows: AnyRow[]): AnyRow[] {
  const text = (row: AnyRow) =>
    JSON.stringify(Object.entries(row).sort(), (_, v) => (typeof v === 'bigint' ? `${v}` : v));
  return rows.map((row) => Object.fromEntries(Object.entries(row).sort())).sort((a, b) => (text(a) < text(b) ? -1 : 1));
}
