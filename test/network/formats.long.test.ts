// One simulated ledger, written as record files, as blocks that wrap them, as a block stream, and over a cutover: the
// mirror's tables are the same but for what the formats truly differ in (docs/reference/stream-formats.md).

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { selectWrappedRoots } from '../../packages/store/read/import-state.ts';
import { splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { createHashTree } from '../../packages/streams/block-stream/hash-tree.ts';
import { readStateChanges } from '../../packages/streams/block-stream/read-state-changes.ts';
import { readBlocks } from '../../packages/test-support/streams/write-network.ts';
import { verifyStream } from '../../src/importer/verify-stream.ts';
import {
  cutoverAt,
  differingRows,
  formatNames,
  type ImportOptions,
  importFormat,
  writeFormats,
} from '../support/tables/format-tables.ts';

const blocks = 40;
/** Other blocks are proved through the next signed one. */
const signEvery = 4;
let root: string;
const folderOf = (name: string) => join(root, name);
const importFrom = (name: string, options?: ImportOptions) => importFormat(folderOf(name), options);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'formats-'));
  await writeFormats(root, {
    seed: 'formats',
    blocks,
    transactions: 8,
    signEvery,
    start: 1_750_000_000_000_000_000n,
  });
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the same tables from record files, wrapped blocks, a block stream, and over a cutover', async () => {
  const { dump: expected, trust } = await importFrom('records');
  const trusts: Record<string, unknown> = { records: trust };
  for (const name of formatNames.slice(1)) {
    const { dump: actual, problems, trust } = await importFrom(name);
    expect(problems).toEqual([]);
    expect({ name, differing: differingRows(expected, actual) }).toEqual({ name, differing: {} });
    trusts[name] = trust;
  }
  const handedOver = { origin: 'handedOver', keyBytes: 1768, rotation: null };
  const proved = { block: cutoverAt, steps: 0n };
  const selfDeclared = { origin: 'selfDeclared', keyBytes: null, rotation: { block: 0n, steps: 0n } };
  expect(trusts).toEqual({
    records: handedOver,
    wrapped: handedOver,
    blocks: selfDeclared,
    partial: selfDeclared,
    'always-partial': selfDeclared,
    cutover: { ...handedOver, rotation: proved },
    'wrapped-cutover': { ...handedOver, rotation: proved },
  });
});

test('block streams have values as a whole, and in part', () => {
  const parts = ['blocks', 'partial', 'always-partial'].map((name) => {
    const items = readBlocks(join(folderOf(name), 'blocks')).flatMap((block) => splitBlock(block));
    const changes = items.flatMap(({ kind, content }) => (kind === 7 ? readStateChanges(content).changes : []));
    return changes.filter(({ isPartial }) => isPartial).length / changes.length;
  });
  expect(parts[0]).toBe(0);
  expect(parts[1]).toBeGreaterThan(0.1);
  expect(parts[2]).toBeGreaterThan(parts[1]! + 0.1);
  expect(parts[2]).toBeLessThan(1);
});

test('over the cutover the chain holds, it is said once, and a restart at any block changes nothing', async () => {
  const { dump, files, cutovers } = await importFrom('cutover');
  expect(cutovers).toEqual([{ block: cutoverAt, isRootChecked: true }]);
  for (const [index, file] of files.entries()) {
    expect(Number(file.index)).toBe(index);
    if (index > 0) expect(file.prev_hash).toBe(files[index - 1]!.hash);
  }
  const inSteps = await importFrom('cutover', { maxBlocksAtATime: 3 });
  expect(inSteps.cutovers).toEqual(cutovers);
  expect(inSteps.dump).toEqual(dump);
});

test('a start goes on from a stored tree, and the roots before it are not read again', async () => {
  let isStored = false;
  const { cutovers, files } = await importFrom('cutover', {
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
  const without = await importFrom('middle');
  expect(without.cutovers).toEqual([{ block: cutoverAt, isRootChecked: false }]);
  expect(without.problems).toEqual([
    expect.objectContaining({ kind: 'proof', text: expect.stringContaining('is not checked') }),
  ]);
  const name = `${(cutoverAt - 1n).toString().padStart(19, '0')}.blk.gz`;
  cpSync(join(folderOf('wrapped-cutover'), 'blocks', name), join(folder, 'blocks', name));
  const { cutovers, problems, files } = await importFrom('middle', { maxBlocksAtATime: 4 });
  expect({ cutovers, problems }).toEqual({ cutovers: [{ block: cutoverAt, isRootChecked: true }], problems: [] });
  expect(files.map(({ index }) => Number(index))).toEqual(Array.from({ length: blocks - 5 }, (_, index) => index + 5));
});

test('a block stream that does not follow the last record file is refused', async () => {
  const folder = folderOf('foreign');
  cpSync(folderOf('cutover'), folder, { recursive: true });
  // The block stream of the other network has the same number there, and another root before it.
  const name = `${cutoverAt.toString().padStart(19, '0')}.blk.gz`;
  cpSync(join(folderOf('blocks'), 'blocks', name), join(folder, 'blocks', name));
  await expect(importFrom('foreign')).rejects.toMatchObject({ code: 'previousHash', file: name });
});

test('verify proves wrapped blocks by signatures, and a block stream by the ledger id that they publish', async () => {
  const { readAddressBook } = await import('../../packages/protocol/hapi/address-book.ts');
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
  const isSigned = (block: number) => block % signEvery === 0 || block === blocks - 1;
  expect(kinds).toEqual(
    Array.from({ length: blocks }, (_, block) => {
      if (block < cutoverAt) return 'signatures ';
      return `${isSigned(block) ? 'signedBlock' : 'stateProof'} handedOver`;
    }),
  );
  expect(problems).toEqual([]);
});
