import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from './indent-json.ts';

test('it writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(indentJson(text)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('no number is rounded', () => {
  expect(indentJson('{"a":4974459999533203655,"b":[1e400,0.10],"c":{},"d":[]}')).toBe(
    '{\n  "a": 4974459999533203655,\n  "b": [\n    1e400,\n    0.10\n  ],\n  "c": {},\n  "d": []\n}',
  );
});
