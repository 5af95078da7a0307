// Conditions of a request as a filter on the validity of versions: a version counts when its validity meets the span,
// which is the same for "overlaps" whether conditions come as bounds, as single moments or as both. `eq` reads "began at
// or before", `ne` reads "was not valid then".
import type { Range } from '../kit/range.ts';
import type { VersionFilter } from '../store/read/statement-parts.ts';
import { latestMoment } from '../store/read/statement-parts.ts';
import { momentWithinClock } from './within-clock.ts';

export function toVersionFilter(range: Range): VersionFilter {
  return {
    from: momentWithinClock(range.from ?? 0n),
    to: upperBound(range),
    notContaining: range.notEquals.map(momentWithinClock),
  };
}

/** The latest moment that the bounds and every `eq` leave open; ns. */
export function upperBound({ to, equals }: Range): bigint {
  let bound = latestMoment;
  if (to !== null && to < bound) bound = to;
  for (const moment of equals) if (moment < bound) bound = moment;
  return bound;
}
