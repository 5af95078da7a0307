// How often something happens, and what an hbar is worth.
import { formatCount, formatFraction } from './amounts.ts';

/** Of `count` in `nanoseconds` of more than zero: `0.37`, `10.25`, `1,234`. */
export function formatPerSecond(count: bigint, nanoseconds: bigint): string {
  const hundredths = (count * 100_000_000_000n) / nanoseconds;
  return hundredths >= 100_000n ? formatCount(hundredths / 100n) : formatFraction(hundredths, 2);
}

/** US dollars of one hbar. */
export function formatDollars(rate: { centEquivalent: number; hbarEquivalent: number }): string {
  return formatFraction((BigInt(rate.centEquivalent) * 1_000_000n) / (BigInt(rate.hbarEquivalent) * 100n), 6);
}
