// Conditions on consensus timestamps as one range with its exact values taken in and out (reference: rest §0.7).
import { type TimestampConditions, withinClock } from '../../ledger/timestamp-conditions.ts';
import type { TimestampCondition } from './parameter-readers.ts';

/** Any mixture of operators; the tightest bounds win. */
export function toTimestampConditions(conditions: readonly TimestampCondition[]): TimestampConditions {
  let from: bigint | null = null;
  let to: bigint | null = null;
  const equals = new Set<bigint>();
  const notEquals = new Set<bigint>();
  for (const { operator, timestamp } of conditions) {
    if (operator === 'eq') equals.add(withinClock(timestamp));
    if (operator === 'ne') notEquals.add(withinClock(timestamp));
    if (operator === 'gt' || operator === 'gte') {
      const bound = operator === 'gt' ? timestamp + 1n : timestamp;
      if (from === null || bound > from) from = bound;
    }
    if (operator === 'lt' || operator === 'lte') {
      const bound = operator === 'lt' ? timestamp - 1n : timestamp;
      if (to === null || bound < to) to = bound;
    }
  }
  const range = { from, to, equals: [...equals], notEquals: [...notEquals] };
  if (isEmptyRange(range)) return range;
  return { ...range, from: from === null ? null : withinClock(from), to: to === null ? null : withinClock(to) };
}

/** Such a range is not to be asked for: it may lie beyond the ledger's clock. */
export function isEmptyRange({ from, to }: TimestampConditions): boolean {
  return from !== null && to !== null && from > to;
}

export type BoundRange = {
  conditions: TimestampConditions;
  /** Where the search was cut off: what lies beyond is reached through the next link. null = not cut. */
  cut: bigint | null;
};

/** Closes open ends with `first` and `now`, then keeps the newest (desc) or oldest (asc) `longest` ns. */
export function bindTimestampRange(
  conditions: TimestampConditions,
  { order, first, now, longest }: { order: 'asc' | 'desc'; first: bigint; now: bigint; longest: bigint },
): BoundRange {
  if (conditions.equals.length > 0) return { conditions, cut: null };
  const from = conditions.from ?? first;
  const to = conditions.to ?? now;
  if (to - from + 1n <= longest) return { conditions: { ...conditions, from, to }, cut: null };
  if (order === 'desc') {
    const cut = to - longest + 1n;
    return { conditions: { ...conditions, from: cut, to }, cut };
  }
  const cut = from + longest - 1n;
  return { conditions: { ...conditions, from, to: cut }, cut };
}
