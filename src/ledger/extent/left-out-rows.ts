// Rows of one large application that the database does not have, because the set of files that it was filled from left
// them out.
import { monthBefore, monthOf } from '../../../packages/kit/months.ts';
import type { StoredLeftOutPart } from '../../../packages/store/transfer/left-out-parts.ts';

/** Of months that the database holds at all. `from`: its first moment, ns. */
export function keepHeld(parts: readonly StoredLeftOutPart[], from: bigint): StoredLeftOutPart[] {
  const first = monthOf(from);
  return parts.filter(({ month }) => month === '' || month >= first);
}

/** By table and month; null = nothing is left out. */
export function describeLeftOut(parts: readonly StoredLeftOutPart[]): string | null {
  if (parts.length === 0) return null;
  const spans = [...Map.groupBy(parts, ({ table }) => table)].map(([table, ofTable]) => ({
    table,
    months: spansOf(ofTable.map(({ month }) => month)),
  }));
  const places = [...Map.groupBy(spans, ({ months }) => months)].map(
    ([months, alike]) => `${alike.map(({ table }) => table).join(' and ')}${months}`,
  );
  const isKnown = parts.every(({ rows }) => rows !== null);
  const count = parts.reduce((sum, { rows }) => sum + (rows ?? 0n), 0n);
  const rows = isKnown ? `${count.toLocaleString('en-US')} rows` : 'rows';
  return `Of one large application ${rows} are left out, of ${places.join('; ')}. State is complete.`;
}

const shownSpans = 6;

/** ` in 2023-11 to 2024-02 and 2024-05`; empty of whole tables. */
function spansOf(months: readonly string[]): string {
  const spans: { first: string; last: string }[] = [];
  for (const month of months.filter((one) => one !== '')) {
    const last = spans.at(-1);
    if (last && monthBefore(month) === last.last) last.last = month;
    else spans.push({ first: month, last: month });
  }
  if (spans.length === 0) return '';
  const texts = spans.map(({ first, last }) => (first === last ? first : `${first} to ${last}`).replaceAll('_', '-'));
  const more = texts.length > shownSpans ? ` and ${texts.length - shownSpans} more spans of months` : '';
  return ` in ${texts.slice(0, shownSpans).join(', ')}${more}`;
}
