// An export of a mirror, loaded into an empty database: the tables are equal, and stay so while the import goes on.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { selectPastSlots } from '../../packages/store/read/state/select-state-slots.ts';
import { transferTables } from '../../packages/store/transfer/transfer-tables.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import {
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../../packages/test-support/postgres/debian-postgres.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { SimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import type { BootstrapSummary } from '../../src/runtime/transfer/run-bootstrap.ts';
import type { ExportSummary } from '../../src/transfer/export-ledger.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

// Two ledgers are imported and compared row by row.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let stream: SimulatedStream;
let mirror: ScratchDatabase;
let folder: string;
let full: string;
let written: ExportSummary;

/** The last block of the exports. */
const exported = 39n;
const upToExport = { until: { kind: 'block', number: exported } } as const;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'transfer-'));
  const months = await openLedger('months');
  await months.close();
  stream = months.stream;
  mirror = await createScratchDatabase();
  await stream.importInto(mirror.connectionString, upToExport);
  full = join(folder, 'full');
  written = await writeExport(mirror.connectionString, full);
});

afterAll(async () => {
  stream?.close();
  await mirror?.close();
  rmSync(folder, { recursive: true, force: true });
});

const summary = async ({ connectionString }: ScratchDatabase) => summarizeDump(await dumpDatabase(connectionString));

/** Checks that do not hold. */
const wrong = ({ checks }: BootstrapSummary) => checks.filter(({ holds }) => holds === false);

/** Indexes and keys, which are made after the rows. */
async function facts(connectionString: string): Promise<unknown> {
  return withClient(connectionString, 'test', async (client) => {
    const { rows: indexes } = await client.query(
      `select tablename, regexp_replace(indexdef, '^(CREATE (UNIQUE )?INDEX) \\S+', '\\1') as definition from pg_indexes
where schemaname = 'public' order by 1, 2`,
    );
    const { rows: keys } = await client.query(
      `select conrelid::regclass::text as table, contype, pg_get_constraintdef(oid) as definition from pg_constraint
where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2, 3`,
    );
    return { indexes, keys };
  });
}

test('a bootstrap of a whole export gives equal tables, into PostgreSQL 15 too, and the import goes on alike', async () => {
  expect(written).toMatchObject({ block: { number: exported }, reused: 0 });
  const expected = await summary(mirror);
  const old = isDebianPostgresInstalled ? await openOldDatabase() : null;
  const copies = [await createScratchDatabase(), ...(old ? [old] : [])];
  const whole = await openLedger('months');
  for (const copy of copies) {
    const loaded = await loadFrom(full, copy.connectionString);
    expect([loaded.failed, loaded.warned, wrong(loaded)]).toEqual([[], [], []]);
    expect(await summary(copy)).toEqual(expected);
    expect(await facts(copy.connectionString)).toEqual(await facts(mirror.connectionString));
    await stream.importInto(copy.connectionString);
    expect(await summary(copy)).toEqual(await summary(whole));
  }
  for (const copy of [whole, ...copies]) await copy.close();
});

async function openOldDatabase(): Promise<ScratchDatabase> {
  const server = await startDebianPostgres();
  await server.run('create database copy');
  const connectionString = server.connectionString('admin', 'copy');
  await migrate({ connectionString });
  return { connectionString, close: () => server.close() };
}

test('a bootstrap of the state gives the tables of now, and the import goes on alike', async () => {
  const state = join(folder, 'state');
  await writeExport(mirror.connectionString, state, { isState: true });
  const whole = await openLedger('months');
  for (const [place, kind] of [
    [full, 'state'],
    [state, 'full'],
    [state, 'state'],
  ] as const) {
    const copy = await createScratchDatabase();
    const loaded = await loadFrom(place, copy.connectionString, { mode: { kind } });
    expect([place, loaded.failed, loaded.warned, wrong(loaded)]).toEqual([place, [], [], []]);
    const [row] = await rowsOf(
      copy,
      'select kept_from, knows_beginning, max(consensus_end) + 1 as next from mirror_extent, record_file group by 1, 2',
    );
    expect([place, row]).toEqual([place, { kept_from: row!.next, knows_beginning: true, next: expect.any(String) }]);
    await stream.importInto(copy.connectionString);
    expect([place, kind, await findDifferences(whole, copy, row!.next as string)]).toEqual([place, kind, []]);
    await copy.close();
  }
  await whole.close();
});

