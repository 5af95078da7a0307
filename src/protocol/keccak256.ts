// Keccak-256, the digest of Ethereum: transaction hashes and addresses.
import { keccak_256 } from '@noble/hashes/sha3.js';

export function keccak256(bytes: Uint8Array): Buffer {
  return Buffer.from(keccak_256(bytes));
}
