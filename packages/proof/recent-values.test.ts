import { expect, test } from 'vitest';
import { createRecentValues } from './recent-values.ts';

test('the value that was used the longest time ago goes first', () => {
  const values = createRecentValues<number>(2);
  values.keep('one', 1);
  values.keep('two', 2);
  expect(values.find('one')).toBe(1);
  expect(values.keep('three', 3)).toBe(3);
  expect(['one', 'two', 'three'].map((key) => values.find(key))).toEqual([1, undefined, 3]);
});
