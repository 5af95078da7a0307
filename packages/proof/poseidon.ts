// Poseidon over the scalar field of BN254: width 5, 8 full and 60 partial rounds, x⁵, constants of the Grain LFSR. The
// sponge has neither padding nor length: callers hash a fixed number of elements, or bytes of a fixed length.
import { grainGenConstants, poseidon } from '@noble/curves/abstract/poseidon.js';
import { bn254_Fr } from '@noble/curves/bn254.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { scalarLength, writeScalar } from './field-bytes.ts';

const width = 5;
const parameters = { Fp: bn254_Fr, t: width, roundsFull: 8, roundsPartial: 60, sboxPower: 5 };

type Permutation = (state: bigint[]) => bigint[];
let permutation: Permutation | null = null;

/** Made at the first use: the constants take 20 ms. */
function permute(state: bigint[]): bigint[] {
  permutation ??= poseidon({ ...parameters, ...grainGenConstants(parameters) });
  return permutation(state);
}

/** Neither padding nor length: the capacity is 0. */
export function poseidonHash(elements: readonly bigint[]): bigint {
  return squeezeOne(elements, new Array<bigint>(width).fill(0n), permute);
}

/**
 * The sponge of both forms of Poseidon here. The first element of the state is the capacity; a full rate is permuted
 * once more follows, and the end once.
 */
export function squeezeOne(
  elements: readonly bigint[],
  start: readonly bigint[],
  permuteState: (state: bigint[]) => bigint[],
): bigint {
  let state = [...start];
  let filled = 0;
  for (const element of elements) {
    if (filled === start.length - 1) {
      state = permuteState(state);
      filled = 0;
    }
    filled += 1;
    state[filled] = bn254_Fr.add(state[filled]!, bn254_Fr.create(element));
  }
  return permuteState(state)[1]!;
}

/** Of bytes, cut into 32 each; 32 bytes little endian. */
export function poseidonHashBytes(bytes: Uint8Array): Uint8Array {
  const elements: bigint[] = [];
  for (let offset = 0; offset < bytes.length; offset += scalarLength) {
    elements.push(bytesToNumberLE(bytes.subarray(offset, offset + scalarLength)));
  }
  return writeScalar(poseidonHash(elements));
}
