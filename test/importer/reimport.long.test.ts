// Stored blocks imported once more: rows that an earlier version wrote differently end as this version writes them, and
// nothing else changes.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectClient } from '../../packages/postgres/wire/connect-client.ts';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { currentRevision } from '../../packages/schema/import-revisions.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { upsertImportRevision } from '../../packages/store/write/upsert-import-revision.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { firstUnits } from '../../packages/test-support/streams/first-units.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { countTokens } from '../../src/contracts/token-index/count-tokens.ts';
import { type ReimportOptions, reimportBlocks } from '../../src/importer/reimport-blocks.ts';
import { describeOlderImports, findOlderImports } from '../../src/ledger/extent/older-imports.ts';
import { dumpTables, type TablesDump } from '../support/tables/dump-tables.ts';
import { compareTables } from '../support/tables/import-folder.ts';

let stream: SimulatedStream;
let other: SimulatedStream;
let scratch: ScratchDatabase;
let imported: TablesDump;

const ledger = { seed: 'again', blocks: 12, transactionsPerBlock: 25 };

beforeAll(async () => {
  stream = await writeSimulatedStream(ledger);
  other = await writeSimulatedStream({ ...ledger, seed: 'another' });
}, 120_000);

afterAll(() => {
  for (const one of [stream, other]) one.close();
});

beforeEach(async () => {
  scratch = await createScratchDatabase();
  await stream.importInto(scratch.connectionString);
  imported = await dumpTables(scratch.connectionString, varying);
});

afterEach(() => scratch.close());

const varying = { ledger_mirror_schema: ['*'], import_revision: ['*'] };

async function run(statement: string): Promise<void> {
  const client = await connectClient(scratch.connectionString, 'test');
  await client.query(statement);
  await client.end();
}

async function reimport(source: StreamSource, first: bigint, options: Partial<ReimportOptions> = {}) {
  const { connectionString } = scratch;
  const db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  const signal = new AbortController().signal;
  try {
    return await reimportBlocks({
      ...{ source, db, writer, first, commitTransactions: 60, signal },
      ...options,
    });
  } finally {
    await writer.close();
    await db.close();
  }
}

/** As an earlier version might have left the rows from this block on. */
async function spoil(firstBlock: bigint): Promise<void> {
  const start = `(select consensus_start from record_file where index = ${firstBlock})`;
  await run(`delete from contract_log where consensus_timestamp >= ${start}`);
  await run(`update transaction set memo = '\\x2a', transaction_hash = null where consensus_timestamp >= ${start}`);
  await run(`delete from crypto_transfer where consensus_timestamp >= ${start} and amount > 0`);
  await run(`delete from contract_state_change where consensus_timestamp >= ${start}`);
  await run(`update contract_state set value = null where modified_timestamp >= ${start}`);
  await run(`update record_file set logs_bloom = null where index >= ${firstBlock}`);
}

test.each([0n, 1n, 7n, 11n])('from block %d on the rows are as a new import makes them', async (first) => {
  await spoil(first);
  const steps: bigint[] = [];
  const summary = await reimport(stream.source(), first, { onProgress: ({ block }) => steps.push(block) });
  expect(summary).toEqual({ blocks: 12 - Number(first), last: 11n, isComplete: true });
  expect(steps.at(-1)).toBe(11n);
  expect(compareTables(imported, await dumpTables(scratch.connectionString, varying))).toEqual([]);
});

test('a source without the later blocks replaces those that it has, and names the next one', async () => {
  await spoil(3n);
  await expect(reimport(firstUnits(stream.source(), 5), 3n)).rejects.toThrow(
    /ends before block 8;.*up to 11.*--reimport-from 8/,
  );
  await reimport(stream.source(), 8n);
  expect(compareTables(imported, await dumpTables(scratch.connectionString, varying))).toEqual([]);
});

test('blocks of another ledger, and blocks that are not stored, are refused and change nothing', async () => {
  await expect(reimport(other.source(), 0n)).rejects.toThrow(/is not block 0, which is stored/);
  await expect(reimport(stream.source(), 12n)).rejects.toThrow('Block 12 is not stored');
  expect(compareTables(imported, await dumpTables(scratch.connectionString, varying))).toEqual([]);
});

