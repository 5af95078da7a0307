import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sha384 } from '../../protocol/sha384.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { bytesField, intField } from '../../protocol/wire-writer.ts';
import { writeBlock } from '../../simulated-network/formats/block-file.ts';
import { itemKinds, splitBlock, writeItem } from './block-item.ts';
import { computeBlockRoots } from './block-root.ts';
import { createHashTree, emptyTree, hashLeaf, hashNode } from './hash-tree.ts';

const footer = {
  previousBlockRootHash: sha384(Buffer.of(1)),
  rootHashOfAllBlockHashesTree: sha384(Buffer.of(2)),
  startOfBlockStateRootHash: sha384(Buffer.of(3)),
};
const time = Buffer.of(8, 1);
const roots = (...kinds: number[]) =>
  computeBlockRoots(
    kinds.map((kind) => writeItem(kind, Buffer.of(kind))),
    footer,
    time,
  );

describe('where an item has its place in the root', () => {
  it.each([
    ['a proof', itemKinds.blockProof],
    ['the footer, whose hashes are leaves already', itemKinds.blockFooter],
    ['a later kind, modulo 0', 20],
    ['a later kind, modulo 19', 39],
  ])('%s: nowhere', (_name, kind) => expect(roots(kind)).toEqual(roots()));

  it.each([23, 24, 25, 26, 27])('kind %i: in a known subtree, of both forms', (kind) => {
    expect(roots(kind).sixteen).not.toEqual(roots().sixteen);
    expect(roots(kind).eight).not.toEqual(roots().eight);
  });

  it.each([28, 35, 48])('kind %i: in an extension, which the older form has not', (kind) => {
    expect(roots(kind).sixteen).not.toEqual(roots().sixteen);
    expect(roots(kind).eight).toBeNull();
  });

  it.each([13, 21, 22, 36, 38])('kind %i is refused', (kind) => {
    expect(() => roots(kind)).toThrow(StreamFileError);
    expect(() => roots(kind)).toThrow(`kind ${kind}`);
  });
});

/** SubMerkleTree of the items that a block has. */
const trees: readonly (readonly [kind: number, tree: number])[] = [
  [itemKinds.roundHeader, 4],
  [itemKinds.signedTransaction, 5],
  [itemKinds.transactionResult, 6],
  [itemKinds.stateChanges, 7],
  [itemKinds.traceData, 8],
];

test('the hash of a redacted item stands for its leaf', () => {
  const item = fc.record({
    of: fc.constantFrom(...trees),
    content: fc.uint8Array({ maxLength: 20 }),
    out: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 20 }), (list) => {
      const whole = list.map(({ of: [kind], content }) => writeItem(kind, content));
      const redacted = list.map(({ of: [, tree], out }, place) => {
        const hash = hashLeaf(whole[place]!.bytes);
        return out
          ? writeItem(itemKinds.redactedItem, Buffer.concat([bytesField(1, hash), intField(3, tree)].flat()))
          : whole[place]!;
      });
      expect(computeBlockRoots(redacted, footer, time)).toEqual(computeBlockRoots(whole, footer, time));
    }),
  );
});

test.each([
  ['a hash of another length', Buffer.concat([bytesField(1, Buffer.alloc(32)), intField(3, 5)].flat()), '32 bytes'],
  ['a subtree without items', Buffer.concat([bytesField(1, Buffer.alloc(48)), intField(3, 3)].flat()), 'subtree 3'],
  ['no subtree', Buffer.concat(bytesField(1, Buffer.alloc(48))), 'subtree 0'],
])('a redacted item with %s is refused', (_name, content, found) => {
  const items = [writeItem(itemKinds.redactedItem, content)];
  expect(() => computeBlockRoots(items, footer, time)).toThrow(found);
});

test('a tree joins from the left, and what is left over from the right', () => {
  const [a, b, c, d, e] = [1, 2, 3, 4, 5].map((byte) => sha384(Buffer.of(byte))) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const rootOf = (...hashes: Buffer[]) => {
    const tree = createHashTree();
    for (const hash of hashes) tree.add(hash);
    return tree.root();
  };
  expect(rootOf()).toEqual(emptyTree);
  expect(rootOf(a)).toEqual(a);
  expect(rootOf(a, b, c)).toEqual(hashNode(hashNode(a, b), c));
  expect(rootOf(a, b, c, d, e)).toEqual(hashNode(hashNode(hashNode(a, b), hashNode(c, d)), e));
});

test('items come out of a block as they went in, and a cut block is refused', () => {
  const item = fc.record({ kind: fc.integer({ min: 1, max: 60 }), content: fc.uint8Array({ maxLength: 300 }) });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), fc.nat(), (list, cut) => {
      const items = list.map(({ kind, content }) => writeItem(kind, content));
      const block = writeBlock(items);
      expect(splitBlock(block)).toEqual(items);
      const cutAt = cut % block.length;
      let whole: unknown[] | null = null;
      try {
        whole = splitBlock(block.subarray(0, cutAt));
      } catch (error) {
        expect(error).toBeInstanceOf(StreamFileError);
      }
      if (whole) expect(whole).toEqual(items.slice(0, whole.length));
    }),
  );
});
