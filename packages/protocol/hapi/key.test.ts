import { describe, expect, it } from 'vitest';
import { proto } from './hapi.ts';
import { toPublicKeyHex } from './key.ts';

const ed25519 = { ed25519: Buffer.alloc(32, 0xab) };
const ecdsa = { ECDSASecp256k1: Buffer.alloc(33, 2) };
const contract = { contractID: {} };
const list = (...keys: proto.IKey[]): proto.IKey => ({ keyList: { keys } });
const threshold = (...keys: proto.IKey[]): proto.IKey => ({ thresholdKey: { threshold: 1, keys: { keys } } });

describe('the one primitive key behind a key', () => {
  it.each<[string, proto.IKey, string]>([
    ['ed25519', ed25519, 'ab'.repeat(32)],
    ['ECDSA', ecdsa, '02'.repeat(33)],
    ['RSA', { RSA_3072: Buffer.of(7) }, '07'],
    ['a list of one', list(ed25519), 'ab'.repeat(32)],
    ['a threshold key of one', threshold(ecdsa), '02'.repeat(33)],
    ['a list of two', list(ed25519, ecdsa), ''],
    ['an empty list', list(), ''],
    ['a list in a list', list(list(ed25519)), ''],
    ['a threshold key in a list', list(threshold(ed25519)), ''],
    ['a contract', contract, ''],
    ['a contract in a list', list(contract), ''],
  ])('%s', (_name, key, hex) => expect(toPublicKeyHex(proto.Key.encode(key).finish())).toBe(hex));

  it.each([
    ['no key', null, null],
    ['nothing said', undefined, null],
    ['bytes that are no key', Buffer.from('0aff', 'hex'), ''],
  ])('%s', (_name, bytes, hex) => expect(toPublicKeyHex(bytes)).toBe(hex));
});
