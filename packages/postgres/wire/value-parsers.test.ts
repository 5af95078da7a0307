import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson } from '../../store/write/binary-output.ts';
import { parseJson, parseRange, valueParsers } from './value-parsers.ts';
import type { JsonValue } from './values.ts';

describe('parseJson', () => {
  it.each<[string, JsonValue]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9223372036854775808', -9223372036854775808n],
    [
      '[{"serial_number": 9223372036854775807, "is_approval": false}]',
      [{ serial_number: 9223372036854775807n, is_approval: false }],
    ],
    ['"9223372036854775807"', '9223372036854775807'],
    ['1234567890123456.5', 1234567890123456.5],
    ['null', null],
  ])('reads %s', (text, value) => expect(parseJson(text)).toEqual(value));

  it('reads back what toJson writes', () => {
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.bigInt(2n ** 53n, 2n ** 63n),
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }) as fc.Arbitrary<JsonValue>,
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<JsonValue>,
      ) as fc.Arbitrary<JsonValue>,
    })).value;
    fc.assert(
      fc.property(value, (given) => {
        expect(parseJson(toJson(given))).toEqual(given);
      }),
    );
  });
});

describe('parseRange', () => {
  it.each([
    ['[1,5)', { from: 1n, to: 5n }],
    ['[-9223372036854775808,)', { from: -9223372036854775808n, to: null }],
    ['empty', null],
  ])('reads %s', (text, range) => expect(parseRange(text)).toEqual(range));
});

describe('valueParsers', () => {
  const parse = (oid: number, text: string) => valueParsers.getTypeParser!(oid as never, 'text')(text);
  it('keeps int8, arrays of it and numeric exact', () => {
    expect(parse(20, '9223372036854775807')).toBe(9223372036854775807n);
    expect(parse(1016, '{1,NULL,-9223372036854775808}')).toEqual([1n, null, -9223372036854775808n]);
    expect(parse(1016, '{}')).toEqual([]);
    expect(parse(1700, '12345678901234567890.12')).toBe('12345678901234567890.12');
    expect(parse(17, '\\x00ff')).toEqual(Buffer.from([0, 255]));
  });
});
