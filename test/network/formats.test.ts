// One simulated ledger, written as record files, as blocks that wrap them, as a block stream, and over a cutover: the mirror's
// tables are the same but for what the formats truly differ in (docs/reference/stream-formats.md).
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { verifyStream } from '../../src/importer/verify-stream.ts';
import { createHashTree } from '../../src/protocol/block-stream/hash-tree.ts';
import { createFolderSource } from '../../src/source/folder-source.ts';
import { selectWrappedRoots } from '../../src/store/read/import-state.ts';
import { selectLedgerTrust } from '../../src/store/read/select-ledger-trust.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { createBlockWriter } from '../../src/store/write/block-writer.ts';
import { dumpTables, type TablesDump } from '../support/tables/dump-tables.ts';

const blocks = 40;
const cutoverAt = 20n;
const start = 1_750_000_000_000_000_000n;
let root: string;
const folderOf = (name: string) => join(root, name);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'formats-'));
  const networks: [string, Partial<NetworkOptions>][] = [
    ['records', {}],
    ['wrapped', { format: 'wrapped' }],
    ['blocks', { format: 'blocks' }],
    ['cutover', { cutoverAt }],
    ['wrapped-cutover', { format: 'wrapped', cutoverAt }],
  ];
  for (const [name, options] of networks) {
    const folder = folderOf(name);
    // The nodes' keys are in the ledger, in the address book: one set for all.
    if (name !== 'records') cpSync(join(folderOf('records'), 'keys'), join(folder, 'keys'), { recursive: true });
    await writeNetwork({ folder, seed: 'formats', ...options, blocks, transactions: 8, start });
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

type Imported = {
  dump: TablesDump;
  trust: object | null;
  files: Record<string, unknown>[];
  cutovers: unknown[];
  problems: unknown[];
};

type ImportOptions = { maxBlocksAtATime?: number; betweenRuns?(db: Database): Promise<void> };

async function importFolder(name: string, options: ImportOptions = {}): Promise<Imported> {
  const { maxBlocksAtATime = Number.POSITIVE_INFINITY, betweenRuns } = options;
  const database = await createScratchDatabase();
  const { connectionString } = database;
  const db = openDatabase({ connectionString });
  const cutovers: unknown[] = [];
  const problems: unknown[] = [];
  try {
    for (let done = false; !done; ) {
      const writer = await createBlockWriter({ connectionString });
      const stop = new AbortController();
      let count = 0;
      try {
        const { blocks: imported } = await importStream({
          source: createFolderSource({ path: folderOf(name), pollMs: 20, missingTimeoutMs: 300 }),
          db,
          writer,
          addressBook: readFileSync(join(folderOf(name), 'addressbook.bin')),
          live: false,
          signal: stop.signal,
          onProgress() {
            count += 1;
            if (count >= maxBlocksAtATime) stop.abort();
          },
          onProblem: (problem) => problems.push(problem),
          onCutover: (cutover) => cutovers.push(cutover),
        });
        done = imported === 0 || maxBlocksAtATime === Number.POSITIVE_INFINITY;
        await betweenRuns?.(db);
      } finally {
        await writer.close();
      }
    }
    const files = await db.query<Record<string, unknown>>({
      name: 'test-record-files',
      text: 'select index, hash, prev_hash from record_file order by index',
    });
    const stored = await selectLedgerTrust(db);
    const { origin, wrapsKey, rotation } = stored ?? {};
    const trust = stored && { origin, keyBytes: wrapsKey?.length ?? null, rotation };
    return { dump: await dumpTables(connectionString, differences), trust, files, cutovers, problems };
  } finally {
    await db.close();
    await database.close();
  }
}

/** Columns in which the formats truly differ, by table; `*` = the whole table. */
const differences: Record<string, string[]> = {
  record_file: [
    ...['load_start', 'load_end', 'size', 'name', 'version', 'file_hash', 'hash', 'prev_hash', 'sidecar_count'],
    ...['round_start', 'round_end', 'wrapped_record_block_hash', 'previous_wrapped_record_block_hash'],
  ],
  sidecar_file: ['*'],
  block_proof: ['*'],
  block_verification: ['*'],
  // Paths and history lead from root to root, and a block around a record file has another one.
  block_path: ['*'],
  block_history_node: ['*'],
  // Records hand the ledger over. A block stream declares it itself, and its WRAPS key is not taken then; only proofs show rotations.
  ledger_trust: ['origin', 'wraps_key', 'rotation_block', 'rotation_steps'],
  // Which block shows it: a key is named in the state, which records do not have.
  ledger_key: ['*'],
  contract_result: ['function_result'],
  transaction: ['transaction_record_bytes'],
  importer_state: ['*'],
  ledger_mirror_schema: ['*'],
};

function differingRows(expected: TablesDump, actual: TablesDump): Record<string, { lost: string[]; other: string[] }> {
  const tables = Object.keys({ ...expected, ...actual }).map((table) => {
    const [left, right] = [new Set(expected[table]), new Set(actual[table])];
    return [
      table,
      { lost: [...left].filter((row) => !right.has(row)), other: [...right].filter((row) => !left.has(row)) },
    ] as const;
  });
  return Object.fromEntries(tables.filter(([, { lost, other }]) => lost.length + other.length > 0));
}

test('the same tables from record files, wrapped blocks, a block stream, and over a cutover', async () => {
  const { dump: expected, trust } = await importFolder('records');
  const trusts: Record<string, unknown> = { records: trust };
  for (const name of ['wrapped', 'blocks', 'cutover', 'wrapped-cutover']) {
    const { dump: actual, problems, trust } = await importFolder(name);
    expect(problems).toEqual([]);
    expect({ name, differing: differingRows(expected, actual) }).toEqual({ name, differing: {} });
    trusts[name] = trust;
  }
  const handedOver = { origin: 'handedOver', keyBytes: 1768, rotation: null };
  const proved = { block: cutoverAt, steps: 0n };
  expect(trusts).toEqual({
    records: handedOver,
    wrapped: handedOver,
    blocks: { origin: 'selfDeclared', keyBytes: null, rotation: { block: 0n, steps: 0n } },
    cutover: { ...handedOver, rotation: proved },
    'wrapped-cutover': { ...handedOver, rotation: proved },
  });
});

test('over the cutover the chain holds, it is said once, and a restart at any block changes nothing', async () => {
  const { dump, files, cutovers } = await importFolder('cutover');
  expect(cutovers).toEqual([{ block: cutoverAt, isRootChecked: true }]);
  for (const [index, file] of files.entries()) {
    expect(Number(file.index)).toBe(index);
    if (index > 0) expect(file.prev_hash).toBe(files[index - 1]!.hash);
  }
  const inSteps = await importFolder('cutover', { maxBlocksAtATime: 3 });
  expect(inSteps.cutovers).toEqual(cutovers);
  expect(inSteps.dump).toEqual(dump);
});

test('a start goes on from a stored tree, and the roots before it are not read again', async () => {
  let isStored = false;
  const { cutovers, files } = await importFolder('cutover', {
    maxBlocksAtATime: 13,
    async betweenRuns(db) {
      if (isStored) return;
      const roots = await selectWrappedRoots(db, 0n, 11n);
      const tree = createHashTree();
      for (const { root } of roots) tree.add(root!);
      const hashes = Buffer.concat(tree.perfectTrees().map(({ hash }) => hash));
      await db.query({ name: '', text: 'insert into wrapped_block_tree values (11, $1)', values: [hashes] });
      await db.query({ name: '', text: 'update record_file set wrapped_record_block_hash = null where index < 11' });
      isStored = true;
    },
  });
  expect([cutovers, files.length]).toEqual([[{ block: cutoverAt, isRootChecked: true }], blocks]);
});

test('from the middle the root at the seam is checked by the block around the last record file, where it is there', async () => {
  const folder = folderOf('middle');
  cpSync(folderOf('cutover'), folder, { recursive: true });
  const stream = join(folder, 'recordstreams');
  for (const node of readdirSync(stream)) {
    const instants = readdirSync(join(stream, node))
      .filter((name) => name.endsWith('.rcd_sig'))
      .sort();
    const first = instants[5]!.replace('.rcd_sig', '');
    for (const name of readdirSync(join(stream, node))) if (name < first) rmSync(join(stream, node, name));
  }
  const without = await importFolder('middle');
  expect(without.cutovers).toEqual([{ block: cutoverAt, isRootChecked: false }]);
  expect(without.problems).toEqual([{ file: expect.any(String), problem: expect.stringContaining('is not checked') }]);
  const name = `${(cutoverAt - 1n).toString().padStart(19, '0')}.blk.gz`;
  cpSync(join(folderOf('wrapped-cutover'), 'blocks', name), join(folder, 'blocks', name));
  const { cutovers, problems, files } = await importFolder('middle', { maxBlocksAtATime: 4 });
  expect({ cutovers, problems }).toEqual({ cutovers: [{ block: cutoverAt, isRootChecked: true }], problems: [] });
  expect(files.map(({ index }) => Number(index))).toEqual(Array.from({ length: blocks - 5 }, (_, index) => index + 5));
});

test('a block stream that does not follow the last record file is refused', async () => {
  const folder = folderOf('foreign');
  cpSync(folderOf('cutover'), folder, { recursive: true });
  // The block stream of the other network has the same number there, and another root before it.
  const name = `${cutoverAt.toString().padStart(19, '0')}.blk.gz`;
  cpSync(join(folderOf('blocks'), 'blocks', name), join(folder, 'blocks', name));
  await expect(importFolder('foreign')).rejects.toMatchObject({ code: 'previousHash', file: name });
});

test('verify proves wrapped blocks by signatures, and a block stream by the ledger id that they publish', async () => {
  const { readAddressBook } = await import('../../src/protocol/hapi/address-book.ts');
  const kinds: string[] = [];
  const problems: string[] = [];
  const addressBook = readAddressBook(readFileSync(join(folderOf('wrapped-cutover'), 'addressbook.bin')));
  for await (const { verification } of verifyStream({
    source: createFolderSource({ path: folderOf('wrapped-cutover') }),
    addressBook,
  })) {
    problems.push(...verification.problems);
    kinds.push(...verification.proofs.map(({ kind, network }) => `${kind} ${network?.origin ?? ''}`));
  }
  expect(kinds).toEqual([
    ...Array(Number(cutoverAt)).fill('signatures '),
    ...Array(blocks - Number(cutoverAt)).fill('signedBlock handedOver'),
  ]);
  expect(problems).toEqual([]);
});
