// Requests can name moments up to 9999999999 s; the ledger's clock, int64 ns, ends before that.
import { clampRange, type Range } from '../../../packages/kit/range.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';

/**
 * The same range of consensus timestamps, ns, with bounds limited to what the tables can hold. Exact times are
 * alternatives.
 */
export function withinClock(range: Range): Range {
  return clampRange(range, { min: -latestMoment - 1n, max: latestMoment });
}

/** ns; later moments become the end of the clock. */
export function momentWithinClock(ns: bigint): bigint {
  return ns < latestMoment ? ns : latestMoment;
}
