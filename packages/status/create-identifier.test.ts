import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdentifier } from './create-identifier.ts';

test('ids are twelve digits and consonants, the same for the same text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(createIdentifier(a)).toMatch(/^[0-9bcdfghj-np-tv-z]{12}$/);
      expect(createIdentifier(a) === createIdentifier(b)).toBe(a === b);
    }),
  );
});

test('ids that clients may have written down never change', () => {
  expect(createIdentifier('component/testnet/api')).toBe('1bpxqh21znk8');
});
