import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, toRange } from '../../../packages/kit/range.ts';
import type { VersionFilter } from '../../../packages/store/read/statement/statement-parts.ts';
import { toMomentFilter, toVersionFilter } from './version-filter.ts';

type Version = { from: bigint; to: bigint | null };
const moment = fc.bigInt({ min: 0n, max: 12n });
const version: fc.Arbitrary<Version> = fc
  .tuple(moment, fc.bigInt({ min: 1n, max: 6n }), fc.boolean())
  .map(([from, length, isOpen]) => ({ from, to: isOpen ? null : from + length }));

const contains = ({ from, to }: Version, at: bigint) => from <= at && (to === null || to > at);
/** Whether some moment of the version lies in [first, last]. */
const meets = (valid: Version, first: bigint, last: bigint) => {
  for (let at = first; at <= last; at++) if (contains(valid, at)) return true;
  return false;
};
const accepts = (filter: ReturnType<typeof toVersionFilter>, valid: Version) =>
  valid.from <= filter.to &&
  (valid.to === null || valid.to > filter.from) &&
  !filter.notContaining.some((at) => contains(valid, at));

/** As the statement says it: a version of n moments has more than those that are left out. */
const acceptsMoments = (filter: VersionFilter, valid: Version) =>
  accepts(filter, valid) &&
  (valid.to === null || valid.to - valid.from > BigInt(filter.except.filter((at) => contains(valid, at)).length));

/** Beyond every moment used here. */
const end = 30n;

describe('conditions one by one', () => {
  it('stays within int64', () => {
    const beyond = 9_999_999_999_000_000_000n;
    const conditions = (['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const).map((operator) => ({
      operator,
      value: beyond,
    }));
    const end = 2n ** 63n - 1n;
    expect(toVersionFilter(toRange(conditions))).toEqual({ from: end, to: end, notContaining: [end], except: [] });
  });

  it('means that every condition on its own meets the validity', () => {
    const condition = fc.record({
      operator: fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte'),
      value: moment,
    }) as fc.Arbitrary<Condition>;
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 4 }), version, (conditions, valid) => {
        const expected = conditions.every(({ operator, value: timestamp }) => {
          if (operator === 'lt') return meets(valid, 0n, timestamp - 1n);
          if (operator === 'gt') return meets(valid, timestamp + 1n, end);
          if (operator === 'gte') return meets(valid, timestamp, end);
          if (operator === 'ne') return !contains(valid, timestamp);
          return meets(valid, 0n, timestamp);
        });
        expect(accepts(toVersionFilter(toRange(conditions)), valid)).toBe(expected);
      }),
    );
  });
});

describe('a range that leaves out moments', () => {
  it('means: valid at a moment of the span, begun by every eq, that no ne names', () => {
    const condition = fc.record({
      operator: fc.constantFrom('eq', 'ne', 'ne', 'ne', 'lt', 'lte', 'gt', 'gte'),
      value: moment,
    }) as fc.Arbitrary<Condition>;
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 7 }), version, (conditions, valid) => {
        const { from, to, equals, notEquals } = toRange(conditions);
        const last = [to ?? end, ...equals].reduce((least, bound) => (bound < least ? bound : least));
        let expected = false;
        for (let at = from ?? 0n; at <= last; at++) expected ||= contains(valid, at) && !notEquals.includes(at);
        const filter = toMomentFilter(toRange(conditions));
        expect(filter !== null && acceptsMoments(filter, valid)).toBe(expected);
        if (filter) expect(filter.except.every((at) => at > filter.from && at < filter.to)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('stays within int64', () => {
    const beyond = 9_999_999_999_000_000_000n;
    const last = 2n ** 63n - 1n;
    const range = toRange([
      { operator: 'gt', value: beyond },
      { operator: 'ne', value: beyond },
    ]);
    expect(toMomentFilter(range)).toEqual({ from: last, to: last, notContaining: [], except: [] });
  });
});

describe('a range', () => {
  it('means: overlaps the range, began by every eq, was not valid at any ne', () => {
    fc.assert(
      fc.property(
        fc.option(moment),
        fc.option(moment),
        fc.array(moment, { maxLength: 2 }),
        fc.array(moment, { maxLength: 2 }),
        version,
        (from, to, equals, notEquals, valid) => {
          fc.pre(from === null || to === null || from <= to);
          const expected =
            meets(valid, from ?? 0n, to ?? end) &&
            equals.every((at) => meets(valid, 0n, at)) &&
            !notEquals.some((at) => contains(valid, at));
          expect(accepts(toVersionFilter({ from, to, equals, notEquals }), valid)).toBe(expected);
        },
      ),
    );
  });
});
