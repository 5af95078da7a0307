import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeRanges, findRange, isToCome, mergeRanges } from './available-blocks.ts';

const block = fc.bigInt(0n, 60n);
const range = fc.tuple(block, block).map(([a, b]) => ({ first: a < b ? a : b, last: a < b ? b : a }));

it('merged ranges have the same blocks, in order, with a gap before each', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
      const merged = mergeRanges(ranges);
      for (let number = 0n; number <= 61n; number++) {
        const isThere = ranges.some(({ first, last }) => first <= number && number <= last);
        expect(findRange({ ranges: merged, nextExpected: null }, number) !== undefined).toBe(isThere);
      }
      for (const [at, { first }] of merged.slice(1).entries()) expect(first).toBeGreaterThan(merged[at]!.last + 1n);
    }),
  );
});

it('the block after the last one is to come, and those before the one that is expected', () => {
  const toCome = (last: bigint | null, nextExpected: bigint | null) => {
    const ranges = last === null ? [] : [{ first: 0n, last }];
    return [0n, 4n, 5n, 6n, 7n, 8n].filter((number) => isToCome({ ranges, nextExpected }, number));
  };
  expect(toCome(4n, null)).toEqual([5n]);
  expect(toCome(4n, 5n)).toEqual([5n]);
  expect(toCome(4n, 7n)).toEqual([5n, 6n, 7n]);
  expect(toCome(4n, 2n)).toEqual([5n]);
  expect(toCome(null, null)).toEqual([]);
  expect(toCome(null, 6n)).toEqual([6n]);
});

it('many ranges are listed in part', () => {
  const ranges = [0n, 10n, 20n, 30n, 40n, 50n, 60n].map((first) => ({ first, last: first + 4n }));
  expect(describeRanges(ranges.slice(0, 1))).toBe('the blocks 0 to 4');
  expect(describeRanges(ranges)).toBe(
    'the blocks 0 to 4, 10 to 14, 20 to 24, 30 to 34, 40 to 44, and 2 further ranges',
  );
});
