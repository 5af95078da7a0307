// However a block is cut, its items are the same; what it declares is not believed beyond the limits.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeVarint } from '../../protocol/wire-writer.ts';
import { writeBlock } from '../../simulated-network/formats/block-file.ts';
import { type BlockStreamItem, itemKinds, splitBlock, writeItem } from './block-item.ts';
import { defaultBlockLimits, maxItemsOf } from './block-limits.ts';
import { createItemSplitter, type ItemSplitterOptions } from './item-splitter.ts';

const options = { limits: defaultBlockLimits };

function split(parts: readonly Buffer[], splitterOptions: ItemSplitterOptions = options): BlockStreamItem[] {
  const splitter = createItemSplitter(splitterOptions);
  for (const part of parts) splitter.add(part);
  return splitter.end();
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...places.map((place) => place % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const items = fc.array(
  fc.record({ kind: fc.integer({ min: 1, max: 40 }), content: fc.uint8Array({ maxLength: 400 }) }),
  { maxLength: 30 },
);

describe('a splitter', () => {
  it('gives what splitting the whole block gives, however it is cut', () => {
    fc.assert(
      fc.property(items, fc.array(fc.nat(), { maxLength: 20 }), (list, places) => {
        const block = writeBlock(list.map(({ kind, content }) => writeItem(kind, content)));
        expect(split(cut(block, places))).toEqual(splitBlock(block));
      }),
    );
  });

  it('refuses a block that ends before its last item does', () => {
    fc.assert(
      fc.property(items, fc.array(fc.nat(), { maxLength: 5 }), fc.nat(), (list, places, rest) => {
        const block = writeBlock(
          [...list, { kind: 4, content: Buffer.alloc(9) }].map((one) => writeItem(one.kind, one.content)),
        );
        const missing = 1 + (rest % 12);
        expect(() => split(cut(block.subarray(0, -missing), places))).toThrow(
          expect.objectContaining({ problem: 'truncated' }),
        );
      }),
    );
  });

  it('keeps only what is asked for', () => {
    fc.assert(
      fc.property(items, fc.array(fc.nat(), { maxLength: 20 }), (list, places) => {
        const block = writeBlock(list.map(({ kind, content }) => writeItem(kind, content)));
        const keeps = (kind: number) => kind === 12;
        expect(split(cut(block, places), { ...options, keeps })).toEqual(
          splitBlock(block).filter((item) => item.kind === 12),
        );
      }),
    );
  });

  it('copies small items out of a large part, so that they do not keep it', () => {
    const large = writeItem(itemKinds.signedTransaction, Buffer.alloc(9_000_000, 1));
    const [first, second] = split([writeBlock([writeItem(itemKinds.blockHeader, Buffer.of(8, 1)), large])]);
    expect(first!.bytes.buffer.byteLength).toBeLessThan(100_000);
    expect(second!.content.equals(large.content)).toBe(true);
  });

  it.each<[string, Buffer, string, RegExp]>([
    ['another field', Buffer.of(0x12, 1, 0), 'malformed', /only block items/],
    [
      'an item of two messages',
      writeBlock([{ ...writeItem(4, Buffer.of(1)), bytes: Buffer.of(0x22, 0, 0x2a, 0) }]),
      'malformed',
      /block item 0/,
    ],
    ['an empty item', Buffer.of(10, 0), 'malformed', /one message, found none/],
    [
      'a length without an end',
      Buffer.concat([Buffer.of(10), Buffer.alloc(20, 0xff)]),
      'malformed',
      /varint of at most 10 bytes/,
    ],
    [
      'an item that is too large',
      Buffer.concat([Buffer.of(10), encodeVarint(2n ** 40n), Buffer.of(0x22)]),
      'tooLarge',
      /at most 160 MiB \(--max-message-size\), found 1099511627776 bytes/,
    ],
  ])('refuses %s', (_name, block, problem, message) => {
    const refusal = expect.objectContaining({ problem, message: expect.stringMatching(message) });
    expect(() => split([block])).toThrow(refusal);
    expect(() => split(cut(block, [1, 2, 3]))).toThrow(refusal);
  });

  it('refuses more items than go with the size of a block', () => {
    const limits = { ...defaultBlockLimits, maxBlockBytes: 1024 * 1024 };
    const most = maxItemsOf(limits);
    const of = (count: number) => [Buffer.alloc(4 * count, Buffer.of(10, 2, 0x22, 0))];
    expect(split(of(most), { limits })).toHaveLength(most);
    expect(() => split(of(most + 1), { limits })).toThrow(
      /at most 512 items, as many as go with blocks of 1 MiB \(--max-block-size\)/,
    );
  });
});
