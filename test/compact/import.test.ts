// An import goes on in a database in the compact form as in any other, forwards and over blocks that it imports again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { compactRows, makeCompact } from '../../packages/store/compact/compact-rows.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { firstUnits } from '../../packages/test-support/streams/first-units.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { reimportBlocks } from '../../src/importer/reimport-blocks.ts';
import { dumpTables, type TablesDump } from '../support/tables/dump-tables.ts';
import { compareTables } from '../support/tables/import-folder.ts';

const everything = 2n ** 62n;
/** Two years, so that there is a partition to leave and one to come. */
const blockTime = 60n * 86_400_000_000_000n;
const ledger = { seed: 'compact import', blocks: 10, transactionsPerBlock: 25, blockTime };

let stream: SimulatedStream;
let imported: TablesDump;
let scratch: ScratchDatabase;
beforeAll(async () => {
  stream = await writeSimulatedStream(ledger);
  const usual = await createScratchDatabase();
  await stream.importInto(usual.connectionString);
  imported = await dump(usual);
  await usual.close();
});
afterAll(() => stream?.close());
beforeEach(async () => {
  scratch = await createScratchDatabase();
});
afterEach(() => scratch.close());

/** Packed transfers say by their first byte which rows are beside them. */
const dump = ({ connectionString }: ScratchDatabase): Promise<TablesDump> =>
  dumpTables(connectionString, {
    import_revision: ['*'],
    ledger_mirror_schema: ['*'],
    transaction: ['packed_transfers'],
    record_file: ['load_start', 'load_end'],
  });

async function withWriter(work: (open: Pick<Parameters<typeof importStream>[0], 'db' | 'writer'>) => Promise<unknown>) {
  const { connectionString } = scratch;
  const db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  await work({ db, writer });
  await writer.close();
  await db.close();
}

async function compact(): Promise<void> {
  const { connectionString } = scratch;
  await makeCompact(connectionString);
  const { kept } = await compactRows({ connectionString, before: everything });
  expect(kept).toBe(0);
}

const importUnits = (count: number): Promise<void> =>
  withWriter((open) =>
    importStream({
      ...open,
      source: firstUnits(stream.source(), count),
      addressBook: readFileSync(join(stream.folder, 'addressbook.bin')),
      live: false,
    }),
  );

it('goes on', async () => {
  for (const count of [4, 7, ledger.blocks]) {
    await importUnits(count);
    await compact();
  }
  expect(compareTables(imported, await dump(scratch))).toEqual([]);
});

it.each([0n, 3n, 8n])('imports blocks from %d on again', async (first) => {
  await importUnits(ledger.blocks);
  await compact();
  const signal = new AbortController().signal;
  await withWriter((open) =>
    reimportBlocks({ ...open, source: stream.source(), first, commitTransactions: 60, signal }),
  );
  expect(compareTables(imported, await dump(scratch))).toEqual([]);
  await compact();
  expect(compareTables(imported, await dump(scratch))).toEqual([]);
});
