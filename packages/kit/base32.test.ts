import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase32, encodeBase32 } from './base32.ts';

describe('base32', () => {
  it('gives back what it was given', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        expect(decodeBase32(encodeBase32(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each([
    ['', ''],
    ['66', 'MY'],
    ['666f', 'MZXQ'],
    ['666f6f', 'MZXW6'],
    ['666f6f62', 'MZXW6YQ'],
    ['666f6f6261', 'MZXW6YTB'],
    ['666f6f626172', 'MZXW6YTBOI'],
  ])('knows the vectors of RFC 4648: %s', (hex, text) => {
    expect(encodeBase32(Buffer.from(hex, 'hex'))).toBe(text);
    expect(decodeBase32(text)?.toString('hex')).toBe(hex);
  });

  it.each(['A', 'AAA', 'AAAAAA', 'MZ', 'my', 'M1', 'MZXW6YR'])('refuses %s', (text) => {
    expect(decodeBase32(text)).toBeNull();
  });
});
