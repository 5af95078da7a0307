// A block file is read in the same way at once and in parts, and refused for the same reasons.

import { randomBytes } from 'node:crypto';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeBlock } from '../../simulated-network/formats/block-file.ts';
import { type BlockStreamItem, itemKinds, splitBlock, writeItem } from './block-item.ts';
import { defaultBlockLimits } from './block-limits.ts';
import { hashLeaf } from './hash-tree.ts';
import { readBlockItems } from './read-block-items.ts';
import { unpackBlockFile } from './unpack-block-file.ts';

const options = { limits: defaultBlockLimits };
const mebibyte = 1024 * 1024;

/** `bytesEach`: of a part. */
async function* inParts(bytes: Buffer, bytesEach: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += bytesEach) yield bytes.subarray(at, at + bytesEach);
}

const makeBlock = (itemBytes: number, count: number) =>
  writeBlock([
    writeItem(itemKinds.blockHeader, Buffer.of(8, 1)),
    ...Array.from({ length: count }, () => writeItem(itemKinds.signedTransaction, randomBytes(itemBytes))),
    writeItem(itemKinds.blockFooter, Buffer.of(8, 1)),
  ]);
/** Buffers of megabytes are compared by element, in minutes. */
const hashesOf = (items: readonly BlockStreamItem[]) => items.map(({ bytes }) => hashLeaf(bytes).toString('hex'));

const blocks = { small: makeBlock(300, 20), large: makeBlock(5 * mebibyte, 4) };

const compressions: Record<string, (bytes: Buffer) => Buffer> = {
  none: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes, { level: 1 }),
  'gzip of two members': (bytes) =>
    Buffer.concat([gzipSync(bytes.subarray(0, 1000)), gzipSync(bytes.subarray(1000), { level: 1 })]),
  Zstandard: (bytes) => zstdCompressSync(bytes),
  'Zstandard of two frames': (bytes) =>
    Buffer.concat([zstdCompressSync(bytes.subarray(0, 1000)), zstdCompressSync(bytes.subarray(1000))]),
  'Zstandard with a frame to pass over': (bytes) =>
    Buffer.concat([Buffer.from('502a4d1804000000deadbeef', 'hex'), zstdCompressSync(bytes)]),
};

describe.each(['small', 'large'] as const)('a %s block', (size) => {
  const block = blocks[size];

  it.each(Object.entries(compressions))('is read: %s', async (_name, compress) => {
    const stored = compress(block);
    expect(hashesOf(splitBlock(unpackBlockFile(stored)))).toEqual(hashesOf(splitBlock(block)));
    for (const bytesEach of [stored.length, mebibyte, size === 'small' ? 3 : 65_537]) {
      const read = await readBlockItems(() => inParts(stored, bytesEach), options);
      expect(hashesOf(read.items)).toEqual(hashesOf(splitBlock(block)));
      expect(read).toMatchObject({ sizeBytes: stored.length, unpackedBytes: block.length });
    }
  });

  const damages: [string, string, (stored: Buffer) => Buffer, string][] = ['gzip', 'Zstandard'].flatMap((name) => [
    [name, 'cut off', (stored) => stored.subarray(0, -2), 'truncated'],
    [name, 'cut in the middle', (stored) => stored.subarray(0, stored.length / 2), 'truncated'],
    [name, 'with zeros behind', (stored) => Buffer.concat([stored, Buffer.alloc(3)]), 'trailingBytes'],
  ]);
  it.each(damages)('is refused: %s, %s', async (name, _damage, change, problem) => {
    const stored = change(compressions[name]!(block));
    expect(() => unpackBlockFile(stored)).toThrow(expect.objectContaining({ problem }));
    // In one part: where the file is cut between parts does not matter to a decompressor.
    await expect(readBlockItems(() => inParts(stored, stored.length), options)).rejects.toMatchObject({ problem });
  });

  it.each(['gzip', 'Zstandard'])('with text behind it is refused: %s', async (name) => {
    const stored = Buffer.concat([compressions[name]!(block), Buffer.from('and more')]);
    const problem = expect.stringMatching(/^(malformed|trailingBytes)$/);
    expect(() => unpackBlockFile(stored)).toThrow(expect.objectContaining({ problem }));
    for (const bytesEach of [stored.length, mebibyte, stored.length - 8])
      await expect(readBlockItems(() => inParts(stored, bytesEach), options)).rejects.toMatchObject({ problem });
  });
});

describe('limits', () => {
  const limits = { maxBlockBytes: 16 * mebibyte, maxMessageBytes: 16 * mebibyte };

  it.each(Object.keys(compressions))('a block of more bytes than it may have is refused: %s', async (name) => {
    const stored = compressions[name]!(blocks.large);
    await expect(readBlockItems(() => inParts(stored, mebibyte), { limits })).rejects.toThrow(
      'block file: expected at most 16 MiB (--max-block-size) without compression, found more',
    );
  });

  it('what unpacks to very much more is measured before anything is kept', async () => {
    const item = writeBlock([writeItem(itemKinds.signedTransaction, Buffer.alloc(16 * mebibyte))]);
    const stored = Buffer.concat(Array.from({ length: 5 }, () => zstdCompressSync(item)));
    let reads = 0;
    const read = () => {
      reads++;
      return inParts(stored, mebibyte);
    };
    const { items } = await readBlockItems(read, options);
    expect(items.map(({ content }) => content.length)).toEqual(Array.from({ length: 5 }, () => 16 * mebibyte));
    expect(reads).toBe(3);
    const tooMuch = { ...defaultBlockLimits, maxBlockBytes: 64 * mebibyte };
    await expect(readBlockItems(read, { limits: tooMuch })).rejects.toThrow(/at most 64 MiB/);
  });

  it('what is wrong with the file as stored is said before what is wrong with its items', async () => {
    const zeros = gzipSync(Buffer.alloc(20 * mebibyte), { level: constants.Z_BEST_SPEED });
    await expect(readBlockItems(() => inParts(zeros, 1000), { limits })).rejects.toThrow(/16 MiB/);
    await expect(readBlockItems(() => inParts(zeros.subarray(0, -1), 1000), options)).rejects.toThrow(
      /complete gzip file/,
    );
    await expect(readBlockItems(() => inParts(zeros, 1000), options)).rejects.toThrow(/only block items/);
  });

  it('what the place says of a file is passed on, and the place is left', async () => {
    let isLeft = false;
    async function* broken(): AsyncGenerator<Buffer> {
      try {
        const stored = compressions.gzip!(blocks.large);
        yield stored.subarray(0, mebibyte);
        yield stored.subarray(mebibyte, 2 * mebibyte);
        throw new Error('the disk is away');
      } finally {
        isLeft = true;
      }
    }
    await expect(readBlockItems(broken, options)).rejects.toThrow('the disk is away');
    expect(isLeft).toBe(true);
  });
});
