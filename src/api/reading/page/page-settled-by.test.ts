import { expect, it } from 'vitest';
import { anyRange } from '../../../../packages/kit/range.ts';
import { pageSettledBy } from './page-settled-by.ts';

const full = { items: [3n, 5n], next: 5n };
const short = { items: [3n, 5n], next: null };

it.each([
  ['a full page of the oldest', {}, 'asc', full, 5n],
  ['a full page of the oldest within bounds', { to: 9n }, 'asc', full, 5n],
  ['a full page of the newest', {}, 'desc', full, null],
  ['the newest up to a time', { to: 9n }, 'desc', full, 9n],
  ['all up to now', {}, 'asc', short, null],
  ['all up to a time', { to: 9n }, 'asc', short, 9n],
  ['all since a time', { from: 2n }, 'asc', short, null],
  ['exact times', { equals: [3n, 5n] }, 'desc', short, 5n],
  ['exact times within bounds', { equals: [3n, 50n], to: 9n }, 'desc', short, 9n],
  ['exact times before a bound', { equals: [3n], to: 9n }, 'desc', short, 3n],
  ['all but a time', { notEquals: [3n] }, 'desc', full, null],
  ['nothing', {}, 'asc', { items: [], next: null }, null],
] as const)('%s', (_case, conditions, order, page, expected) => {
  expect(pageSettledBy({ timestamp: { ...anyRange, ...conditions }, order }, page, (time) => time)).toBe(expected);
});
