// Conditions on one ordered key as one range: inclusive bounds, with exact values included and excluded.

export type Operator = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';

export type Condition = { operator: Operator; value: bigint };

export type Range = {
  /** Inclusive; null = open. */
  from: bigint | null;
  /** Inclusive; null = open. */
  to: bigint | null;
  /** Distinct `eq` values, in first-seen order. The caller decides whether they are alternatives or must all hold. */
  equals: readonly bigint[];
  /** Distinct `ne` values, in first-seen order. */
  notEquals: readonly bigint[];
  /** Nothing lies in it, whatever the bounds. Never made from conditions, even if they leave nothing. */
  isNothing?: true;
};

export const anyRange: Range = { from: null, to: null, equals: [], notEquals: [] };

/** Nothing lies in it; its bounds show that too. */
export const emptyRange: Range = { from: 1n, to: 0n, equals: [], notEquals: [], isNothing: true };

/** Any mixture of operators; the tightest bounds win. */
export function toRange(conditions: readonly Condition[]): Range {
  if (conditions.length === 0) return anyRange;
  let from: bigint | null = null;
  let to: bigint | null = null;
  const equals = new Set<bigint>();
  const notEquals = new Set<bigint>();
  for (const { operator, value } of conditions) {
    if (operator === 'eq') equals.add(value);
    else if (operator === 'ne') notEquals.add(value);
    else if (operator === 'gt' || operator === 'gte') {
      const bound = operator === 'gt' ? value + 1n : value;
      if (from === null || bound > from) from = bound;
    } else {
      const bound = operator === 'lt' ? value - 1n : value;
      if (to === null || bound < to) to = bound;
    }
  }
  return { from, to, equals: [...equals], notEquals: [...notEquals] };
}

/** Whether the bounds leave nothing between them. */
export function isEmptyRange({ from, to }: Range): boolean {
  return from !== null && to !== null && from > to;
}

/** Whether a client's bounds cross, which is a mistake; an empty range from a lookup is none. */
export function hasCrossedBounds(range: Range): boolean {
  return !range.isNothing && isEmptyRange(range);
}

/** Whether there is no condition at all. */
export function isAnyRange({ from, to, equals, notEquals }: Range): boolean {
  return from === null && to === null && equals.length === 0 && notEquals.length === 0;
}

/** The range restricted to what a column can hold, from `min` to `max`. Exact values are alternatives. */
export function clampRange(range: Range, { min, max }: { min: bigint; max: bigint }): Range {
  const { from, to } = range;
  const isWithin = (value: bigint): boolean => value >= min && value <= max;
  const equals = range.equals.filter(isWithin);
  const isBeyond = (from !== null && from > max) || (to !== null && to < min);
  if (isBeyond || isEmptyRange(range) || (equals.length === 0 && range.equals.length > 0)) return emptyRange;
  return {
    from: from !== null && from < min ? min : from,
    to: to !== null && to > max ? max : to,
    equals,
    notEquals: range.notEquals.filter(isWithin),
  };
}

/** Whether a key after `last` in this order can meet the conditions. */
export function canFollow(range: Range, last: bigint, order: 'asc' | 'desc'): boolean {
  const from = order === 'asc' ? last + 1n : range.from;
  const to = order === 'asc' ? range.to : last - 1n;
  if (from !== null && to !== null && from > to) return false;
  const within = (value: bigint): boolean => (from === null || value >= from) && (to === null || value <= to);
  return range.equals.length === 0 || range.equals.some(within);
}

/**
 * For a query in which every condition must hold: two exact values leave nothing, and bounds that leave one value
 * become that value.
 */
export function everyCondition({ from, to, equals, notEquals }: Range): Range {
  let [low, high] = [from, to];
  for (const value of equals) {
    if (low === null || value > low) low = value;
    if (high === null || value < high) high = value;
  }
  if (low !== null && low === high) return { from: null, to: null, equals: [low], notEquals };
  return { from: low, to: high, equals: [], notEquals };
}
