// Numbers as proofs write them: little endian, of a fixed length, below the modulus.
import { bytesToHex, bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { refuse } from './proof-refusal.ts';

export const scalarLength = 32;
const wordLength = 8;

/** The number in 32 bytes. Throws ProofRefusal where it is not below the modulus. */
export function readScalar(bytes: Uint8Array, modulus: bigint, name: string): bigint {
  const value = bytesToNumberLE(bytes);
  if (value >= modulus) refuse('encoding', `${name} below its modulus`, toHex(bytes));
  return value;
}

export function writeScalar(value: bigint): Uint8Array {
  return numberToBytesLE(value, scalarLength);
}

/** Bytes one part after the other. Throws ProofRefusal where there are more or fewer than `length`. */
export function createPartReader(bytes: Uint8Array, length: number, name: string) {
  if (bytes.length !== length) refuse('encoding', `${name} of ${length} bytes`, `${bytes.length} bytes`);
  let offset = 0;
  const next = (size: number) => {
    offset += size;
    return bytes.subarray(offset - size, offset);
  };
  return {
    next,
    /** 64 bits without a sign. */
    word: () => bytesToNumberLE(next(wordLength)),
    scalar: (modulus: bigint, part: string) => readScalar(next(scalarLength), modulus, `${part} of the ${name}`),
    /** A number of elements that can only be this one. */
    count(expected: bigint, part: string): void {
      const found = bytesToNumberLE(next(wordLength));
      if (found !== expected) refuse('encoding', `${expected} for the number of ${part} of the ${name}`, `${found}`);
    },
  };
}

export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}
