// Imports that begin and end where they are told to, from files of every kind.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import { formatTimestamp } from '../../packages/protocol/hapi/timestamp.ts';
import { writeAddressBook } from '../../packages/simulated-network/formats/write-address-book.ts';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { selectNewestBlock } from '../../packages/store/read/select-newest-block.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { createSignedStream, createTestKeys } from '../../packages/test-support/streams/signed-stream.ts';
import { findStart } from '../../src/importer/extent/find-start.ts';
import { parseStartPoint, parseStreamPoint } from '../../src/importer/extent/stream-point.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { createUnitOpener } from '../../src/importer/open/open-unit.ts';
import { createSigners } from '../../src/importer/open/signers.ts';
import { createWrappedChain } from '../../src/importer/open/wrapped-chain.ts';
import { runHere } from '../support/program/run-here.ts';

const second = 1_000_000_000n;
const genesis = 1_790_000_000n * second;
const interval = 20n * second;

const kinds: Record<string, Partial<NetworkOptions>> = {
  'record files': {},
  'blocks around record files': { format: 'wrapped' },
  'a block stream': { format: 'blocks' },
  'record files, then a block stream': { cutoverAt: 5n },
};

type Written = { source: StreamSource; addressBook: Uint8Array; starts: bigint[]; close(): void };

async function writeNine(options: Partial<NetworkOptions>): Promise<Written> {
  const folder = mkdtempSync(join(tmpdir(), 'begin-and-end-'));
  const network = await openNetwork({ folder, seed: 'begin and end', nodes: 1, ...options });
  const starts: bigint[] = [];
  for (let number = 0n; number < 9n; number++) {
    const block = await network.writeBlock({ consensusStart: genesis + number * interval, transactions: 1 });
    starts.push(block.consensusStart);
  }
  await network.close();
  return {
    source: createFolderSource({ path: folder, pollMs: 20, missingTimeoutMs: 300 }),
    addressBook: readFileSync(network.addressBookPath),
    starts,
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** `4` → block 4; `4.` and `4.+1` → the time at which it begins, in ns. */
function toPointText(text: string, starts: readonly bigint[]): string {
  const [, block, offset] = /^(\d)\.([+-]\d+)?$/.exec(text) ?? [];
  return block === undefined ? text : formatTimestamp(starts[Number(block)]! + BigInt(offset ?? 0));
}

describe.each(Object.entries(kinds))('%s', (_kind, options) => {
  let written: Written;
  beforeAll(async () => {
    written = await writeNine(options);
  });
  afterAll(() => written.close());

  test.each([
    ['genesis', 0n],
    ['0', 0n],
    ['3', 3n],
    ['6', 6n],
    ['8', 8n],
    ['now', 8n],
    ['0.', 0n],
    ['4.', 4n],
    ['4.+1', 5n],
    ['7.-1', 7n],
    ['2020-01-01', 0n],
  ])('an import from %s begins with block %d', async (text, expected) => {
    const { source, addressBook, starts } = written;
    const position = await findStart(source, parseStartPoint(toPointText(text, starts))!);
    const units = source.units({ position: () => position, live: false, isEnough: () => true });
    const { value: unit } = await units[Symbol.asyncIterator]().next();
    const chain = await createWrappedChain({ roots: null });
    const signers = createSigners(readAddressBook(addressBook), null);
    const { block } = await createUnitOpener(source, chain, null).open(unit, signers, () => 0n);
    expect(block.blockNumber).toBe(expected);
  });
});

describe('an import', () => {
  let written: Written;
  beforeAll(async () => {
    written = await writeNine({});
  });
  afterAll(() => written.close());

  type Run = { from?: string; until?: string; live?: boolean };

  /** Numbers of the blocks that were stored, and what the last run says. */
  async function importBlocks(...runs: Run[]) {
    const { source, addressBook, starts } = written;
    const { connectionString, close } = await createScratchDatabase();
    const db = openDatabase({ connectionString });
    const numbers: bigint[] = [];
    let reachedEnd = false;
    try {
      for (const { from = 'genesis', until, live = false } of runs) {
        const writer = await createBlockWriter({ connectionString });
        const summary = await importStream({
          source,
          db,
          writer,
          addressBook,
          live,
          start: parseStartPoint(toPointText(from, starts))!,
          ...(until ? { until: parseStreamPoint(toPointText(until, starts))! } : {}),
          onProgress: ({ block }) => numbers.push(block.number),
        }).finally(writer.close);
        reachedEnd = summary.reachedEnd;
      }
      expect((await selectNewestBlock(db))?.number).toBe(numbers.at(-1));
      return { blocks: numbers.join(' '), reachedEnd };
    } finally {
      await db.close();
      await close();
    }
  }

  test.each<[string, Run[], string, boolean]>([
    ['ends with the files', [{ from: '6' }], '6 7 8', false],
    ['ends with the block of a time', [{ from: '5.', until: '6.+1' }], '5 6', true],
    ['ends before the block after a time', [{ from: '5', until: '7.-1' }], '5 6', true],
    ['may have one block', [{ from: '7', until: '7' }], '7', true],
    ['may end with what is there', [{ from: '7', until: '100' }], '7 8', false],
    ['ends when live, too', [{ from: '5', until: '6', live: true }], '5 6', true],
    ['that ended adds nothing', [{ from: '5', until: '6' }, { until: '6' }], '5 6', true],
    ['goes on to a later end', [{ from: '5', until: '6' }, { until: '7.' }], '5 6 7', true],
  ])('%s', async (_name, runs, blocks, reachedEnd) => {
    expect(await importBlocks(...runs)).toEqual({ blocks, reachedEnd });
  });

  test('says which block is not there yet', async () => {
    await expect(importBlocks({ from: '100' })).rejects.toThrow(/does not have block 100 yet$/);
  });
});

test('record files that do not carry their number are named, with the way out', async () => {
  const path = mkdtempSync(join(tmpdir(), 'begin-and-end-'));
  try {
    const stream = createSignedStream(path, createTestKeys(1));
    stream.write({ version: 5 });
    await expect(findStart(createFolderSource({ path }), { kind: 'block', number: 3n })).rejects.toThrow(
      /is a record file of version 5, which does not carry its number\. Name a moment in --from/,
    );
  } finally {
    rmSync(path, { recursive: true });
  }
});

test('--start-block is the number of the first file, where the files carry none', async () => {
  const path = mkdtempSync(join(tmpdir(), 'begin-and-end-'));
  const database = await createScratchDatabase();
  try {
    const stream = createSignedStream(path, createTestKeys(1));
    for (let file = 0; file < 2; file++) stream.write({ version: 5 });
    const book = join(path, 'book.bin');
    writeFileSync(book, writeAddressBook(stream.addressBook.nodes));
    const flags = ['--source', path, '--address-book', book, '--network', 'demo', '--data-dir', join(path, 'data')];
    const env = { DATABASE_URL: database.connectionString };
    const { code, output } = await runHere(['import', '--once', ...flags, '--start-block', '700'], { env });
    expect([code, output]).toEqual([0, expect.any(String)]);
    const db = openDatabase({ connectionString: database.connectionString, maxConnections: 1 });
    expect((await selectNewestBlock(db))?.number).toBe(701n);
    await db.close();
  } finally {
    await database.close();
    rmSync(path, { recursive: true });
  }
});
