// Conditions of a request as a filter on the validity of versions: a version counts if its validity overlaps the time
// span, whether conditions are bounds, single moments or both. `eq` means "began at or before". `ne` means "was not
// valid then", or excludes the moment from the span.
import type { Range } from '../../../packages/kit/range.ts';
import { latestMoment, type VersionFilter } from '../../../packages/store/read/statement/statement-parts.ts';
import { momentWithinClock } from './within-clock.ts';

export function toVersionFilter(range: Range): VersionFilter {
  return {
    from: momentWithinClock(range.from ?? 0n),
    to: upperBound(range),
    notContaining: range.notEquals.map(momentWithinClock),
    except: [],
  };
}

/** A version counts if it was valid at a moment of the span that no `ne` names. null = there is no such moment. */
export function toMomentFilter(range: Range): VersionFilter | null {
  const left = new Set(range.notEquals);
  let from = momentWithinClock(range.from ?? 0n);
  let to = upperBound(range);
  while (left.delete(from)) from += 1n;
  while (left.delete(to)) to -= 1n;
  if (from > to) return null;
  const except = [...left].filter((moment) => moment > from && moment < to);
  return { from, to, notContaining: [], except };
}

/** The latest moment that the bounds and every `eq` allow; ns. */
export function upperBound({ to, equals }: Range): bigint {
  let bound = latestMoment;
  if (to !== null && to < bound) bound = to;
  for (const moment of equals) if (moment < bound) bound = moment;
  return bound;
}
