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
  ])('%s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
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
