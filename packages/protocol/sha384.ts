// SHA-384, the digest of every stream file, running hash and signature.
import { createHash, hash } from 'node:crypto';

export const sha384Length = 48;

/** The digest of the parts one after the other. */
export function sha384(...parts: Uint8Array[]): Buffer {
  if (parts.length === 1) return Buffer.from(sha384Text(parts[0]!), 'latin1');
  const digest = createHash('sha384');
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/**
 * The digest as text, one character a byte. For hashes of hashes: 0.7 µs where a Hash object and a Buffer take 2.4,
 * half of it for memory outside of the heap.
 */
export function sha384Text(bytes: Uint8Array): string {
  return hash('sha384', bytes, 'binary');
}
