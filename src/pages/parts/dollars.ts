// What hbar is worth in US dollars, by the rate that the network itself has written down.
import type { ExchangeRate, Rate } from '../../ledger/network/network.ts';
import { formatFraction } from './amounts.ts';

/** Digits behind the point of values that are computed here: a millionth of a dollar. */
export const dollarDigits = 6;

const nsPerSecond = 1_000_000_000n;

/** The rate that is in force at a moment, ns; null = the file has none that can be used. */
export function rateAt({ currentRate, nextRate }: ExchangeRate, moment: bigint): Rate | null {
  const rate = moment >= currentRate.expirationTime * nsPerSecond ? nextRate : currentRate;
  return rate.hbarEquivalent > 0 && rate.centEquivalent > 0 ? rate : null;
}

/** Millionths of a dollar, to the nearest; half away from zero. */
export function toDollars(tinybar: bigint, { centEquivalent, hbarEquivalent }: Rate): bigint {
  return divideRounded(tinybar * BigInt(centEquivalent), BigInt(hbarEquivalent) * 10_000n);
}

/** What one hbar is worth, in the same unit. */
export function dollarsPerHbar(rate: Rate): bigint {
  return toDollars(100_000_000n, rate);
}

/** `$1,234.56`; below a dollar with all its digits. */
export function formatDollars(dollars: bigint): string {
  const size = dollars < 0n ? -dollars : dollars;
  const sign = dollars < 0n ? '−' : '';
  if (size < 1_000_000n) return `${sign}$${formatFraction(size, dollarDigits)}`;
  const cents = divideRounded(size, 10_000n);
  const text = formatFraction(cents, 2);
  const [whole, rest = ''] = text.split('.');
  return `${sign}$${whole}.${rest.padEnd(2, '0')}`;
}

function divideRounded(value: bigint, by: bigint): bigint {
  const size = value < 0n ? -value : value;
  const rounded = (size * 2n + by) / (by * 2n);
  return value < 0n ? -rounded : rounded;
}
