import { expect, it } from 'vitest';
import { toJsonKey } from './key-text.ts';

const ed = '4a5ad514f0957fa170a676210c9bdbddf3bc9519702cf915fa6767a40463b96f';
const ecdsa = `02${ed}`;

it.each([
  ['', '{"_type":"ProtobufEncoded","key":""}'],
  ['3200', 'null'],
  [`1220${ed}`, `{"_type":"ED25519","key":"${ed}"}`],
  [`32240a221220${ed}`, `{"_type":"ED25519","key":"${ed}"}`],
  [`2a28080112240a221220${ed}`, `{"_type":"ED25519","key":"${ed}"}`],
  [`3a21${ecdsa}`, `{"_type":"ECDSA_SECP256K1","key":"${ecdsa}"}`],
  [`32250a233a21${ecdsa}`, `{"_type":"ECDSA_SECP256K1","key":"${ecdsa}"}`],
  [`2a29080112250a233a21${ecdsa}`, `{"_type":"ECDSA_SECP256K1","key":"${ecdsa}"}`],
  [`1220${ed}00`, `{"_type":"ProtobufEncoded","key":"1220${ed}00"}`],
  [`1220${ed.slice(2)}`, `{"_type":"ProtobufEncoded","key":"1220${ed.slice(2)}"}`],
  [`2a28080212240a221220${ed}`, `{"_type":"ProtobufEncoded","key":"2a28080212240a221220${ed}"}`],
  ['0a03188108', '{"_type":"ProtobufEncoded","key":"0a03188108"}'],
])('%s', (hex, json) => {
  expect(toJsonKey(Buffer.from(hex, 'hex'))).toBe(json);
});

it('is null where there is none', () => {
  expect(toJsonKey(null)).toBe('null');
});
