// Blocks of a flat folder of a bucket: what is found, and how often the bucket is asked for it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AskedStore } from './ask-again.ts';
import { createBucketBlocks } from './bucket-blocks.ts';

/** In memory, a thousand names a page. */
function flatStore(names: readonly string[]) {
  let lists = 0;
  const sorted = names.toSorted();
  const store: AskedStore = {
    name: 's3://memory',
    async list({ after }) {
      lists += 1;
      const behind = sorted.filter((name) => after === null || name > after);
      const objects = behind.slice(0, 1_000).map((key) => ({ key, sizeBytes: 1 }));
      return { objects, folders: [], hasMore: behind.length > objects.length };
    },
    get: async () => Buffer.alloc(1),
  };
  const blocks = createBucketBlocks({
    store,
    root: () => ({ path: '', digits: names[0]?.indexOf('.') ?? 19 }),
    freshMs: 0,
  });
  return { blocks, lists: () => lists };
}

const nameOf = (number: number): string => `${String(number).padStart(9, '0')}.blk.gz`;

it('the last one is found without all those before it', async () => {
  const { blocks, lists } = flatStore(Array.from({ length: 50_000 }, (_, index) => nameOf(index)));
  expect(await blocks.findLast()).toMatchObject({ number: 49_999n });
  expect(lists()).toBeLessThan(20);
});

it('wherever blocks are missing, the last one is the last one', async () => {
  const runs = fc.array(fc.record({ from: fc.nat({ max: 200_000_000 }), count: fc.integer({ min: 1, max: 2_500 }) }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(runs, async (all) => {
      const numbers = new Set(
        all.flatMap(({ from, count }) => Array.from({ length: count }, (_, index) => from + index)),
      );
      const { blocks, lists } = flatStore([...numbers].map(nameOf));
      const highest = [...numbers].reduce((most, number) => Math.max(most, number));
      expect(await blocks.findLast()).toMatchObject({ number: BigInt(highest) });
      expect(lists()).toBeLessThan(60);
    }),
    { numRuns: 50 },
  );
});

it('names that do not sort by number end the search all the same', async () => {
  const { blocks } = flatStore(Array.from({ length: 3_000 }, (_, index) => `${index}.blk`));
  expect(await blocks.findLast()).not.toBeNull();
});

it('an empty folder has none', async () => {
  expect(await flatStore([]).blocks.findLast()).toBeNull();
});
