// 0x02 SHA-256, 0x03 RIPEMD-160, 0x04 identity.
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { PrecompileEntry } from './precompile.ts';

function byWord(base: number, word: number): (data: Uint8Array) => number {
  return (data) => base + word * Math.ceil(data.length / 32);
}

function leftPadded(hash: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(hash, 32 - hash.length);
  return word;
}

export const hashes: readonly PrecompileEntry[] = [
  { address: 0x02, gas: byWord(60, 12), run: (data) => sha256(data) },
  { address: 0x03, gas: byWord(600, 120), run: (data) => leftPadded(ripemd160(data)) },
  { address: 0x04, gas: byWord(15, 3), run: (data) => data.slice() },
];
