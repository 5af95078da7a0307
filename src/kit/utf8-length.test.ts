import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utf8Length } from './utf8-length.ts';

it('is that of the encoded text, whatever it is', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
      const text = String.fromCharCode(...units);
      expect(utf8Length(text)).toBe(Buffer.from(text).length);
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
    expect(utf8Length(text)).toBe(Buffer.from(text).length);
    expect(utf8Length(`${text}a`)).toBe(Buffer.from(`${text}a`).length);
  }
});
