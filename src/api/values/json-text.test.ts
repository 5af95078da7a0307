import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import {
  formatTimestamp,
  toJsonArray,
  toJsonBase64,
  toJsonEntityId,
  toJsonLongZeroAddress,
  toJsonString,
} from './json-text.ts';

describe('strings', () => {
  it('are JSON for the same text, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const text = String.fromCharCode(...units);
        expect(JSON.parse(toJsonString(text))).toBe(text);
      }),
    );
  });

  it('are the same whatever stands before and behind', () => {
    const characters = [
      '"',
      '\\',
      '\n',
      '\u007f',
      '\u00ad',
      '\u0141',
      '\u2061',
      '\ufeff',
      '=',
      '-',
      ' ',
      '0',
      'é',
      '🚀',
    ];
    for (const character of characters) {
      const written = toJsonString(character).slice(1, -1);
      for (let length = 250; length < 264; length++) {
        for (const at of [0, 1, 2, 3, 128, length - 1, length]) {
          const [before, behind] = ['a'.repeat(at), '6'.repeat(length - at)];
          expect(toJsonString(`${before}${character}${behind}`)).toBe(`"${before}${written}${behind}"`);
        }
      }
    }
  });

  it('are long ones, too', () => {
    for (const length of [1_000, 87_380, 87_400, 200_000]) {
      const digits = '60806040526004361061'.repeat(length / 20);
      expect(toJsonString(digits)).toBe(`"${digits}"`);
      expect(toJsonString(`0x${digits}`)).toBe(`"0x${digits}"`);
      expect(toJsonString(`${digits}\n`)).toBe(`"${digits}\\n"`);
    }
  });

  it.each([
    ['plain', '"plain"'],
    ['"\\/<>&', '"\\"\\\\/<>&"'],
    ['\b\t\n\f\r\u0001\u001f', '"\\b\\t\\n\\f\\r\\u0001\\u001f"'],
    ['\u007f\u0080\u009f\u00a0', '"\\u007f\\u0080\\u009f\u00a0"'],
    ['\u00ad\u0600\u0604\u0605\u070f\u17b4\u17b5', '"\\u00ad\\u0600\\u0604\u0605\\u070f\\u17b4\\u17b5"'],
    ['\u200b\u200c\u200d\u200f\u2010', '"\u200b\\u200c\\u200d\\u200f\u2010"'],
    ['\u2027\u2028\u202f\u2030\u2060\u206f', '"\u2027\\u2028\\u202f\u2030\\u2060\\u206f"'],
    ['\ufeff\uffef\ufff0\uffff', '"\\ufeff\uffef\\ufff0\\uffff"'],
    ['é漢👩\u200d🚀', '"é漢👩\\u200d🚀"'],
  ])('%j', (text, json) => {
    expect(toJsonString(text)).toBe(json);
  });
});

it.each([
  [0n, '0.000000000'],
  [5n, '0.000000005'],
  [999_999_999n, '0.999999999'],
  [1_000_000_000n, '1.000000000'],
  [1_234_567_890_000_000_001n, '1234567890.000000001'],
  [2n ** 63n - 1n, '9223372036.854775807'],
])('timestamp %s', (ns, text) => {
  expect(formatTimestamp(ns)).toBe(text);
});

it.each([
  [null, 'null', 'null'],
  [0n, 'null', 'null'],
  [1001n, '"0.0.1001"', '"0x00000000000000000000000000000000000003e9"'],
  [encodeEntityId(1n, 2n, 3n), '"1.2.3"', '"0x0000000000000000000000000000000000000003"'],
  [
    encodeEntityId(1023n, 65535n, 274877906943n),
    '"1023.65535.274877906943"',
    '"0x0000000000000000000000000000003fffffffff"',
  ],
])('entity id %s', (id, text, address) => {
  expect(toJsonEntityId(id)).toBe(text);
  expect(toJsonLongZeroAddress(id)).toBe(address);
});

it('base64 has padding and no line breaks', () => {
  expect(toJsonBase64(null)).toBe('null');
  expect(toJsonBase64(new Uint8Array())).toBe('""');
  expect(toJsonBase64(new Uint8Array(64))).toBe(`"${'A'.repeat(86)}=="`);
});

it('a view on shared bytes is printed as the view', () => {
  expect(toJsonBase64(new Uint8Array(Buffer.from('abcdef')).subarray(1, 4))).toBe('"YmNk"');
});

it('arrays', () => {
  expect(toJsonArray([], String)).toBe('[]');
  expect(toJsonArray([1, 2, 3], String)).toBe('[1,2,3]');
});
