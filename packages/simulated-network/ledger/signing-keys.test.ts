import { createPublicKey, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect, test } from 'vitest';
import { createEmptyTables, createLedger } from './ledger.ts';
import { createSigningKeys, encodeKey, evmAddressOfKey, isSatisfiedBy, keysThatSatisfy } from './signing-keys.ts';

const ledger = createLedger(createEmptyTables());
const keys = createSigningKeys({ seed: 'keys', ledger });
const first = keys.create('ED25519');
const second = keys.create('ECDSA');
const third = keys.create('ED25519');
const hex = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes!).toString('hex');

test('signatures are real', () => {
  const message = Buffer.from('to be signed');
  const [ed, ec] = keys.sign([hex(first.ed25519), hex(second.ECDSASecp256k1)], message);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(first.ed25519!).toString('base64url') };
  expect(verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), ed!.ed25519!)).toBe(true);
  expect(secp256k1.verify(ec!.ECDSASecp256k1!, keccak_256(message), second.ECDSASecp256k1!, { prehash: false })).toBe(
    true,
  );
});

test('the address of a known key', () => {
  // Private key 1: the generator point of the curve.
  const generator = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex');
  expect(hex(evmAddressOfKey(generator))).toBe('7e5f4552091a69125d5dfcb7b8c2659029395bdf');
});

test.each([
  ['single', first, [first], true],
  ['single, another key', first, [third], false],
  ['list, all', { keyList: { keys: [first, second] } }, [first, second], true],
  ['list, one missing', { keyList: { keys: [first, second] } }, [first], false],
  [
    'threshold reached',
    { thresholdKey: { threshold: 2, keys: { keys: [first, second, third] } } },
    [second, third],
    true,
  ],
  ['threshold missed', { thresholdKey: { threshold: 2, keys: { keys: [first, second, third] } } }, [third], false],
  [
    'nested',
    { keyList: { keys: [first, { thresholdKey: { threshold: 1, keys: { keys: [second, third] } } }] } },
    [first, third],
    true,
  ],
  ['empty list', { keyList: { keys: [] } }, [first, second, third], false],
  ['a contract', { contractID: {} }, [first], false],
])('%s', (_, key, signers, expected) => {
  const serialized = encodeKey(key);
  expect(isSatisfiedBy(serialized, new Set(signers.map((one) => hex(one.ed25519 ?? one.ECDSASecp256k1))))).toBe(
    expected,
  );
});

test('the keys chosen to sign do satisfy', () => {
  const key = encodeKey({
    thresholdKey: { threshold: 2, keys: { keys: [first, { keyList: { keys: [second, third] } }, third] } },
  });
  expect(isSatisfiedBy(key, new Set(keysThatSatisfy(key)))).toBe(true);
});
