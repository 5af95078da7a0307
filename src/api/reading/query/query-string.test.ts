import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueryString } from './query-string.ts';

/** As `name=value|value` per parameter. */
function read(text: string, max = 100): string[] {
  return parseQueryString(text, max).map(({ name, values }) => `${name}=${values.join('|')}`);
}

it.each([
  ['', []],
  ['Limit=5&TransactionType=CryptoTransfer', ['limit=5', 'transactiontype=CryptoTransfer']],
  ['order=ASC&timestamp=LT:1', ['order=asc', 'timestamp=LT:1']],
  ['a=1&b=2&a=3', ['a=1|3', 'b=2']],
  ['a[]=1&a[]=2', ['a=1|2']],
  ['a[0]=1&a[1]=2', ['a=1|2']],
  ['a%5B%5D=1', ['a=1']],
  ['B=1&a=2&b=3', ['b=1|3', 'a=2']],
  ['=5&&', []],
  ['constructor=1&__proto__=2&hasOwnProperty=3&limit=1', ['limit=1']],
  ['a&b=', ['a=', 'b=']],
  ['limit=1+', ['limit=1 ']],
  ['a=%zz&b=%41', ['a=%zz', 'b=A']],
  ['a=1;b=2', ['a=1;b=2']],
])('%s', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

it('a member of a parameter is no text', () => {
  expect(parseQueryString('limit[x]=1', 100)).toEqual([{ name: 'limit', values: [null], repeated: false }]);
  expect(parseQueryString('limit=1&limit[x]=1', 100)).toEqual([{ name: 'limit', values: ['1', null], repeated: true }]);
});

describe('limits', () => {
  const repeat = (text: string, count: number): string => Array(count).fill(text).join('&');

  it.each([
    ['a[x][y]=1', 'Input depth exceeded depth option of 1 and strictDepth is true'],
    [repeat('a=1', 101), 'Array limit exceeded. Only 100 elements allowed in an array.'],
    [`${repeat('&', 1000)}`, 'Parameter limit exceeded. Only 1000 parameters allowed.'],
  ])('%.20s…', (text, message) => {
    expect(() => parseQueryString(text, 100)).toThrow(expect.objectContaining({ status: 400, messages: [message] }));
  });

  it('as many as allowed are taken, however they are spelled', () => {
    expect(parseQueryString(repeat('a=1', 100), 100)[0]?.values).toHaveLength(100);
    expect(parseQueryString(`${repeat('a=1', 60)}&${repeat('A=1', 60)}`, 100)[0]?.values).toHaveLength(120);
  });
});

it('reads any text, or says what is wrong with it', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        for (const { name, values } of parseQueryString(text, 8)) {
          expect(name).toBe(name.toLowerCase());
          expect(values.length).toBeGreaterThan(0);
        }
      } catch (error) {
        expect(error).toMatchObject({ name: 'RequestError', status: 400 });
      }
    }),
  );
});
