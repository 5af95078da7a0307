// Poseidon as Nova hashes with it, over the scalar field of BN254: width 33, 8 full and 60 partial rounds, x⁵. The tag
// in the capacity says how many elements are absorbed, and in which domain.
import { grainGenConstants } from '@noble/curves/abstract/poseidon.js';
import { bn254_Fr } from '@noble/curves/bn254.js';
import { squeezeOne } from './poseidon.ts';

const { ORDER: order } = bn254_Fr;
const width = 33;
const [fullRounds, partialRounds] = [8, 60];

/** One element of as many as there are. */
export function novaPoseidonHash(elements: readonly bigint[], domain: bigint): bigint {
  const start = new Array<bigint>(width).fill(0n);
  start[0] = tagOf(elements.length, domain);
  return squeezeOne(elements, start, createPermutation());
}

const base = (1n << 128n) - 159n;
const absorbs = 1n << 31n;

/** Of the pattern "absorb so many, squeeze one", in 128 bits. */
export function tagOf(absorbed: number, domain: bigint): bigint {
  const squeezed = 1n;
  return BigInt.asUintN(
    128,
    base * (absorbs + BigInt(absorbed)) + base * base * squeezed + base * base * base * domain,
  );
}

type Permutation = (state: readonly bigint[]) => bigint[];

let permutation: Permutation | null = null;

/** Made at the first use: the constants take 0.1 s. */
export function createPermutation(): Permutation {
  permutation ??= makePermutation();
  return permutation;
}

function makePermutation(): Permutation {
  // The library has no word for an S-box field of 1 but that of the inverse; constants depend on that bit alone.
  const { roundConstants } = grainGenConstants({
    Fp: bn254_Fr,
    t: width,
    roundsFull: fullRounds,
    roundsPartial: partialRounds,
    sboxPower: 5,
    isSboxInverse: true,
  });
  // Row i, column j: 1 / (i + j + width).
  const inverses = bn254_Fr.invertBatch(Array.from({ length: 2 * width - 1 }, (_, place) => BigInt(place + width)));
  const firstPartial = fullRounds / 2;
  const isPartial = (round: number) => round >= firstPartial && round < firstPartial + partialRounds;
  return (start) => {
    let state = [...start];
    for (const [round, constants] of roundConstants.entries()) {
      const added = state.map((element, place) => element + constants[place]!);
      const mixed = added.map((element, place) => (place > 0 && isPartial(round) ? element : fifthPower(element)));
      state = mixed.map((_, row) => {
        let sum = 0n;
        for (let column = 0; column < width; column++) sum += mixed[column]! * inverses[row + column]!;
        return sum % order;
      });
    }
    return state;
  };
}

function fifthPower(value: bigint): bigint {
  const square = (value * value) % order;
  return (((square * square) % order) * value) % order;
}
