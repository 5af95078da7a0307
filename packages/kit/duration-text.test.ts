import { expect, test } from 'vitest';
import { formatDuration } from './duration-text.ts';

test.each([
  [-5, '0.0 s'],
  [1500, '1.5 s'],
  [180_000, '3 min'],
  [7_200_000, '2 h'],
  [180_000_000, '2 d'],
])('%d ms reads as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
