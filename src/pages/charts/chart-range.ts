// The time that charts show: chosen in the query, up to the newest day with blocks.
import { refuse } from '../../../packages/web-server/request-error.ts';
import { type CountedDays, type DaySpans, dayNs } from '../../ledger/days/create-days.ts';
import { formatDay } from '../parts/times.ts';

type Range = { name: string; text: string /** null = all. */; days: number | null };

/** The first one is shown without a choice. */
export const ranges = [
  { name: 'month', text: '30 days', days: 30 },
  { name: 'year', text: 'A year', days: 364 },
  { name: 'all', text: 'All', days: null },
] as const satisfies readonly Range[];

/** Throws RequestError. */
export function readRange(queryText: string): Range {
  const query = new URLSearchParams(queryText);
  const unknown = [...query.keys()].find((name) => name !== 'range');
  if (unknown !== undefined) throw refuse('unknownParameter', { name: unknown.slice(0, 100) });
  const asked = query.getAll('range');
  const found = ranges.find(({ name }) => name === (asked[0] ?? ranges[0].name));
  if (!found || asked.length > 1) throw refuse('invalidParameter', { name: 'range' });
  return found;
}

/** A picture has no more spans than this, which is two years of weeks. */
const maxSpans = 104;
const daysOfWeek = 7;
/** As many are shown one by one. */
const maxSingleDays = 60;

/**
 * Days one by one, or in weeks and their multiples. These end before the newest day, which is not over: an average of
 * them would sink.
 */
export function toSpans({ days }: Range, { first, last }: CountedDays): DaySpans {
  const begin = days === null ? first : Math.max(first, last - days + 1);
  if (last - begin < maxSingleDays) return { from: begin, until: last + 1, step: 1 };
  const step = daysOfWeek * Math.ceil((last - begin) / (daysOfWeek * maxSpans));
  const count = Math.floor((last - begin) / step);
  return { from: last - count * step, until: last, step };
}

export function describeStep({ step }: DaySpans): string {
  if (step === 1) return 'day by day';
  return step === daysOfWeek ? 'week by week' : `in spans of ${step / daysOfWeek} weeks`;
}

export const startOf = (day: number): bigint => BigInt(day) * dayNs;

/** Days are of UTC, whatever the reader's clock says. */
export const days = { head: 'Day', show: formatDay };
export const spans = { head: 'From', show: formatDay };
