import { expect, test } from 'vitest';
import { settingsTable } from './settings-table.ts';

const { keep, from, until, include } = settingsTable;
const hour = 3_600_000_000_000n;

test.each([
  ['36h', 36n * hour],
  ['7d', 7n * 24n * hour],
  ['12w', 12n * 7n * 24n * hour],
])('%s is a duration', (text, ns) => {
  expect(keep.parse(text)).toBe(ns);
});

test.each([
  ['a duration', keep, ['', '7', '0d', '-1d', '1.5d', '7 d', '7m', '100000d'], 'such as 36h, 7d'],
  ['a start', from, ['', 'yesterday', '2026-02-30'], 'genesis, now, a block number'],
  ['an end', until, ['', 'now', 'genesis'], 'a block number, seconds with a point'],
  ['a filter', include, ['', '0.0.x', 'TRANSFER'], 'entity ids and names of transaction types'],
])('what is not %s is refused with what is', (_name, setting, texts, says) => {
  for (const text of texts) expect(() => setting.parse(text)).toThrow(says);
});
