import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyRange,
  type Condition,
  canFollow,
  clampRange,
  emptyRange,
  everyCondition,
  isAnyRange,
  isEmptyRange,
  type Operator,
  type Range,
  toRange,
} from './range.ts';

const conditions = (...items: [Condition['operator'], bigint][]): Condition[] =>
  items.map(([operator, value]) => ({ operator, value }));

describe('conditions as a range', () => {
  it('keeps the tightest bounds, inclusive', () => {
    expect(toRange(conditions(['gt', 5n], ['gte', 6n], ['gte', 3n], ['lt', 20n], ['lte', 19n]))).toEqual({
      from: 6n,
      to: 19n,
      equals: [],
      notEquals: [],
    });
  });

  it('collects exact values once, in order', () => {
    expect(toRange(conditions(['eq', 7n], ['ne', 2n], ['eq', 5n], ['eq', 7n], ['ne', 2n]))).toEqual({
      from: null,
      to: null,
      equals: [7n, 5n],
      notEquals: [2n],
    });
  });

  it('of no conditions is any range', () => {
    expect(isAnyRange(toRange([]))).toBe(true);
    expect(isAnyRange(toRange(conditions(['ne', 1n])))).toBe(false);
  });

  it.each<[Parameters<typeof conditions>, boolean]>([
    [
      [
        ['gt', 5n],
        ['lt', 7n],
      ],
      false,
    ],
    [
      [
        ['gt', 5n],
        ['lt', 6n],
      ],
      true,
    ],
    [
      [
        ['gte', 5n],
        ['lte', 5n],
      ],
      false,
    ],
    [
      [
        ['gte', 5n],
        ['lt', 5n],
      ],
      true,
    ],
    [[['gte', 5n]], false],
    [[], false],
  ])('%#', (items, empty) => {
    expect(isEmptyRange(toRange(conditions(...items)))).toBe(empty);
  });
});

it('is brought within the ends of a column', () => {
  const column = { min: 0n, max: 10n };
  const range = toRange(conditions(['gte', 5n], ['lt', 99n], ['eq', 50n], ['eq', 60n], ['ne', 70n]));
  expect(clampRange({ ...range, equals: [50n, 7n] }, column)).toEqual({
    from: 5n,
    to: 10n,
    equals: [7n],
    notEquals: [],
  });
  expect(clampRange(range, column)).toBe(emptyRange);
  expect(clampRange(toRange(conditions(['gt', 99n], ['lt', 99n])), column)).toBe(emptyRange);
});

it('says whether a key can follow', () => {
  expect(canFollow(anyRange, 5n, 'asc')).toBe(true);
  expect(canFollow(toRange(conditions(['lte', 5n])), 5n, 'asc')).toBe(false);
  expect(canFollow(toRange(conditions(['gte', 5n])), 5n, 'desc')).toBe(false);
  expect(canFollow(toRange(conditions(['eq', 4n], ['eq', 6n])), 5n, 'desc')).toBe(true);
  expect(canFollow(toRange(conditions(['eq', 6n])), 5n, 'desc')).toBe(false);
});

it.each<[string, Condition[], Range]>([
  ['an exact value', [{ operator: 'eq', value: 3n }], { ...anyRange, equals: [3n] }],
  [
    'bounds that meet',
    [
      { operator: 'gte', value: 3n },
      { operator: 'lt', value: 4n },
    ],
    { ...anyRange, equals: [3n] },
  ],
  [
    'an exact value within bounds',
    [
      { operator: 'gte', value: 1n },
      { operator: 'eq', value: 3n },
      { operator: 'ne', value: 2n },
    ],
    { ...anyRange, equals: [3n], notEquals: [2n] },
  ],
  [
    'two exact values',
    [
      { operator: 'eq', value: 3n },
      { operator: 'eq', value: 4n },
    ],
    { ...anyRange, from: 4n, to: 3n },
  ],
])('every condition holds: %s', (_name, conditions, expected) => {
  expect(everyCondition(toRange(conditions))).toEqual(expected);
});

const holds: Record<Operator, (key: bigint, value: bigint) => boolean> = {
  eq: (key, value) => key === value,
  ne: (key, value) => key !== value,
  lt: (key, value) => key < value,
  lte: (key, value) => key <= value,
  gt: (key, value) => key > value,
  gte: (key, value) => key >= value,
};

it('every condition holds for exactly the keys that the range takes', () => {
  const key = fc.bigInt({ min: 0n, max: 6n });
  const condition = fc.record({ operator: fc.constantFrom(...(Object.keys(holds) as Operator[])), value: key });
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 4 }), key, (given, candidate) => {
      const { from, to, equals, notEquals } = everyCondition(toRange(given));
      const isTaken =
        (equals.length === 0 || equals.includes(candidate)) &&
        (from === null || candidate >= from) &&
        (to === null || candidate <= to) &&
        !notEquals.includes(candidate);
      expect(isTaken).toBe(given.every(({ operator, value }) => holds[operator](candidate, value)));
    }),
  );
});

it('takes the same keys of a column after it is brought within its ends', () => {
  const column = { min: 2n, max: 4n };
  const key = fc.bigInt({ min: 0n, max: 6n });
  const condition = fc.record({ operator: fc.constantFrom(...(Object.keys(holds) as Operator[])), value: key });
  const isTaken = ({ from, to, equals, notEquals }: Range, candidate: bigint): boolean =>
    (equals.length === 0 || equals.includes(candidate)) &&
    (from === null || candidate >= from) &&
    (to === null || candidate <= to) &&
    !notEquals.includes(candidate);
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 4 }), fc.bigInt(column), (given, candidate) => {
      const range = toRange(given);
      const clamped = clampRange(range, column);
      expect(isTaken(clamped, candidate)).toBe(isTaken(range, candidate));
      for (const value of [clamped.from, clamped.to, ...clamped.equals, ...clamped.notEquals]) {
        if (clamped !== emptyRange && value !== null) expect(value >= column.min && value <= column.max).toBe(true);
      }
    }),
  );
});
