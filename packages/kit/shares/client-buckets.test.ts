import { expect, test } from 'vitest';
import { createClientBuckets } from './client-buckets.ts';

test('a client has its rate, and all together have theirs', () => {
  const time = { now: 0 };
  const buckets = createClientBuckets({ perClient: 2, all: 5, clock: () => time.now });
  expect([1, 2, 3].map(() => buckets.take('a', 1)?.by ?? null)).toEqual([null, null, 'client']);
  expect([1, 2, 3].map(() => buckets.take('b', 1)?.by ?? null)).toEqual([null, null, 'client']);
  expect(buckets.take('c', 1)).toBe(null);
  expect(buckets.take('c', 1)).toEqual({ by: 'all', retryAfterMs: 200 });
  time.now += 200;
  expect(buckets.take('c', 1)).toBe(null);
  expect(buckets.take('a', 1)).toEqual({ by: 'client', retryAfterMs: 300 });
});

test('what is refused takes nothing, and what comes back is there for the next', () => {
  const buckets = createClientBuckets({ perClient: 10, all: 12, clock: () => 0 });
  expect(buckets.take('a', 10)).toBe(null);
  expect(buckets.take('b', 3)).toMatchObject({ by: 'all' });
  expect(buckets.take('b', 2)).toBe(null);
  buckets.giveBack('a', 20);
  expect(buckets.take('a', 10)).toBe(null);
  expect(buckets.take('b', 2)).toBe(null);
});
