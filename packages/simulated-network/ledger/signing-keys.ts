// The private keys of accounts. They are derived from the seed and a running number, so the state keeps public keys
// only; signatures are deterministic (Ed25519, and ECDSA by RFC 6979).
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
// In WebAssembly: a signature takes a fifth of the time that one in JavaScript takes, and most of what a network does
// is to sign.
import { pointCompress, pointFromScalar, sign as signWithEcdsa } from 'tiny-secp256k1';
import { proto } from '../../protocol/hapi/hapi.ts';
import type { Ledger } from './ledger.ts';

export type KeyKind = 'ED25519' | 'ECDSA';

export type SigningKeys = {
  /** A new key pair; the public key is entered in the ledger's table. */
  create(kind: KeyKind): proto.IKey;
  /** Signature pairs of these public keys (hex) over the message. */
  sign(publicKeys: Iterable<string>, message: Uint8Array): proto.ISignaturePair[];
  /** The secret of an ECDSA key, for Ethereum transactions. */
  ecdsaSecret(publicKey: string): Uint8Array;
};

export function createSigningKeys({ seed, ledger }: { seed: string; ledger: Ledger }): SigningKeys {
  const privateKeys = new Map<string, KeyObject>();
  const secretOf = (number: bigint) => createHash('sha256').update(`${seed}\nkey\n${number}`).digest();

  function rowOf(publicKey: string) {
    const row = ledger.tables.keys.get(publicKey);
    if (!row) throw new Error(`The network does not hold the private key of ${publicKey}`);
    return row;
  }

  function privateKeyOf(publicKey: string): KeyObject {
    let key = privateKeys.get(publicKey);
    if (!key) {
      key = ed25519PrivateKey(secretOf(rowOf(publicKey).number));
      privateKeys.set(publicKey, key);
    }
    return key;
  }

  return {
    create: (kind) => {
      const number = ledger.take('nextKey');
      const secret = secretOf(number);
      const publicKey = kind === 'ED25519' ? ed25519PublicKey(secret) : ecdsaPublicKey(secret);
      ledger.put('keys', publicKey.toString('hex'), { kind, number });
      return kind === 'ED25519' ? { ed25519: publicKey } : { ECDSASecp256k1: publicKey };
    },
    sign: (publicKeys, message) => {
      const pairs: proto.ISignaturePair[] = [];
      for (const publicKey of publicKeys) {
        const pubKeyPrefix = Buffer.from(publicKey, 'hex');
        if (rowOf(publicKey).kind === 'ED25519') {
          pairs.push({ pubKeyPrefix, ed25519: sign(null, message, privateKeyOf(publicKey)) });
        } else {
          const secret = secretOf(rowOf(publicKey).number);
          pairs.push({ pubKeyPrefix, ECDSASecp256k1: signWithEcdsa(keccak_256(message), secret) });
        }
      }
      return pairs;
    },
    ecdsaSecret: (publicKey) => {
      const { kind, number } = rowOf(publicKey);
      if (kind !== 'ECDSA') throw new Error(`${publicKey} is not an ECDSA key`);
      return secretOf(number);
    },
  };
}

/** The EVM address of a compressed secp256k1 public key: the last 20 bytes of keccak over the uncompressed point. */
export function evmAddressOfKey(compressed: Uint8Array): Uint8Array {
  return keccak_256(pointCompress(compressed, false).subarray(1)).subarray(12);
}

export function encodeKey(key: proto.IKey): Uint8Array {
  return proto.Key.encode(key).finish();
}

/** A set of public keys (hex) that satisfies the key: all of a list, the first ones of a threshold. */
export function keysThatSatisfy(serialized: Uint8Array): string[] {
  return select(proto.Key.decode(serialized));
}

/** Whether these signers (public keys, hex) satisfy the key. Nothing satisfies an empty list. */
export function isSatisfiedBy(serialized: Uint8Array, signers: ReadonlySet<string>): boolean {
  return isSatisfied(proto.Key.decode(serialized), signers);
}

function select(key: proto.IKey): string[] {
  const primitive = publicKeyOf(key);
  if (primitive) return [primitive];
  const members = key.thresholdKey?.keys?.keys ?? key.keyList?.keys ?? [];
  return members.slice(0, key.thresholdKey?.threshold ?? members.length).flatMap(select);
}

function isSatisfied(key: proto.IKey, signers: ReadonlySet<string>): boolean {
  const primitive = publicKeyOf(key);
  if (primitive) return signers.has(primitive);
  const members = key.thresholdKey?.keys?.keys ?? key.keyList?.keys ?? [];
  const required = key.thresholdKey?.threshold ?? members.length;
  return members.length > 0 && members.filter((member) => isSatisfied(member, signers)).length >= required;
}

function publicKeyOf(key: proto.IKey): string | null {
  const bytes = key.ed25519?.length ? key.ed25519 : key.ECDSASecp256k1?.length ? key.ECDSASecp256k1 : null;
  return bytes ? Buffer.from(bytes).toString('hex') : null;
}

const ed25519Pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function ed25519PrivateKey(secret: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ed25519Pkcs8Prefix, secret]), format: 'der', type: 'pkcs8' });
}

/** Compressed. */
function ecdsaPublicKey(secret: Buffer): Buffer {
  const point = pointFromScalar(secret, true);
  if (!point) throw new Error('The secret is no scalar of secp256k1');
  return Buffer.from(point);
}

function ed25519PublicKey(secret: Buffer): Buffer {
  const jwk = createPublicKey(ed25519PrivateKey(secret)).export({ format: 'jwk' });
  return Buffer.from(jwk.x!, 'base64url');
}
