// The optional guard on open timestamp ranges (`--bind-timestamp-range`); off, it leaves every range as it is.
import type { TimestampConditions } from '../../ledger/timestamp-conditions.ts';
import type { RouteContext } from '../route.ts';
import { type BoundRange, bindTimestampRange } from './timestamp-range.ts';

export async function closeTimestampRange(
  conditions: TimestampConditions,
  order: 'asc' | 'desc',
  { ledger, settings }: RouteContext,
): Promise<BoundRange> {
  if (!settings.bindTimestampRange || conditions.equals.length > 0) return { conditions, cut: null };
  const first = await ledger.firstTransactionTimestamp();
  if (first === null) return { conditions, cut: null };
  return bindTimestampRange(conditions, {
    order,
    first,
    now: settings.clock(),
    longest: settings.maxTransactionsTimestampRange,
  });
}
