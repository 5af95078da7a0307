// Bytes → element of a field, as arkworks hashes with SHA-256: expand_message_xmd of RFC 9380 with 48 bytes of output,
// except that the padding in front has the length of that output, and not of a block of the hash.
import { bytesToNumberBE, concatBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';

const outputLength = 48;
const padding = new Uint8Array(outputLength);
const lengthBytes = Uint8Array.of(0, outputLength);

/** `domain`: at most 255 bytes; may be empty. */
export function hashToScalar(message: Uint8Array, domain: Uint8Array, modulus: bigint): bigint {
  const suffix = concatBytes(domain, Uint8Array.of(domain.length));
  const zeroth = sha256(concatBytes(padding, message, lengthBytes, Uint8Array.of(0), suffix));
  const first = sha256(concatBytes(zeroth, Uint8Array.of(1), suffix));
  const mixed = zeroth.map((byte, place) => byte ^ first[place]!);
  const second = sha256(concatBytes(mixed, Uint8Array.of(2), suffix));
  return bytesToNumberBE(concatBytes(first, second).subarray(0, outputLength)) % modulus;
}