test('what was imported again is no longer told to be of an earlier version', async () => {
  await run('insert into import_revision (after, revision) values (-1, 1)');
  const db = openDatabase({ connectionString: scratch.connectionString });
  await upsertImportRevision(db);
  const told = async () => describeOlderImports(await findOlderImports(db));
  expect(await told()).toEqual([expect.stringMatching(/^Blocks up to 11 were/)]);
  await reimport(stream.source(), 5n);
  expect(await told()).toEqual([expect.stringMatching(/^Blocks up to 4 were/)]);
  await reimport(stream.source(), 0n);
  expect(await told()).toEqual([]);
  await db.close();
});

test('the note is of the blocks that were imported again, however often that was ended and resumed', async () => {
  await run('insert into import_revision (after, revision) values (-1, 1)');
  const db = openDatabase({ connectionString: scratch.connectionString });
  await upsertImportRevision(db);
  const revisions = () =>
    db.query<{ last: bigint; blocks: number }>({
      name: 'test-revisions',
      text: `select (select max(index) from record_file where consensus_end > r.after) as last,
  (select count(*)::int4 from record_file where consensus_end <= r.after) as before, r.revision, r.blocks_revision
from import_revision r order by after`,
    });
  const noted = async () => (await revisions()).map((row) => Object.values(row).slice(1).join());
  await reimport(stream.source(), 3n, { until: { kind: 'block', number: 5n } });
  expect(await noted()).toEqual(['0,1,', `3,1,${currentRevision}`, '6,1,', `12,${currentRevision},`]);
  await expect(reimport(firstUnits(stream.source(), 2), 8n)).rejects.toThrow('--reimport-from 10');
  expect(await noted()).toEqual([
    '0,1,',
    `3,1,${currentRevision}`,
    '6,1,',
    `8,1,${currentRevision}`,
    '10,1,',
    `12,${currentRevision},`,
  ]);
  await reimport(stream.source(), 5n, { until: { kind: 'block', number: 8n } });
  expect(await noted()).toEqual(['0,1,', `3,1,${currentRevision}`, '10,1,', `12,${currentRevision},`]);
  await reimport(stream.source(), 10n);
  await reimport(stream.source(), 0n, { until: { kind: 'block', number: 2n } });
  expect(await noted()).toEqual([`0,1,${currentRevision}`, `12,${currentRevision},`]);
  await db.close();
});

test('a range may end before its first block, with a moment, or after the newest one', async () => {
  const last = async (until: ReimportOptions['until']) => (await reimport(stream.source(), 4n, { until })).last;
  const client = await connectClient(scratch.connectionString, 'test');
  const { rows } = await client.query('select consensus_start as start from record_file where index = 6');
  await client.end();
  expect(await last({ kind: 'block', number: 3n })).toBeNull();
  expect(await last({ kind: 'timestamp', timestamp: BigInt(rows[0].start) })).toBe(6n);
  expect(await last({ kind: 'block', number: 99n })).toBe(11n);
  expect(compareTables(imported, await dumpTables(scratch.connectionString, varying))).toEqual([]);
});

test('what is said of tokens is summed up again, where it had come to these blocks', async () => {
  const db = openDatabase(scratch);
  const count = async () => {
    while (await countTokens(db));
    const text = 'select * from token_total order by token_id';
    return db.query({ name: 'totals', text, reads: true });
  };
  const before = await count();
  expect(before.length).toBeGreaterThan(2);
  await run('delete from token_total where token_id in (select token_id from token_total limit 1)');
  await run('update token_total set transfers = 77');
  // Of contracts: how it begins again is what `test/contract-tokens` knows.
  await run('insert into contract_token_progress values (1, 5)');
  await run('insert into contract_token values (5, null, null, null, null, null, 1, 1, 5, 5)');
  await reimport(stream.source(), 9n);
  expect(await count()).toEqual(before);
  expect(await db.query({ name: 'kept', text: 'select 1 from contract_token', reads: true })).toHaveLength(1);
  await reimport(stream.source(), 0n);
  expect(await count()).toEqual(before);
  await run('update contract_token_progress set consensus_timestamp = (select max(consensus_end) from record_file)');
  await reimport(stream.source(), 9n);
  expect(await db.query({ name: 'gone', text: 'select 1 from contract_token', reads: true })).toEqual([]);
  expect(
    await db.query({ name: 'from', text: 'select consensus_timestamp from contract_token_progress', reads: true }),
  ).toEqual([{ consensusTimestamp: -1n }]);
  await db.close();
});
