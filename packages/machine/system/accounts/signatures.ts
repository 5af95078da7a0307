// Signatures of accounts, as 0x16a checks them.
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { decodeSignatureMap, type SignaturePair } from '../../../protocol/hapi/decode-signature-map.ts';
import type { proto } from '../../../protocol/hapi/hapi.ts';
import { StreamFileError } from '../../../protocol/stream-file-error.ts';
import { readWord } from '../../base/word.ts';

/**
 * The address whose key signed the hash: 32 bytes r, 32 bytes s, the rest v (0, 1, 27, 28 or as EIP-155 has it). null:
 * none.
 */
export function recoverAddress(hash: Uint8Array, signature: Uint8Array): bigint | null {
  const recovery = recoveryBit(readWord(signature, 64, signature.length - 64));
  if (recovery === null) return null;
  try {
    const key = secp256k1.Signature.fromBytes(signature.slice(0, 64), 'compact')
      .addRecoveryBit(recovery)
      .recoverPublicKey(hash)
      .toBytes(false);
    return readWord(keccak_256(key.subarray(1)), 12, 20);
  } catch {
    return null; // Anybody may ask about numbers that are no signature.
  }
}

function recoveryBit(v: bigint): number | null {
  if (v === 0n || v === 27n) return 0;
  if (v === 1n || v === 28n) return 1;
  return v >= 35n ? Number((v - 35n) % 2n) : null;
}

export function isSignedByEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return key.length === 32 && signature.length === 64 && ed25519.verify(signature, message, key, { zip215: false });
}

function isSignedByEcdsa(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 33 || signature.length !== 64) return false;
  try {
    return secp256k1.verify(signature, keccak_256(message), key, { prehash: false, lowS: false });
  } catch {
    return false; // A key that is no point of the curve.
  }
}

/** null: it cannot be read. */
export function readSignatureMap(bytes: Uint8Array): SignaturePair[] | null {
  try {
    return decodeSignatureMap(Buffer.from(bytes));
  } catch (error) {
    if (error instanceof StreamFileError) return null;
    throw error;
  }
}

const maxKeyDepth = 15;

export type Signed = {
  message: Uint8Array;
  pairs: readonly SignaturePair[];
  /** Before each verification. */
  onVerification(): void;
};

/**
 * Whether the signatures satisfy the key: all keys of a list, as many as the threshold says. Keys of contracts do not
 * sign. A key is verified with the pair that has most of its beginning.
 */
export function isSigned(key: proto.IKey, signed: Signed, depth = 0): boolean {
  if (depth > maxKeyDepth) return false;
  const { ed25519: ed, ECDSASecp256k1: ecdsa, keyList, thresholdKey } = key;
  if (ed?.length) return isSignedBy(ed, 3, signed, isSignedByEd25519);
  if (ecdsa?.length) return isSignedBy(ecdsa, 6, signed, isSignedByEcdsa);
  const keys = keyList?.keys ?? thresholdKey?.keys?.keys ?? [];
  const needed = thresholdKey ? (thresholdKey.threshold ?? 0) : keys.length;
  return keys.length > 0 && keys.filter((one) => isSigned(one, signed, depth + 1)).length >= Math.max(needed, 1);
}

type Verify = (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

function isSignedBy(
  key: Uint8Array,
  wanted: number,
  { message, pairs, onVerification }: Signed,
  verify: Verify,
): boolean {
  let best: SignaturePair | undefined;
  for (const pair of pairs) {
    const { publicKeyPrefix: prefix, type } = pair;
    if (type !== wanted || !prefix.equals(key.subarray(0, prefix.length))) continue;
    if (best === undefined || prefix.length > best.publicKeyPrefix.length) best = pair;
  }
  if (best === undefined) return false;
  onVerification();
  return verify(key, message, best.signature);
}
