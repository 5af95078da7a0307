// Keccak-256, the digest of Ethereum: transaction hashes and addresses.
import { keccak_256 } from '@noble/hashes/sha3.js';

/** The digest of bytes that come in pieces. */
export function beginKeccak256(): { update(piece: Uint8Array): void; digest(): Buffer } {
  const hash = keccak_256.create();
  return {
    update: (piece) => void hash.update(piece),
    digest: () => Buffer.from(hash.digest()),
  };
}

export function keccak256(bytes: Uint8Array): Buffer {
  return Buffer.from(keccak_256(bytes));
}
