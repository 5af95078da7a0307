// The simulated network knows its own state. After an import of the files that it signed, the tables say the same of
// every account, token, holding, NFT, allowance, airdrop and schedule, and every history is without gaps.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import type { LedgerTables } from '../../packages/simulated-network/ledger/ledger.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { checkInvariants } from '../oracle/answers/check-invariants.ts';
import { compareWithTruth, comparisonNames } from '../oracle/answers/compare-with-truth.ts';

let folder: string;
let truth: LedgerTables;
let database: ScratchDatabase;
let db: Database;
const problems: unknown[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'network-truth-'));
  const network = await openNetwork({ folder, seed: 'network truth', nodes: 3 });
  await network.run({ intervalMs: 0, blocks: 80, transactionsPerBlock: 25 });
  truth = structuredClone(network.state().tables);
  await network.close();

  database = await createScratchDatabase();
  const { connectionString } = database;
  db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  const source = createFolderSource({ path: folder });
  const addressBook = readFileSync(network.addressBookPath);
  await importStream({
    source,
    db,
    writer,
    addressBook,
    live: false,
    onDoubt: (doubt) => problems.push(doubt),
    onDefect: (defect) => problems.push(defect),
  });
  await writer.close();
});

afterAll(async () => {
  await db.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('nothing was left out', () => {
  expect(problems).toEqual([]);
});

test.each(comparisonNames)('%s', async (name) => {
  await expect(compareWithTruth(name, db, truth)).resolves.toBeUndefined();
});

test('no tinybar is lost, balances and totals are what was transferred, histories have no gap', async () => {
  await expect(checkInvariants(db)).resolves.toBeUndefined();
});
