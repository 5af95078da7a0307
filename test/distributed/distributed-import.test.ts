// An import into a distributed database ends with the same rows as one into an ordinary one (on a stand-in for Citus).
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { postponeIndexes } from '../../packages/schema/migration/postponed-indexes.ts';
import { createRowDropper } from '../../packages/store/retention/row-dropper.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { openWriterSession } from '../../packages/store/write/writer-session.ts';
import { ledgers } from '../../packages/test-support/ledgers/ledgers.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { addCitusStandIn } from '../support/servers/citus-stand-in.ts';
import { dumpTables } from '../support/tables/dump-tables.ts';
import { compareTables } from '../support/tables/import-folder.ts';
import { judgeStatement } from './judge-statement.ts';

let stream: SimulatedStream;
let plain: ScratchDatabase;
let distributed: ScratchDatabase;

beforeAll(async () => {
  stream = await writeSimulatedStream(ledgers.small);
  plain = await createScratchDatabase();
  distributed = await createScratchDatabase();
  await addCitusStandIn(distributed.connectionString);
  await migrate({ ...distributed, distributed: true });
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  stream?.close();
  await plain?.close();
  await distributed?.close();
});

/** Texts that separate connections send, as that of the writer is. */
function recordWrites(): Set<string> {
  const texts = new Set<string>();
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [string | { text?: string }];
    texts.add(typeof asked === 'string' ? asked : (asked.text ?? ''));
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query);
  return texts;
}

/** When a block was written, and how. */
const varying = {
  record_file: ['load_start', 'load_end'],
  account_balance_file: ['load_start', 'load_end'],
  ledger_mirror_schema: ['installed_at'],
};

test('every table has the rows of an ordinary database', { timeout: 300_000 }, async () => {
  await stream.importInto(plain.connectionString);
  const read = new Set<string>();
  const written = recordWrites();
  await stream.importInto(distributed.connectionString, { onQuery: ({ text }) => read.add(text) });
  const writer = await createBlockWriter(distributed);
  await writer.shiftBlockNumbers(7n);
  await writer.shiftBlockNumbers(-7n);
  await writer.close();
  expect(written.size).toBeGreaterThan(40);
  const faults = [...read, ...written].map((text) => [...judgeStatement(text), text]);
  expect(faults.filter(({ length }) => length > 1)).toEqual([]);
  const [expected, actual] = [
    await dumpTables(plain.connectionString, varying),
    await dumpTables(distributed.connectionString, varying),
  ];
  expect(expected.transaction!.length).toBeGreaterThan(200);
  expect(compareTables(expected, actual)).toEqual([]);
});

test('the writer plans its statements for the machines that their values lie on', async () => {
  const modes: unknown[] = [];
  for (const { connectionString } of [plain, distributed]) {
    const session = await openWriterSession({ connectionString, otherWriterMs: 1_000, rowsOfRange: 20_000 });
    const { rows } = await session.client.query('show plan_cache_mode');
    modes.push(rows[0].plan_cache_mode);
    await session.client.end();
  }
  expect(modes).toEqual(['force_generic_plan', 'auto']);
});

test.each([
  [
    'rows that are dropped',
    ({ connectionString }: ScratchDatabase) => createRowDropper(connectionString),
    /Leave out --keep/,
  ],
  [
    'indexes that are made later',
    ({ connectionString }: ScratchDatabase) => postponeIndexes(connectionString),
    /Leave out --bulk/,
  ],
])('%s are refused', async (_name, work, message) => {
  await expect(work(distributed)).rejects.toThrow(message);
});

test('a ledger that begins later is stored as in an ordinary database', { timeout: 300_000 }, async () => {
  const [one, several] = [await createScratchDatabase(), await createScratchDatabase()];
  try {
    await addCitusStandIn(several.connectionString);
    await migrate({ ...several, distributed: true });
    for (const { connectionString } of [one, several]) {
      await stream.importInto(connectionString, { start: { kind: 'block', number: 3n } });
    }
    const [expected, actual] = [
      await dumpTables(one.connectionString, varying),
      await dumpTables(several.connectionString, varying),
    ];
    // Not known, because it is the sum of what came before.
    expect(expected.entity!.filter((line) => line.includes('"balance": null'))).not.toEqual([]);
    expect(compareTables(expected, actual)).toEqual([]);
  } finally {
    await one.close();
    await several.close();
  }
});
