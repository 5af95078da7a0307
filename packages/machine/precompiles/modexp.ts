// 0x05: base ^ exponent mod modulus, of any length (EIP-198, priced by EIP-2565).
import { bytesToHex } from '@noble/hashes/utils.js';
import { readWord, writeWord } from '../base/word.ts';
import { bytesAt, noBytes, type PrecompileEntry } from './precompile.ts';

export const modexp: readonly PrecompileEntry[] = [{ address: 0x05, gas, run }];

const header = 96;
const minGas = 200;

function lengthsOf(data: Uint8Array): [base: bigint, exponent: bigint, modulus: bigint] {
  return [readWord(data, 0, 32), readWord(data, 32, 32), readWord(data, 64, 32)];
}

function gas(data: Uint8Array): number {
  const [base, exponent, modulus] = lengthsOf(data);
  const longer = base > modulus ? base : modulus;
  const words = (longer + 7n) / 8n;
  const cost = (words * words * iterations(data, base, exponent)) / 3n;
  return Math.max(minGas, Number(cost));
}

/** Bits of the exponent behind its highest one; eight for each byte beyond the first 32. */
function iterations(data: Uint8Array, base: bigint, exponent: bigint): bigint {
  const start = base > BigInt(data.length) ? data.length : header + Number(base);
  const length = exponent > 32n ? 32 : Number(exponent);
  const head = readWord(data, start, length);
  const bits = head === 0n ? 0n : BigInt(head.toString(2).length - 1);
  const count = exponent > 32n ? bits + 8n * (exponent - 32n) : bits;
  return count > 1n ? count : 1n;
}

/** Gas bounds base and modulus, and the exponent unless both are empty. */
function run(data: Uint8Array, look: () => void): Uint8Array {
  const [baseLength, exponentLength, modulusLength] = lengthsOf(data).map(Number) as [number, number, number];
  if (modulusLength === 0) return noBytes;
  const number = (start: number, length: number) => toNumber(bytesAt(data, header + start, length));
  const modulus = number(baseLength + exponentLength, modulusLength);
  if (modulus < 2n) return new Uint8Array(modulusLength);
  const start = header + baseLength;
  // All of it is there, since the modulus is behind it.
  const exponent = data.subarray(start, start + exponentLength);
  return writeWord(power(number(0, baseLength) % modulus, exponent, modulus, look), modulusLength);
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

/** Squares of 64-bit words between two looks at the time: some milliseconds. */
const lookEvery = 100_000;

/**
 * Four bits of the exponent at a time. Montgomery's form was measured beside it: with whole numbers of the engine it is
 * as fast from 512 bits on, and slower below, where a remainder takes 40 ns of 64 bits.
 */
function power(base: bigint, exponent: Uint8Array, modulus: bigint, look: () => void): bigint {
  // Of the longest numbers that gas pays for a product takes half a second, of the shortest less than a look at the
  // clock.
  const words = Math.ceil(modulus.toString(16).length / 16);
  const betweenLooks = Math.floor(lookEvery / words ** 2);
  let untilLook = betweenLooks;
  const multiply = (one: bigint, other: bigint): bigint => {
    untilLook -= 1;
    if (untilLook < 0) {
      look();
      untilLook = betweenLooks;
    }
    return (one * other) % modulus;
  };
  const powers = [1n];
  for (let count = 1; count < 16; count++) powers.push(multiply(powers[count - 1]!, base));
  let result = 1n;
  for (const byte of exponent) {
    for (const digit of [byte >>> 4, byte & 15]) {
      if (result !== 1n) for (let bit = 0; bit < 4; bit++) result = multiply(result, result);
      if (digit > 0) result = multiply(result, powers[digit]!);
    }
  }
  return result;
}
