import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from './parse-exact-json.ts';

describe('parseExactJson', () => {
  it.each([
    [null, null],
    ['null', null],
    ['1', 1n],
    ['-9223372036854775808', -9223372036854775808n],
    ['[1.5, 1e3, "2", true]', [1.5, 1000, '2', true]],
    ['{"a": [9007199254740993]}', { a: [9007199254740993n] }],
    ['[999999999999999, 1000000000000000, -0, 0]', [999999999999999n, 1000000000000000n, 0n, 0n]],
    [
      '{"a": {"b": [null, {}, [], [7], {"c": -7}]}, "1.5": 3}',
      { a: { b: [null, {}, [], [7n], { c: -7n }] }, '1.5': 3n },
    ],
    ['[1.0, 3]', [1, 3n]],
    ['[1E3, 3]', [1000, 3n]],
  ])('%s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it('gives members of every name as their own', () => {
    const parsed = parseExactJson('{"__proto__": 5, "constructor": {"__proto__": [6]}}');
    expect(Object.entries(parsed as object)).toEqual([
      ['__proto__', 5n],
      ['constructor', JSON.parse('{"__proto__": [6]}', (_name, value) => (value === 6 ? 6n : value))],
    ]);
  });

  it('keeps every int64', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.array(int64), (values) => {
        expect(parseExactJson(`[${values.join()}]`)).toEqual(values);
      }),
    );
  });
});
