import { expect, it } from 'vitest';
import { createBackOff } from './back-off.ts';

it('doubles up to the longest delay, and starts over after a reset', () => {
  const delays = createBackOff(50, 300);
  expect([1, 2, 3, 4, 5].map(() => delays.next())).toEqual([50, 100, 200, 300, 300]);
  delays.reset();
  expect([delays.next(), delays.next()]).toEqual([50, 100]);
});
