// 0x09: the compression function F of BLAKE2b (RFC 7693, 3.2; EIP-152), with any number of rounds.
import type { PrecompileEntry } from './precompile.ts';

const inputLength = 213;
/** Rounds between two looks at the time: some milliseconds. */
const lookEvery = 20_000;

const sigma = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/** 64-bit words as two halves, the lower one first. */
const start = Int32Array.of(
  ...[0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a],
  ...[0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19],
);

export const blake2f: readonly PrecompileEntry[] = [
  { address: 0x09, gas: (data) => (data.length === inputLength ? roundsOf(data) : 0), run },
];

function roundsOf(data: Uint8Array): number {
  return new DataView(data.buffer, data.byteOffset).getUint32(0);
}

function run(data: Uint8Array, look: () => void): Uint8Array | null {
  const isLast = data[inputLength - 1];
  if (data.length !== inputLength || (isLast !== 0 && isLast !== 1)) return null;
  const view = new DataView(data.buffer, data.byteOffset, inputLength);
  const halves = (from: number, count: number) =>
    Int32Array.from({ length: count }, (_, index) => view.getInt32(from + 4 * index, true));
  const state = halves(4, 16);
  const message = halves(68, 32);
  const offset = halves(196, 4);
  const words = new Int32Array(32);
  words.set(state);
  words.set(start, 16);
  for (let index = 0; index < 4; index++) words[24 + index]! ^= offset[index]!;
  if (isLast === 1) {
    words[28] = ~words[28]!;
    words[29] = ~words[29]!;
  }
  const rounds = roundsOf(data);
  for (let round = 0; round < rounds; round++) {
    if (round % lookEvery === lookEvery - 1) look();
    mixRound(words, message, sigma[round % 10]!);
  }
  const output = new Uint8Array(64);
  const written = new DataView(output.buffer);
  for (let index = 0; index < 16; index++) {
    written.setInt32(4 * index, state[index]! ^ words[index]! ^ words[16 + index]!, true);
  }
  return output;
}

function mixRound(words: Int32Array, message: Int32Array, order: readonly number[]): void {
  mix(words, message, 0, 8, 16, 24, order[0]!, order[1]!);
  mix(words, message, 2, 10, 18, 26, order[2]!, order[3]!);
  mix(words, message, 4, 12, 20, 28, order[4]!, order[5]!);
  mix(words, message, 6, 14, 22, 30, order[6]!, order[7]!);
  mix(words, message, 0, 10, 20, 30, order[8]!, order[9]!);
  mix(words, message, 2, 12, 22, 24, order[10]!, order[11]!);
  mix(words, message, 4, 14, 16, 26, order[12]!, order[13]!);
  mix(words, message, 6, 8, 18, 28, order[14]!, order[15]!);
}

/**
 * The function G on the words that begin at a, b, c, d: by halves in variables, stored once. Sums of halves are below
 * 2^34, so that their carry is what is above 32 bits.
 */
function mix(
  words: Int32Array,
  message: Int32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  first: number,
  second: number,
): void {
  let bLow = words[b]!;
  let bHigh = words[b + 1]!;
  let cLow = words[c]!;
  let cHigh = words[c + 1]!;
  let dLow = words[d]!;
  let dHigh = words[d + 1]!;
  let sum = (words[a]! >>> 0) + (bLow >>> 0) + (message[2 * first]! >>> 0);
  let aLow = sum | 0;
  let aHigh = (words[a + 1]! + bHigh + message[2 * first + 1]! + carryOf(sum)) | 0;
  let low = dHigh ^ aHigh;
  dHigh = dLow ^ aLow;
  dLow = low;
  sum = (cLow >>> 0) + (dLow >>> 0);
  cLow = sum | 0;
  cHigh = (cHigh + dHigh + carryOf(sum)) | 0;
  low = bLow ^ cLow;
  let high = bHigh ^ cHigh;
  bLow = (low >>> 24) | (high << 8);
  bHigh = (high >>> 24) | (low << 8);
  sum = (aLow >>> 0) + (bLow >>> 0) + (message[2 * second]! >>> 0);
  aLow = sum | 0;
  aHigh = (aHigh + bHigh + message[2 * second + 1]! + carryOf(sum)) | 0;
  low = dLow ^ aLow;
  high = dHigh ^ aHigh;
  dLow = (low >>> 16) | (high << 16);
  dHigh = (high >>> 16) | (low << 16);
  sum = (cLow >>> 0) + (dLow >>> 0);
  cLow = sum | 0;
  cHigh = (cHigh + dHigh + carryOf(sum)) | 0;
  low = bLow ^ cLow;
  high = bHigh ^ cHigh;
  words[a] = aLow;
  words[a + 1] = aHigh;
  words[b] = (low << 1) | (high >>> 31);
  words[b + 1] = (high << 1) | (low >>> 31);
  words[c] = cLow;
  words[c + 1] = cHigh;
  words[d] = dLow;
  words[d + 1] = dHigh;
}

function carryOf(sum: number): number {
  return (sum / 2 ** 32) | 0;
}
