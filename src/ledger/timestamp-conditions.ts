// Conditions on a consensus timestamp in the form that every question takes them: bounds inclusive, in ns.
import { latestMoment } from '../store/read/statement-parts.ts';

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

/** @fixture */
export const anyTimestamp: TimestampConditions = { from: null, to: null, equals: [], notEquals: [] };

/** Requests can name moments up to 9999999999 s; the ledger's clock, int64 ns, ends before that. */
export function withinClock(ns: bigint): bigint {
  return ns < latestMoment ? ns : latestMoment;
}
