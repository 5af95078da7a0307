// The optional limit on open timestamp ranges (`--bind-timestamp-range`); off, it leaves every range unchanged.
import type { Range } from '../../../../packages/kit/range.ts';
import type { RouteContext } from '../query/context.ts';
import type { Order } from './page.ts';

export type BoundRange = {
  range: Range;
  /** Where the search was cut off: later rows are reached through the next link. null = not cut. */
  cut: bigint | null;
};

export async function closeTimestampRange(
  range: Range,
  order: Order,
  { ledger, settings }: RouteContext,
): Promise<BoundRange> {
  if (!settings.bindTimestampRange || range.equals.length > 0) return { range, cut: null };
  const first = await ledger.transactions.firstTimestamp();
  if (first === null) return { range, cut: null };
  return bindTimestampRange(range, {
    order,
    first,
    now: settings.clock(),
    longest: settings.maxTransactionsTimestampRange,
  });
}

/** Closes open ends with `first` and `now`, then keeps the newest (desc) or oldest (asc) `longest` ns. */
export function bindTimestampRange(
  range: Range,
  { order, first, now, longest }: { order: Order; first: bigint; now: bigint; longest: bigint },
): BoundRange {
  if (range.equals.length > 0) return { range, cut: null };
  const from = range.from ?? first;
  const to = range.to ?? now;
  if (to - from + 1n <= longest) return { range: { ...range, from, to }, cut: null };
  if (order === 'desc') {
    const cut = to - longest + 1n;
    return { range: { ...range, from: cut, to }, cut };
  }
  const cut = from + longest - 1n;
  return { range: { ...range, from, to: cut }, cut };
}
