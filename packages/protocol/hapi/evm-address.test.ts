import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeEntityId, maxNum } from './entity-id.ts';
import {
  aliasToEvmAddress,
  fromLongZeroAddress,
  isLongZeroAddress,
  keyToEvmAddress,
  toLongZeroAddress,
} from './evm-address.ts';
import { proto } from './hapi.ts';

// The first account of every Hardhat network: its public key and the address that all of Ethereum knows it by.
const publicKey = Buffer.from('038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75', 'hex');
const address = Buffer.from('f39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'hex');

describe('long-zero addresses', () => {
  it('hold the number only', () => {
    expect(toLongZeroAddress(encodeEntityId(1n, 2n, 0x1234n)).toString('hex')).toBe(`${'0'.repeat(36)}1234`);
  });

  it('come back to their entity', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: maxNum }), (num) => {
        expect(isLongZeroAddress(toLongZeroAddress(num))).toBe(true);
        expect(fromLongZeroAddress(toLongZeroAddress(num))).toBe(num);
      }),
    );
  });

  it('have no entity beyond the largest number', () => {
    const beyond = Buffer.alloc(20);
    beyond.writeBigUInt64BE(maxNum + 1n, 12);
    expect(fromLongZeroAddress(beyond)).toBe(0n);
  });

  it.each([address, Buffer.alloc(19), Buffer.alloc(21)])('are not %o', (bytes) => {
    expect(isLongZeroAddress(bytes)).toBe(false);
  });
});

describe('addresses of aliases', () => {
  const alias = (key: proto.IKey) => proto.Key.encode(key).finish();

  it.each([
    ['an address', address, address],
    ['an ECDSA key', alias({ ECDSASecp256k1: publicKey }), address],
    ['an ed25519 key', alias({ ed25519: Buffer.alloc(32, 1) }), null],
    ['a point off the curve', alias({ ECDSASecp256k1: Buffer.alloc(33, 0xff) }), null],
    ['a short key', alias({ ECDSASecp256k1: publicKey.subarray(1) }), null],
    ['no protobuf message', Buffer.from('ffff', 'hex'), null],
    ['nothing', Buffer.alloc(0), null],
  ])('%s', (_name, bytes, expected) => expect(aliasToEvmAddress(bytes)).toEqual(expected));

  it('of a key alone', () => expect(keyToEvmAddress(publicKey)).toEqual(address));
});
