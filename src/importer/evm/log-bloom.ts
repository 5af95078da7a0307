// The bloom of one log, as Ethereum defines it: three bits for the emitter's address and three for each topic.
import { keccak256 } from '../../protocol/keccak256.ts';

export const bloomLength = 256;

/** @param address 20 bytes. @param topics 32 bytes each. */
export type LogBloom = (address: Uint8Array, topics: readonly Uint8Array[]) => Uint8Array;

/** Remembers the bits of every value it has seen: hashing is what blooms cost, and few values make most logs of a block. */
export function createLogBloom(): LogBloom {
  const known = new Map<string, Bits>();
  const bitsOf = (value: Uint8Array): Bits => {
    const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
    const found = known.get(text);
    if (found) return found;
    const bits = hashBits(value);
    known.set(text, bits);
    return bits;
  };
  return (address, topics) => {
    const bloom = new Uint8Array(bloomLength);
    addBits(bloom, bitsOf(address));
    for (const topic of topics) addBits(bloom, bitsOf(topic));
    return bloom;
  };
}

type Bits = readonly number[];

/** Each of the first three pairs of bytes of the hash, modulo 2048. */
function hashBits(value: Uint8Array): Bits {
  const hash = keccak256(value);
  return [0, 2, 4].map((offset) => hash.readUInt16BE(offset) & 2047);
}

/** Bit 0 is the last one of the bloom. */
function addBits(bloom: Uint8Array, bits: Bits): void {
  for (const bit of bits) {
    const index = bloomLength - 1 - (bit >> 3);
    bloom[index] = bloom[index]! | (1 << (bit & 7));
  }
}
