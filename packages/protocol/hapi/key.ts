// Keys in the form of the tables: the one primitive key in a serialized HAPI Key (`entity.public_key`).
import { proto } from './hapi.ts';

/**
 * Hex of the key if it is primitive, or a key list or threshold key with exactly one primitive key directly inside; ''
 * for every other key, which clears the column; null for no key, which leaves it.
 */
export function toPublicKeyHex(serializedKey: Uint8Array | null | undefined): string | null {
  if (!serializedKey) return null;
  try {
    return publicKeyHex(proto.Key.decode(serializedKey), 1);
  } catch {
    return ''; // Keys are stored as they came, readable or not.
  }
}

const maxDepth = 2;

function publicKeyHex(key: proto.IKey, depth: number): string {
  const primitive = key.ed25519 ?? key.ECDSASecp256k1 ?? key.ECDSA_384 ?? key.RSA_3072;
  if (primitive) return Buffer.from(primitive).toString('hex');
  const keys = key.keyList?.keys ?? key.thresholdKey?.keys?.keys ?? [];
  return keys.length === 1 && depth < maxDepth ? publicKeyHex(keys[0]!, depth + 1) : '';
}
