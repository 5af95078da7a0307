import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeededRandom } from './seeded-random.ts';

test('the same seed and label give the same sequence, other labels another', () => {
  const draw = (label: string) => {
    const random = createSeededRandom('seed', label);
    return Array.from({ length: 20 }, () => random.below(1_000_000));
  };
  expect(draw('a')).toEqual(draw('a'));
  expect(draw('a')).not.toEqual(draw('b'));
});

test('numbers stay within their bounds and reach them', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 5 }), (seed, from, span) => {
      const random = createSeededRandom(seed);
      const drawn = new Set(Array.from({ length: 300 }, () => random.integer(from, from + span)));
      expect([...drawn].sort((left, right) => left - right)).toEqual(
        Array.from({ length: span + 1 }, (_, index) => from + index),
      );
    }),
    { numRuns: 30 },
  );
});

test('weights are followed, and 0 means never', () => {
  const random = createSeededRandom('weights');
  const counts = { often: 0, rarely: 0, never: 0 };
  for (let draw = 0; draw < 4000; draw++) counts[random.weighted({ often: 3, rarely: 1, never: 0 })] += 1;
  expect(counts.never).toBe(0);
  expect(counts.often / counts.rarely).toBeGreaterThan(2.5);
  expect(counts.often / counts.rarely).toBeLessThan(3.5);
});

test('a pair has two different members', () => {
  const random = createSeededRandom('pairs');
  for (let draw = 0; draw < 200; draw++) {
    const [first, second] = random.pair(['a', 'b', 'c'])!;
    expect(first).not.toBe(second);
  }
  expect(random.pair(['a'])).toBeUndefined();
});
