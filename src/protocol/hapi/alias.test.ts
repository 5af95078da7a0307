import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAlias, parseAlias } from './alias.ts';

describe('aliases as base32', () => {
  // Test vectors of RFC 4648, without their padding.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('"%s" is %s', (bytes, text) => {
    expect(formatAlias(Buffer.from(bytes))).toBe(text);
    expect(parseAlias(text).toString()).toBe(bytes);
  });

  it.each(['A', 'MZX', 'MZXW6Y', 'my', 'M1', 'MY======', 'MZ', 'AAAAAAAAA'])('refuses "%s"', (text) => {
    expect(() => parseAlias(text)).toThrow(RangeError);
  });

  it('comes back from its text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(parseAlias(formatAlias(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });
});
