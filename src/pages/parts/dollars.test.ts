import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDollars, rateAt, toDollars } from './dollars.ts';

const rate = { centEquivalent: 12, hbarEquivalent: 1, expirationTime: 100n };

describe('hbar in dollars', () => {
  it.each([
    [100_000_000n, '$0.12'],
    [1_000_000_000n, '$1.20'],
    [123_456_789_012_345_678n, '$148,148,146.81'],
    [-1_000_000_000n, '−$1.20'],
    [1n, '$0'],
    [500n, '$0.000001'],
    [0n, '$0'],
  ])('%s tinybar are %s at 12 cents', (tinybar, expected) =>
    expect(formatDollars(toDollars(tinybar, rate))).toBe(expected),
  );

  it('are within half a millionth of the exact value, and lose their sign only with it', () => {
    const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const part = fc.integer({ min: 1, max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(amount, part, part, (tinybar, centEquivalent, hbarEquivalent) => {
        const dollars = toDollars(tinybar, { centEquivalent, hbarEquivalent, expirationTime: 0n });
        const exact = tinybar * BigInt(centEquivalent);
        const by = BigInt(hbarEquivalent) * 10_000n;
        const error = dollars * by - exact;
        expect((error < 0n ? -error : error) * 2n <= by).toBe(true);
        expect(toDollars(-tinybar, { centEquivalent, hbarEquivalent, expirationTime: 0n })).toBe(-dollars);
      }),
    );
  });

  it('follow the rate that is in force', () => {
    const next = { centEquivalent: 13, hbarEquivalent: 1, expirationTime: 200n };
    const file = { currentRate: rate, nextRate: next, timestamp: 0n };
    expect(rateAt(file, 99_999_999_999n)).toBe(rate);
    expect(rateAt(file, 100_000_000_000n)).toBe(next);
    expect(rateAt({ ...file, currentRate: { ...rate, hbarEquivalent: 0 } }, 0n)).toBeNull();
  });
});
