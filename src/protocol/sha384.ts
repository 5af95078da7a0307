// SHA-384, the digest of every stream file, running hash and signature.
import { createHash } from 'node:crypto';

export const sha384Length = 48;

/** The digest of the parts one after the other. */
export function sha384(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
