// Whether a message was signed under a hinTS key by more than half of its weight. Not whether the key is the network's.
import { randomBytes } from '@noble/hashes/utils.js';
import { readHintsKey } from './hints-key.ts';
import { readHintsSignature } from './hints-signature.ts';
import { ProofRefusal } from './proof-refusal.ts';
import { verifyHints } from './verify-hints.ts';

/**
 * `key`: 1096 bytes. `signature`: 1632 or 1248 bytes, of which each tells by its length how it was made. `message`: any
 * bytes, but not none. Whatever else the bytes are, the answer is false.
 */
export function verifyThresholdSignature(key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  if (message.length === 0) return false;
  try {
    const proof = readHintsSignature(signature);
    verifyHints(readHintsKey(key), proof, [message], randomBytes);
    return true;
  } catch (error) {
    if (error instanceof ProofRefusal) return false;
    throw error;
  }
}
