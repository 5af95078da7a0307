import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IdCondition } from './schedule.ts';
import { toIdFilter } from './schedule-question.ts';

const tests: Record<IdCondition['operator'], (id: bigint, other: bigint) => boolean> = {
  eq: (id, other) => id === other,
  ne: (id, other) => id !== other,
  lt: (id, other) => id < other,
  lte: (id, other) => id <= other,
  gt: (id, other) => id > other,
  gte: (id, other) => id >= other,
};

describe('toIdFilter', () => {
  it('accepts exactly the ids that meet every condition', () => {
    const id = fc.bigInt({ min: 0n, max: 6n });
    const condition = fc.record({
      operator: fc.constantFrom(...(Object.keys(tests) as IdCondition['operator'][])),
      id,
    });
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 4 }), id, (conditions, candidate) => {
        const filter = toIdFilter(conditions);
        const accepted =
          filter !== null &&
          (filter.equals === null || candidate === filter.equals) &&
          (filter.from === null || candidate >= filter.from) &&
          (filter.to === null || candidate <= filter.to) &&
          !filter.notEquals.includes(candidate);
        expect(accepted).toBe(conditions.every(({ operator, id: other }) => tests[operator](candidate, other)));
      }),
    );
  });

  it('finds nothing beyond the ends of int64', () => {
    expect(toIdFilter([{ operator: 'gt', id: 2n ** 63n - 1n }])).toBeNull();
    expect(toIdFilter([{ operator: 'lt', id: -(2n ** 63n) }])).toBeNull();
  });
});
