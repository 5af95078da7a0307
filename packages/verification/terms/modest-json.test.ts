import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseModestJson } from './modest-json.ts';

it('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(parseModestJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it('refuses what JSON.parse refuses', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', ' ') }), (text) => {
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        expect(() => parseModestJson(text)).toThrow(SyntaxError);
        return;
      }
      expect(parseModestJson(text)).toEqual(parsed);
    }),
  );
});

it.each([
  ['deep lists', '['.repeat(65)],
  ['deep objects', '{"a":'.repeat(65)],
  ['deep and well formed', `${'['.repeat(65)}${']'.repeat(65)}`],
])('%s are too deep', (_case, text) => {
  expect(() => parseModestJson(text)).toThrow('nested deeper than 64 levels');
});

it('brackets and commas in texts are not counted', () => {
  const text = JSON.stringify({ a: '[{,"\\'.repeat(1000), 'b\\"': '\\' });
  expect(parseModestJson(text, { maxDepth: 1, maxValues: 2 })).toEqual(JSON.parse(text));
});

it('counts values', () => {
  expect(() => parseModestJson('[1,2,3,4]', { maxValues: 3 })).toThrow('more than 3 values');
});
