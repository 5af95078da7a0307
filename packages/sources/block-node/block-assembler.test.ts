import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intField } from '../../protocol/wire-writer.ts';
import { writeBlock } from '../../simulated-network/formats/block-file.ts';
import { itemKinds, splitBlock, writeItem } from '../../streams/block-stream/block-item.ts';
import { type AssembledBlock, createBlockAssembler } from './block-assembler.ts';

const maxSize = 10_000;
const limits = { maxBlockBytes: maxSize, maxMessageBytes: maxSize };

function makeBlock(number: bigint, proofs = 1, filler = 20): Buffer {
  const ofNumber = Buffer.concat(intField(1, number));
  return writeBlock([
    writeItem(itemKinds.blockHeader, Buffer.concat(intField(3, number))),
    writeItem(itemKinds.signedTransaction, Buffer.alloc(filler, Number(number % 250n))),
    writeItem(itemKinds.blockFooter, Buffer.alloc(0)),
    ...Array.from({ length: proofs }, () => writeItem(itemKinds.blockProof, ofNumber)),
  ]);
}

const joined = ({ number, parts }: AssembledBlock) => ({ number, bytes: Buffer.concat(parts) });

it('gives the same blocks however the messages are cut, with and without word of the end of a block', () => {
  const shape = fc.record({
    from: fc.bigInt(0n, 2n ** 63n),
    proofs: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
    itemsPerMessage: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
    saysEnd: fc.boolean(),
  });
  fc.assert(
    fc.property(shape, ({ from, proofs, itemsPerMessage, saysEnd }) => {
      const blocks = proofs.map((count, index) => ({
        number: from + BigInt(index),
        bytes: makeBlock(from + BigInt(index), count),
      }));
      const assembler = createBlockAssembler(from, limits);
      const given: AssembledBlock[] = [];
      let message = 0;
      const nextSize = (): number => itemsPerMessage[message++ % itemsPerMessage.length]!;
      const sets = saysEnd
        ? blocks.map(({ bytes }) => splitBlock(bytes))
        : [splitBlock(Buffer.concat(blocks.map(({ bytes }) => bytes)))];
      for (const [index, items] of sets.entries()) {
        for (let start = 0; start < items.length; ) {
          const size = nextSize();
          given.push(...assembler.addItems(writeBlock(items.slice(start, start + size))));
          start += size;
        }
        if (saysEnd) given.push(assembler.endBlock(from + BigInt(index))!);
      }
      const last = assembler.endStream();
      if (last) given.push(last);
      expect(given.map(joined)).toEqual(blocks);
      expect(assembler.due()).toBe(from + BigInt(blocks.length));
    }),
  );
});

describe('passes over', () => {
  it('blocks that were there before, whole or in part', () => {
    const assembler = createBlockAssembler(5n, limits);
    expect(assembler.addItems(makeBlock(3n))).toEqual([]);
    expect(assembler.endBlock(3n)).toBeNull();
    expect(assembler.addItems(makeBlock(4n, 0))).toEqual([]);
    expect(assembler.addItems(makeBlock(5n))).toEqual([]);
    expect(joined(assembler.endBlock(5n)!)).toEqual({ number: 5n, bytes: makeBlock(5n) });
    expect(assembler.endBlock(4n)).toBeNull();
  });
});

const refusals: [name: string, error: RegExp, (send: ReturnType<typeof createBlockAssembler>) => unknown][] = [
  ['a later block', /expected block 5, found block 6/, (node) => node.addItems(makeBlock(6n))],
  [
    'items before a header',
    /expected a block header/,
    (node) => node.addItems(makeBlock(5n).subarray(makeBlock(5n)[1]! + 2)),
  ],
  ['an end of another block', /before its end/, (node) => [node.addItems(makeBlock(5n)), node.endBlock(6n)]],
  ['an end without a block', /before its end, found no block/, (node) => node.endBlock(5n)],
  ['a block without a proof', /expected a block proof/, (node) => [node.addItems(makeBlock(5n, 0)), node.endBlock(5n)]],
  [
    'a block that the next one cuts short',
    /expected a block proof/,
    (node) => [node.addItems(makeBlock(5n, 0)), node.addItems(makeBlock(6n))],
  ],
  ['something else than items', /only block items, found field 2/, (node) => node.addItems(Buffer.from([0x12, 0x00]))],
  ['half a message', /the rest of a field/, (node) => node.addItems(makeBlock(5n).subarray(0, -1))],
  [
    'a block that is too large',
    /at most 10000 bytes \(--max-block-size\)/,
    (node) => node.addItems(makeBlock(5n, 1, maxSize)),
  ],
  [
    'the same block without end',
    /expected block 5, found block 4/,
    (node) => {
      for (;;) node.addItems(makeBlock(4n));
    },
  ],
  [
    'an earlier block that is too large',
    /at most 10000 bytes \(--max-block-size\)/,
    (node) => node.addItems(makeBlock(4n, 1, maxSize)),
  ],
];

it.each(refusals)('refuses %s', (_name, error, send) => {
  expect(() => send(createBlockAssembler(5n, limits))).toThrow(error);
});

it('keeps nothing of a block whose proof is missing when the stream ends', () => {
  const assembler = createBlockAssembler(5n, limits);
  assembler.addItems(makeBlock(5n, 0));
  expect(assembler.endStream()).toBeNull();
});
