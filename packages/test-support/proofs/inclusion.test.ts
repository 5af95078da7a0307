import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { sha384 } from '../../protocol/sha384.ts';
import { createHashTree } from '../../streams/block-stream/hash-tree.ts';
import * as made from '../../streams/block-stream/tree-siblings.ts';
import { findSiblings, foldInclusion } from './inclusion.ts';

const leavesOf = (count: number) => Array.from({ length: count }, (_, leaf) => sha384(Buffer.from(`${leaf}`)));

test('each leaf leads to the root of the tree that grew, and no other hash does', () => {
  const place = fc
    .integer({ min: 1, max: 70 })
    .chain((count) => fc.record({ count: fc.constant(count), index: fc.nat(count - 1) }));
  fc.assert(
    fc.property(place, ({ count, index }) => {
      const leaves = leavesOf(count);
      const tree = createHashTree();
      for (const leaf of leaves) tree.add(leaf);
      const siblings = findSiblings(leaves, index);
      const at = { index: BigInt(index), count: BigInt(count) };
      const nodes = made.toCompleteNodes(leaves);
      const handedOver = made.findSiblings(at.index, at.count, ({ level, place }) => nodes[level]![Number(place)]!);
      expect(handedOver.map((sibling) => Object.values(sibling)[0])).toEqual(siblings.map((hash) => Buffer.from(hash)));
      expect(made.foldSiblings(leaves[index]!, handedOver)).toEqual(tree.root());
      expect(Buffer.from(foldInclusion(leaves[index]!, at, siblings))).toEqual(tree.root());
      expect(Buffer.from(foldInclusion(sha384(Buffer.of(0)), at, siblings))).not.toEqual(tree.root());
    }),
  );
});

test('a block of a year ago at two seconds a block has 24 siblings at most, and one of mainnet 27', () => {
  const of = (count: bigint) => {
    try {
      foldInclusion(sha384(), { index: 1n, count }, []);
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };
  expect(of(15_768_000n)).toContain('expected 24 siblings');
  expect(of(100_000_000n)).toContain('expected 27 siblings');
});

it.each([
  [5n, 5n, 'a leaf of the tree, found 5 of 5'],
  [-1n, 5n, 'found -1 of 5'],
  [0n, 0n, 'found 0 of 0'],
  [1n, 1n << 64n, 'a leaf of the tree'],
  [4n, 5n, 'expected 1 siblings of leaf 4 of 5, found 0'],
])('leaf %s of %s is refused', (index, count, message) => {
  expect(() => foldInclusion(sha384(), { index, count }, [])).toThrow(message);
});
