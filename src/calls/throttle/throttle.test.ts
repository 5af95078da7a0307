import { expect, it } from 'vitest';
import { createThrottle } from './throttle.ts';

const limits = { requestsPerSecond: 3, gasPerSecond: 100_000 };

it('lets as many requests through as a second has, and refills steadily', () => {
  let now = 0;
  const throttle = createThrottle(limits, () => now);
  expect([1, 2, 3, 4].map(() => throttle.enter('a', 0))).toEqual([null, null, null, 'requests']);
  now = 334;
  expect([throttle.enter('a', 0), throttle.enter('a', 0)]).toEqual([null, 'requests']);
  now = 60_000;
  expect([1, 2, 3, 4].map(() => throttle.enter('a', 0))).toEqual([null, null, null, 'requests']);
});

it('counts gas in units of 10,000, and takes back what was not used', () => {
  const throttle = createThrottle({ ...limits, requestsPerSecond: 100 }, () => 0);
  expect(throttle.enter('a', 99_999)).toBe(null);
  expect(throttle.enter('a', 9999)).toBe(null);
  expect(throttle.enter('a', 10_000)).toBe(null);
  expect(throttle.enter('a', 10_000)).toBe('gas');
  throttle.giveBack('a', 25_000);
  expect([throttle.enter('a', 20_000), throttle.enter('a', 10_000)]).toEqual([null, 'gas']);
});
