// Conditions of a request as a filter on the validity of versions: a version counts when its validity meets the span,
// which is the same for "overlaps" whether conditions come as bounds, as single moments or as both.
import type { VersionFilter } from '../store/read/statement-parts.ts';
import { latestMoment } from '../store/read/statement-parts.ts';
import type { ContractQuery } from './contracts/contract.ts';
import { type TimestampConditions, withinClock } from './timestamp-conditions.ts';

/** For accounts: `eq` reads "began at or before", `ne` reads "was not valid then". */
export function toAccountVersionFilter(conditions: TimestampConditions): VersionFilter {
  return {
    from: conditions.from ?? 0n,
    to: upperBound(conditions),
    notContaining: conditions.notEquals,
  };
}

/** The latest moment that the bounds and every `eq` leave open; ns. */
export function upperBound(conditions: TimestampConditions): bigint {
  let to = conditions.to ?? latestMoment;
  for (const moment of conditions.equals) if (moment < to) to = moment;
  return to;
}

/** For contracts: every condition on its own has to meet the version's validity. */
export function toContractVersionFilter(conditions: ContractQuery['timestamp']): VersionFilter {
  let from = 0n;
  let to = latestMoment;
  const notContaining: bigint[] = [];
  for (const { operator, timestamp } of conditions) {
    if (operator === 'ne') notContaining.push(withinClock(timestamp));
    else if (operator === 'gt' || operator === 'gte') {
      const first = operator === 'gt' ? timestamp + 1n : timestamp;
      if (first > from) from = first;
    } else {
      const last = operator === 'lt' ? timestamp - 1n : timestamp;
      if (last < to) to = last;
    }
  }
  return { from: withinClock(from), to, notContaining };
}
