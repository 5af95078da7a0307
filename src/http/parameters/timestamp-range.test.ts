import { describe, expect, it } from 'vitest';
import type { TimestampCondition } from './parameter-readers.ts';
import { bindTimestampRange, isEmptyRange, toTimestampConditions } from './timestamp-range.ts';

const conditions = (...items: [TimestampCondition['operator'], bigint][]): TimestampCondition[] =>
  items.map(([operator, timestamp]) => ({ operator, timestamp }));

describe('conditions as a range', () => {
  it('keeps the tightest bounds, inclusive', () => {
    expect(toTimestampConditions(conditions(['gt', 5n], ['gte', 6n], ['gte', 3n], ['lt', 20n], ['lte', 19n]))).toEqual({
      from: 6n,
      to: 19n,
      equals: [],
      notEquals: [],
    });
  });

  it('collects exact values once, in order', () => {
    expect(toTimestampConditions(conditions(['eq', 7n], ['ne', 2n], ['eq', 5n], ['eq', 7n], ['ne', 2n]))).toEqual({
      from: null,
      to: null,
      equals: [7n, 5n],
      notEquals: [2n],
    });
  });

  it("what lies beyond the ledger's clock is its last moment", () => {
    const end = 2n ** 63n - 1n;
    const beyond = 9_999_999_999_000_000_000n;
    expect(toTimestampConditions(conditions(['gt', end]))).toMatchObject({ from: end, to: null });
    expect(toTimestampConditions(conditions(['gte', 5n], ['lt', beyond], ['eq', beyond], ['ne', beyond]))).toEqual({
      from: 5n,
      to: end,
      equals: [end],
      notEquals: [end],
    });
    expect(isEmptyRange(toTimestampConditions(conditions(['gt', beyond], ['lt', beyond])))).toBe(true);
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
    expect(isEmptyRange(toTimestampConditions(conditions(...items)))).toBe(empty);
  });
});

describe('bound ranges', () => {
  const world = { first: 100n, now: 1000n, longest: 50n };
  const open = toTimestampConditions([]);

  it('an open range is cut to the newest or the oldest part', () => {
    expect(bindTimestampRange(open, { ...world, order: 'desc' })).toEqual({
      conditions: { ...open, from: 951n, to: 1000n },
      cut: 951n,
    });
    expect(bindTimestampRange(open, { ...world, order: 'asc' })).toEqual({
      conditions: { ...open, from: 100n, to: 149n },
      cut: 149n,
    });
  });

  it('a short range only gets the end that it lacks', () => {
    const range = toTimestampConditions(conditions(['gte', 980n]));
    expect(bindTimestampRange(range, { ...world, order: 'desc' })).toEqual({
      conditions: { ...range, from: 980n, to: 1000n },
      cut: null,
    });
  });

  it('exact timestamps need no bounds', () => {
    const range = toTimestampConditions(conditions(['eq', 5n]));
    expect(bindTimestampRange(range, { ...world, order: 'desc' })).toEqual({ conditions: range, cut: null });
  });
});
