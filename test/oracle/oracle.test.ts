// Two readings of one stream agree: the importer's tables, and what body and record of each transaction say by an
// oracle that was written on its own. The stream has every transaction type of HAPI at random.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { isSuccess } from '../../packages/protocol/hapi/response-codes.ts';
import { transactionTypes } from '../../packages/protocol/hapi/transaction-types.ts';
import { tables } from '../../packages/schema/tables.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { transactionRows } from '../pages/transaction-rows.ts';
import { readBlock } from './read/read-block.ts';
import type { ReadBlock } from './read/read-stream.ts';
import { comparedTables, compareTable } from './rows/compare-table.ts';
import { createOracle } from './rows/expect-rows.ts';

const start = 1_790_000_000_000_000_000n;
const interval = 3n * 3_600_000_000_000n;
const transactionsPerBlock = 60;
/** With this seed the rarest type comes in block 93; with most others it comes after block 150, with some after 350. */
const seed = '13';
/** In 360 are nearly all pairs of type and result. */
const minBlocks = isLong ? 360 : 70;
const maxBlocks = 400;
/** States' signatures stand in block streams only, and have no result there. */
const withoutResult = 'STATESIGNATURETRANSACTION';

let folder: string;
let scratch: ScratchDatabase;
let db: Database;
const blocks: ReadBlock[] = [];
const unseen = new Set(transactionTypes.filter(({ name }) => name !== withoutResult).map(({ number }) => number));
const oracle = createOracle();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oracle-'));
  const network = await openNetwork({ folder, seed, nodes: 1 });
  while (blocks.length < minBlocks || (unseen.size > 0 && blocks.length < maxBlocks)) {
    const consensusStart = start + BigInt(blocks.length) * interval;
    const { name } = await network.writeBlock({ consensusStart, transactions: transactionsPerBlock });
    blocks.push(readBlock(join(folder, 'recordstreams/record0.0.3'), name));
    oracle.read(blocks.at(-1)!);
    for (const { type, status } of blocks.at(-1)!.items) if (isSuccess(status)) unseen.delete(type);
  }
  await network.close();

  scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  db = openDatabase({ connectionString, maxConnections: 1 });
  const writer = await createBlockWriter({ connectionString });
  const problems: unknown[] = [];
  const addressBook = readFileSync(network.addressBookPath);
  const source = createFolderSource({ path: folder });
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
  expect(problems).toEqual([]);
});

afterAll(async () => {
  await db.close();
  await scratch.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the random mix writes every transaction type of HAPI that has a result, with success', () => {
  expect(transactionTypes.filter(({ number }) => unseen.has(number)).map(({ name }) => name)).toEqual([]);
});

test('each type writes to the tables that docs/reference/transaction-types.md says', () => {
  const undocumented = [...oracle.ownTables].flatMap(([field, tables]) =>
    [...tables]
      .filter((table) => !transactionRows[field].tables.some((documented) => documented === table))
      .map((table) => `${field}: ${table}`),
  );
  expect(undocumented).toEqual([]);
});

/** Columns in which nothing of this ledger has a value, and why. */
const neverFilled: Readonly<Record<string, string>> = {
  'crypto_transfer.errata': 'of errors in the past of mainnet',
  'entity.delegation_address': 'no account of it delegates its code by HAPI',
  'nft.delegating_spender': 'no spender of it allows others to spend',
  'record_file.bytes': 'files are not kept',
  'record_file.receipts_root': 'of the Hiero mirror node alone',
  'record_file.round_end': 'of blocks of a block stream',
  'record_file.round_start': 'of blocks of a block stream',
  'topic_message.chunk_num': 'no message of it is sent in parts',
  'topic_message.chunk_total': 'no message of it is sent in parts',
  'topic_message.initial_transaction_id': 'no message of it is sent in parts',
  'topic_message.running_hash_version': 'null is the newest version',
  'transaction.congestion_pricing_multiplier': 'its network is never congested',
  'transaction.errata': 'of errors in the past of mainnet',
  'transaction.itemized_transfer': 'not kept by default',
};

test('every column has a value in some row, or it is said why not', async () => {
  const empty: string[] = [];
  for (const [table, { columns }] of Object.entries(tables)) {
    if (!comparedTables.includes(table)) continue;
    const names = Object.keys(columns);
    const counts = names.map((name) => `count("${name}")::int as "${name}"`).join(', ');
    const text = `select ${counts} from ${table}`;
    const [row] = await db.query<Record<string, number>>({ name: `filled-of-${table}`, text });
    empty.push(...names.filter((name) => row![name] === 0).map((name) => `${table}.${name}`));
  }
  expect(empty.filter((column) => !(column in neverFilled))).toEqual([]);
  // The mirror node's, which no importer here has a value for: it would be named.
  expect(empty).toContain('record_file.receipts_root');
});

describe('the rows of', () => {
  test.each(comparedTables)('%s', async (table) => {
    const { onlyStored, onlyExpected, count } = await compareTable(db, oracle.tables, table);
    expect({ onlyStored, onlyExpected }).toEqual({ onlyStored: [], onlyExpected: [] });
    if (!table.endsWith('_history')) expect(count).toBeGreaterThan(0);
  });
});
