// A block in pieces is the block, however its file comes in parts; the end of another block never comes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeBlock } from '../../simulated-network/formats/block-file.ts';
import { readBlocks, writeNetwork } from '../../test-support/streams/write-network.ts';
import { toBlock } from './block.ts';
import { itemKinds, splitBlock, writeItem } from './block-item.ts';
import { defaultBlockLimits } from './block-limits.ts';
import { type CutBlockOptions, cutBlock, maxPieceBytes } from './cut-block.ts';

let folder: string;
let blocks: Buffer[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cut-block-'));
  await writeNetwork({ folder, seed: 'cut', format: 'blocks', blocks: 3, transactions: 5 });
  blocks = readBlocks(join(folder, 'blocks'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const optionsOf = (block: Buffer): CutBlockOptions => {
  const { number, roots } = toBlock(splitBlock(block));
  return { number, root: roots.sixteen, limits: defaultBlockLimits };
};

async function* inParts(stored: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let [at, turn] = [0, 0]; at < stored.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    yield stored.subarray(at, at + size);
    at += size;
  }
}

async function cut(stored: Buffer, options: CutBlockOptions, sizes: readonly number[] = [1 << 20]): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of cutBlock(inParts(stored, sizes), options)) pieces.push(piece);
  return pieces;
}

/** With this in place of the items before the footer; the roots follow. */
function withItems(block: Buffer, sizes: readonly number[]): Buffer {
  const items = splitBlock(block);
  const more = sizes.map((size) => writeItem(itemKinds.signedTransaction, Buffer.alloc(size, 7)));
  const footer = items.findIndex(({ kind }) => kind === itemKinds.blockFooter);
  return writeBlock([...items.slice(0, footer), ...more, ...items.slice(footer)]);
}

it('its pieces are whole items, and together the block', async () => {
  const store = [(bytes: Buffer) => bytes, zstdCompressSync, (bytes: Buffer) => gzipSync(bytes)];
  const lengths = fc.array(fc.constantFrom(0, 1, 100, 70_000, maxPieceBytes, 3 * maxPieceBytes), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      lengths,
      fc.constantFrom(...store),
      fc
        .array(fc.constantFrom(1, 7, 1000, 300_000), { minLength: 1, maxLength: 4 })
        .filter((sizes) => Math.max(...sizes) >= 1000),
      async (items, pack, sizes) => {
        const block = withItems(blocks[1]!, items);
        const pieces = await cut(pack(block), optionsOf(block), sizes);
        expect(Buffer.concat(pieces).equals(block)).toBe(true);
        for (const piece of pieces) {
          const found = splitBlock(piece);
          expect(found.length === 1 || piece.length <= maxPieceBytes).toBe(true);
        }
      },
    ),
    { numRuns: 60, examples: [[[], zstdCompressSync, [1, 1, 1000]]] },
  );
});

it('what is another block is refused before its proof', async () => {
  const options = optionsOf(blocks[1]!);
  const changed = withItems(blocks[1]!, [3 * maxPieceBytes, 5]);
  const pieces: Buffer[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of cutBlock(inParts(changed, [1 << 20]), options)) pieces.push(piece);
  };
  await expect(read()).rejects.toThrow(`root ${options.root.toString('hex')}`);
  expect(pieces.length).toBeGreaterThan(0);
  expect(pieces.flatMap((piece) => splitBlock(piece)).some(({ kind }) => kind === itemKinds.blockProof)).toBe(false);
  await expect(cut(blocks[2]!, options)).rejects.toThrow('expected block 1, found block 2');
});

it('what is cut off, has no end or is too large is refused', async () => {
  const block = blocks[1]!;
  const options = optionsOf(block);
  await expect(cut(block.subarray(0, -1), options)).rejects.toThrow('the rest of an item');
  const open = writeBlock(splitBlock(block).filter(({ kind }) => kind !== itemKinds.blockProof));
  await expect(cut(open, options)).rejects.toThrow('header, footer and a proof');
  await expect(cut(writeBlock(splitBlock(block).slice(1)), options)).rejects.toThrow('a header first');
  const limits = { maxBlockBytes: block.length - 1, maxMessageBytes: block.length };
  await expect(cut(block, { ...options, limits })).rejects.toThrow('--max-block-size');
  await expect(cut(block, { ...options, maxItems: 3 })).rejects.toThrow('as many as go with blocks of');
  const short = { maxBlockBytes: 1 << 20, maxMessageBytes: 50 };
  await expect(cut(block, { ...options, limits: short })).rejects.toThrow('--max-message-size');
});
