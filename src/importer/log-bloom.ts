// The bloom of one log, as Ethereum defines it: three bits for the emitter's address and three for each topic.
import { keccak256 } from '../protocol/keccak256.ts';

const bloomLength = 256;

/** @param address 20 bytes. @param topics 32 bytes each. */
export function logBloom(address: Uint8Array, topics: readonly Uint8Array[]): Uint8Array {
  const bloom = new Uint8Array(bloomLength);
  addBits(bloom, address);
  for (const topic of topics) addBits(bloom, topic);
  return bloom;
}

/** Each of the first three pairs of bytes of the hash, modulo 2048, is a bit; bit 0 is the last one of the bloom. */
function addBits(bloom: Uint8Array, value: Uint8Array): void {
  const hash = keccak256(value);
  for (let pair = 0; pair < 3; pair += 1) {
    const bit = hash.readUInt16BE(pair * 2) & 2047;
    const index = bloomLength - 1 - (bit >> 3);
    bloom[index] = bloom[index]! | (1 << (bit & 7));
  }
}
