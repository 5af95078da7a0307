// Ethereum's 2048-bit log filter: each address and topic sets three bits that its keccak hash names.
import { keccak_256 } from '@noble/hashes/sha3.js';

export function logsBloom(logs: readonly { address: Uint8Array; topics: readonly Uint8Array[] }[]): Uint8Array {
  const bloom = new Uint8Array(256);
  for (const { address, topics } of logs) {
    for (const part of [address, ...topics]) {
      const hash = keccak_256(part);
      for (const offset of [0, 2, 4]) {
        const bit = ((hash[offset]! << 8) | hash[offset + 1]!) & 2047;
        bloom[255 - (bit >> 3)]! |= 1 << (bit & 7);
      }
    }
  }
  return bloom;
}
