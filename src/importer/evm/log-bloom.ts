// The bloom of one log, as Ethereum defines it: three bits for the emitter's address and three for each topic.
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import type { BlockEvm } from '../block/item-context.ts';
import { emptyBytes } from '../columns/stored-values.ts';

export const bloomLength = 256;

/** Caches the bits of every value: hashing is the cost of blooms, and few values make most logs of a block. */
export function createLogBloom(): BlockEvm['logBloom'] {
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

/** ORs `other` into the bloom, up to its length. */
export function mergeBloom(bloom: Uint8Array, other: Uint8Array): void {
  for (let index = 0; index < other.length && index < bloom.length; index += 1) bloom[index]! |= other[index]!;
}

/** All of them in one, of 256 bytes. */
export function mergeBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const together = new Uint8Array(bloomLength);
  for (const bloom of blooms) mergeBloom(together, bloom);
  return together;
}

/** 256 zero bytes are stored as an empty value. */
export function compactBloom(bloom: Uint8Array | null | undefined): Uint8Array {
  return !bloom || bloom.every((byte) => byte === 0) ? emptyBytes : bloom;
}

type Bits = readonly number[];

/** Each of the first three pairs of bytes of the hash, modulo 2048. */
function hashBits(value: Uint8Array): Bits {
  const hash = keccak256(value);
  return [0, 2, 4].map((offset) => hash.readUInt16BE(offset) & 2047);
}

/** Bit 0 is the last one of the bloom. */
function addBits(bloom: Uint8Array, bits: Bits): void {
  for (const bit of bits) bloom[bloomLength - 1 - (bit >> 3)]! |= 1 << (bit & 7);
}
