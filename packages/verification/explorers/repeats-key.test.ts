import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repeatsKey } from './repeats-key.ts';

const key = 'S3cret/Key+With Signs';
const encoded = encodeURIComponent(key);
const escaped = [...key].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

it.each([
  ['as it is', key],
  ['in small letters', key.toLowerCase()],
  ['in capitals', key.toUpperCase()],
  ['percent-encoded', encoded],
  ['every byte percent-encoded', [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['percent-encoded twice', encodeURIComponent(encoded)],
  ['in escapes', escaped],
  ['in escapes of JSON in JSON', JSON.stringify(escaped)],
  ['partly in escapes', key.replace('e', '\\u0065').replace('/', '\\/')],
  ['over two lines', `${key.slice(0, 9)}\\n${key.slice(9)}`],
  ['in HTML', [...key].map((one) => `&#${one.charCodeAt(0)};`).join('')],
  ['in hex', Buffer.from(key).toString('hex').toUpperCase()],
  ['in base64', Buffer.from(key).toString('base64')],
  ['in base64url', Buffer.from(key).toString('base64url')],
  ['in base64 behind something', Buffer.from(`a${key}b`).toString('base64')],
  ['in base64 behind more', Buffer.from(`ab${key}cd`).toString('base64')],
  ['in base64 in small letters', Buffer.from(key.toLowerCase()).toString('base64')],
])('%s', (_, form) => {
  expect(repeatsKey(JSON.stringify({ status: '1', result: [{ SourceCode: `contract A {} // ${form} ` }] }), key)).toBe(
    true,
  );
  expect(repeatsKey(`{"result":"${form}"}`, key)).toBe(true);
});

it('nothing else', () => {
  expect(repeatsKey(JSON.stringify({ SourceCode: 'contract A { string secret = "S3cret"; }' }), key)).toBe(false);
  expect(repeatsKey('{"ContractName":"Coin"}', 'Coin')).toBe(false);
});

it('in base64, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), fc.base64String({ minLength: 12 }), (before, after, some) => {
      const text = Buffer.concat([before, Buffer.from(some), after]).toString('base64');
      expect(repeatsKey(text, some)).toBe(true);
    }),
  );
});
