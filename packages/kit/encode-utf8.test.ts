import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeUtf8 } from './encode-utf8.ts';

it('encodes any text', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
      const text = String.fromCharCode(...units);
      expect(encodeUtf8(text)).toEqual(Buffer.from(text));
    }),
  );
});

it.each([
  ['ASCII', 'a'],
  ['two bytes', 'é'],
  ['three bytes', '漢'],
  ['two units', '🚀'],
  ['a lone surrogate', '\ud83d'],
])('is right however long the text is: %s', (_name, character) => {
  for (const length of [0, 1, 1_000, 70_000, 262_143, 262_144, 262_145, 600_000]) {
    const text = character.repeat(length);
    expect(encodeUtf8(text).equals(Buffer.from(text))).toBe(true);
    expect(encodeUtf8(`${text}a`).equals(Buffer.from(`${text}a`))).toBe(true);
  }
});
