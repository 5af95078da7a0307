import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatHex, formatHexQuantity, toUnsignedInteger } from './hex-text.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

it.each([
  [null, '0x', '0x'],
  ['', '0x', '0x'],
  ['00', '0x00', '0x0'],
  ['01', '0x01', '0x1'],
  ['0128', '0x0128', '0x128'],
  ['0000', '0x0000', '0x000'],
  ['1280', '0x1280', '0x1280'],
])('%s', (hex, plain, quantity) => {
  const value = hex === null ? null : bytes(hex);
  expect(formatHex(value)).toBe(plain);
  expect(formatHexQuantity(value)).toBe(quantity);
});

it('reads bytes as unsigned', () => {
  expect(toUnsignedInteger(bytes(''))).toBe(0n);
  expect(toUnsignedInteger(bytes('8ac7230489e80000'))).toBe(10_000_000_000_000_000_000n);
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n }), (value) => {
      const hex = value.toString(16);
      expect(toUnsignedInteger(bytes(hex.padStart(hex.length + (hex.length % 2), '0')))).toBe(value);
    }),
  );
});
