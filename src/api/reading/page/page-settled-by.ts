// When a page by consensus time becomes final, for rows that are only ever added at the end.
import type { Range } from '../../../../packages/kit/range.ts';

type PageByTime<T> = { items: readonly T[]; next: unknown };

/** Consensus time, ns; null = later rows may be on the page. `toTime`: the time by which the page is ordered. */
export function pageSettledBy<T>(
  { timestamp, order }: { timestamp: Range; order: 'asc' | 'desc' },
  { items, next }: PageByTime<T>,
  toTime: (item: T) => bigint,
): bigint | null {
  const last = items.at(-1);
  // A full page: later rows come after it.
  if (order === 'asc' && next !== null && last !== undefined) return toTime(last);
  const exact = timestamp.equals.reduce<bigint | null>((max, time) => (max === null || time > max ? time : max), null);
  const { to } = timestamp;
  if (to === null || exact === null) return to ?? exact;
  return to < exact ? to : exact;
}