test('a bootstrap since a day has the past from then on', async () => {
  const copy = await createScratchDatabase();
  const since = BigInt(Date.UTC(2026, 9, 1)) * 1_000_000n;
  const loaded = await loadFrom(full, copy.connectionString, { mode: { kind: 'since', since } });
  expect([loaded.failed, loaded.warned, wrong(loaded)]).toEqual([[], [], []]);
  const [row] = await rowsOf(
    copy,
    'select kept_from, (select min(consensus_start) from record_file) as first, (select count(*) from transaction) as count from mirror_extent',
  );
  expect(BigInt(row!.kept_from as string)).toBeGreaterThanOrEqual(since);
  expect(BigInt(row!.kept_from as string)).toBeLessThan(since + 86_400_000_000_000n);
  expect(Number(row!.count)).toBeGreaterThan(500);
  expect(await findDifferences(mirror, copy, row!.kept_from as string)).toEqual([]);
  const [found, expected] = await Promise.all(
    [copy, mirror].map((database) => readStorage(database, BigInt(row!.kept_from as string))),
  );
  expect(found).toEqual(expected);
  expect(Object.keys(found!).length).toBeGreaterThan(20);
  await copy.close();
});

/** Slots that are not zero at a moment, as calls at a block read them. */
async function readStorage(database: ScratchDatabase, at: bigint): Promise<Record<string, string>> {
  const rows = await rowsOf(database, 'select contract_id as id, slot from contract_state');
  const slots = rows.map(({ id, slot }) => ({ contractId: BigInt(id as string), slot: slot as Buffer }));
  const db = openDatabase(database);
  const found = await selectPastSlots(db, slots, at);
  await db.close();
  return Object.fromEntries(
    found
      .filter(({ value }) => value.some((byte) => byte !== 0))
      .map(({ contractId, slot, value }) => [`${contractId} ${slot.toString('hex')}`, value.toString('hex')]),
  );
}

/** Tables of the copy that differ from those of the mirror in what is about `from` (ns) or later, or have more rows. */
async function findDifferences(whole: ScratchDatabase, copy: ScratchDatabase, from: string): Promise<string[]> {
  const [found, expected] = [await dumpDatabase(copy.connectionString), await dumpDatabase(whole.connectionString)];
  const different: string[] = [];
  for (const { name, past, state } of transferTables.values()) {
    const known = new Set(expected.get(name));
    // Where a mirror begins, which signatures it checked, and where it keeps a tree over the roots of blocks, is its
    // own.
    if (['mirror_extent', 'wrapped_block_tree'].includes(name) || !expected.has(name)) continue;
    // Storage before is one change for each slot, which says its value and not who wrote it.
    const isSince = (row: string): boolean => !/_(?:state|storage)_change$/.test(name) || readTime(row) >= BigInt(from);
    const isPart = found
      .get(name)!
      .filter(isSince)
      .every((row) => known.has(row));
    const isCut = past !== null || state.kind === 'contents' || state.kind === 'last';
    const count = async (database: ScratchDatabase): Promise<unknown> =>
      past === null ? [] : rowsOf(database, `select count(*) from "${name}" where ${past} >= ${from}`);
    const isSame = isCut || found.get(name)!.length === known.size;
    if (!isPart || !isSame || JSON.stringify(await count(whole)) !== JSON.stringify(await count(copy)))
      different.push(name);
  }
  return different;
}

/** The first column, ns. */
function readTime(row: string): bigint {
  return BigInt(/^\((\d+),/.exec(row)![1]!);
}

async function rowsOf({ connectionString }: ScratchDatabase, statement: string): Promise<Record<string, unknown>[]> {
  return withClient(connectionString, 'test', async (client) => (await client.query(statement)).rows);
}
