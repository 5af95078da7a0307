import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Operator, toRange } from '../../kit/range.ts';
import { toIdFilter } from './create-schedules.ts';

const tests: Record<Operator, (id: bigint, other: bigint) => boolean> = {
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
      operator: fc.constantFrom(...(Object.keys(tests) as Operator[])),
      value: id,
    });
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 4 }), id, (conditions, candidate) => {
        const filter = toIdFilter(toRange(conditions));
        const accepted =
          filter !== null &&
          (filter.equals === null || candidate === filter.equals) &&
          (filter.from === null || candidate >= filter.from) &&
          (filter.to === null || candidate <= filter.to) &&
          !filter.notEquals.includes(candidate);
        expect(accepted).toBe(conditions.every(({ operator, value: other }) => tests[operator](candidate, other)));
      }),
    );
  });

  it('finds nothing beyond the ends of int64', () => {
    expect(toIdFilter(toRange([{ operator: 'gt', value: 2n ** 63n - 1n }]))).toBeNull();
    expect(toIdFilter(toRange([{ operator: 'lt', value: -(2n ** 63n) }]))).toBeNull();
  });
});
