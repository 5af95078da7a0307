// Conditions on a consensus timestamp in the form that every question takes them: bounds inclusive, in ns.

export type TimestampConditions = {
  /** Inclusive; null = open. */
  from: bigint | null;
  /** Inclusive; null = open. */
  to: bigint | null;
  /** Distinct `eq` values, in first-seen order. */
  equals: bigint[];
  /** Distinct `ne` values, in first-seen order. */
  notEquals: bigint[];
};

export const anyTimestamp: TimestampConditions = { from: null, to: null, equals: [], notEquals: [] };
