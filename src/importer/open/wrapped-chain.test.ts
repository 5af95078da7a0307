import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHashTree, hashLeaf } from '../../../packages/streams/block-stream/hash-tree.ts';
import { createWrappedChain } from './wrapped-chain.ts';

const roots = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => hashLeaf(Buffer.from(`${from + index}`)));

async function* stored(from: number, to: number) {
  yield* roots(from, to);
}

it('a chain that begins at a tree that was kept goes on as one that knows all roots', async () => {
  const lengths = fc.integer({ min: 1, max: 70 });
  await fc.assert(
    fc.asyncProperty(lengths, lengths, lengths, async (every, more, after) => {
      const count = every + more;
      const whole = await createWrappedChain({ roots: stored(0, count), keptEvery: BigInt(every) });
      const kept = whole.takeReached();
      expect(kept.map(({ leafCount }) => Number(leafCount))).toEqual(
        Array.from({ length: Math.floor(count / every) }, (_, index) => (index + 1) * every),
      );
      expect(whole.takeReached()).toEqual([]);
      const next = BigInt(count + after);
      const expected = createHashTree();
      for (const root of roots(0, Number(next))) expected.add(root);
      for (const begun of kept) {
        const from = Number(begun.leafCount);
        const resumed = await createWrappedChain({ roots: stored(from, count), begun, keptEvery: next });
        for (const [index, root] of roots(count, Number(next)).entries()) resumed.addRoot(BigInt(count + index), root);
        const [tree] = resumed.takeReached();
        expect(tree!.hashes).toEqual(Buffer.concat(expected.perfectTrees().map(({ hash }) => hash)));
        expect(resumed.root()).toEqual(roots(0, Number(next)).at(-1));
      }
    }),
    { numRuns: 20 },
  );
});

it('a tree that is not one of so many blocks is refused', async () => {
  const begun = { leafCount: 3n, hashes: Buffer.alloc(48) };
  await expect(createWrappedChain({ roots: stored(3, 4), begun })).rejects.toThrow('wrapped_block_tree');
});
