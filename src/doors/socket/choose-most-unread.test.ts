import { expect, test } from 'vitest';
import { chooseMostUnread } from './choose-most-unread.ts';

const sockets = (given: readonly [name: string, bytes: number][]) =>
  given.map(([name, bytes]) => ({ name, bytes, unread: () => bytes }));

test.each<[what: string, given: [string, number][], max: number, chosen: string[]]>([
  [
    'nothing is too much',
    [
      ['a', 50],
      ['b', 50],
    ],
    100,
    [],
  ],
  [
    'one with much',
    [
      ['a', 90],
      ['b', 20],
    ],
    100,
    ['a 90'],
  ],
  [
    'many with little each, of one client',
    [
      ['a', 30],
      ['a', 31],
      ['a', 29],
      ['b', 40],
    ],
    100,
    ['a 31'],
  ],
  [
    'the next client has most then',
    [
      ['a', 60],
      ['a', 10],
      ['b', 50],
      ['b', 5],
    ],
    60,
    ['a 60', 'b 50'],
  ],
  [
    'all of a client',
    [
      ['a', 70],
      ['a', 70],
      ['b', 1],
    ],
    1,
    ['a 70', 'a 70'],
  ],
])('%s', (_what, given, max, chosen) => {
  expect(chooseMostUnread(sockets(given), max).map(({ name, bytes }) => `${name} ${bytes}`)).toEqual(chosen);
});
