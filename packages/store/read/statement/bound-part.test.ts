import { expect, it } from 'vitest';
import { toBoundPart } from './bound-part.ts';

const largest = 2n ** 63n - 1n;

it.each<[Parameters<typeof toBoundPart>[0], bigint[], string, bigint[]]>([
  ['from', [3n, 4n], ' and (a, b) >= ($1::int8, $2::int8)', [3n, 4n]],
  ['to', [3n], ' and a <= $1::int8', [3n]],
  ['from', [3n, largest + 1n], ' and a > $1::int8', [3n]],
  ['to', [3n, largest + 1n], ' and a <= $1::int8', [3n]],
  ['from', [3n, -largest - 2n], ' and a >= $1::int8', [3n]],
  ['to', [3n, -largest - 2n], ' and a < $1::int8', [3n]],
  ['from', [largest + 1n, 1n], ' and false', []],
  ['to', [largest + 1n, 1n], '', []],
  ['from', [largest, largest], ' and (a, b) >= ($1::int8, $2::int8)', [largest, largest]],
])('case %#: %s', (side, bounds, sql, expected) => {
  const values: unknown[] = [];
  expect(toBoundPart(side, bounds, values).sql(['a', 'b'])).toBe(sql);
  expect(values).toEqual(expected);
});
