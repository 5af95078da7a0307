// The verification key of a hinTS signature, "the key of the day": 1096 bytes in front of each block signature.
// Decoding takes some 9 ms and preparing its pairings 5 ms: callers remember it.
import { bytesToNumberLE, concatBytes } from '@noble/curves/utils.js';
import {
  type G1Point,
  g1Length,
  g2Length,
  type Pairing,
  prepareG2,
  readG1,
  readG2,
  scalarField,
} from './bls12-points.ts';
import { createPartReader } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

export const hintsKeyLength = 1096;

export type HintsKey = {
  /** Size of the domain: a power of two above the number of nodes. */
  size: bigint;
  totalWeight: bigint;
  /** Root of unity of that size. */
  omega: bigint;
  generator: G1Point;
  /** Commitments to the last Lagrange polynomial and to the weights. */
  last: G1Point;
  weights: G1Point;
  /**
   * In G2: generator, τ · generator, commitments to the keys and to the vanishing polynomial; prepared for pairings.
   */
  lines: { generator: Pairing[1]; tau: Pairing[1]; keys: Pairing[1]; vanishing: Pairing[1] };
  /** Compressed, as challenges have them: parts of it, or the whole key. */
  compressed: { keysAndTau: Uint8Array; weights: Uint8Array; whole: Uint8Array };
};

/** 7 generates the multiplicative group of the scalar field, which has roots of unity of sizes up to 2³². */
const multiplicativeGenerator = 7n;
const maxSize = 1n << 32n;
/** Behind size and total weight. */
const pointsFrom = 40;

/** Of the domain, from the bytes of a key. */
export function readHintsKeySize(bytes: Uint8Array): bigint {
  return bytesToNumberLE(bytes.subarray(0, 8));
}

/** Throws ProofRefusal. */
export function readHintsKey(bytes: Uint8Array): HintsKey {
  const reader = createPartReader(bytes, hintsKeyLength, 'hinTS key');
  const size = reader.word();
  if (size < 2n || size > maxSize || (size & (size - 1n)) !== 0n) {
    refuse('encoding', 'a power of two for the size of the hinTS key', `${size}`);
  }
  const totalWeight = reader.scalar(scalarField.ORDER, 'total weight');
  const generator = readG1(reader.next(g1Length), 'generator g0 of the hinTS key');
  const [generator2, tau] = [readG2(reader.next(g2Length), 'generator h0'), readG2(reader.next(g2Length), 'h1')];
  const last = readG1(reader.next(g1Length), 'Lagrange commitment of the hinTS key');
  const weights = readG1(reader.next(g1Length), 'weight commitment of the hinTS key');
  const keys = readG2(reader.next(g2Length), 'key commitment of the hinTS key');
  const vanishing = readG2(reader.next(g2Length), 'vanishing commitment of the hinTS key');
  // Of a key that a network made none of them is zero.
  for (const point of [generator, generator2, tau, keys, vanishing]) {
    if (point.is0()) refuse('encoding', 'generators and commitments of the hinTS key', 'the point at infinity');
  }
  const [keysBytes, tauBytes] = [keys.toBytes(true), tau.toBytes(true)];
  const others = [generator, generator2, tau, last, weights, keys, vanishing].map((point) => point.toBytes(true));
  return {
    size,
    totalWeight,
    omega: scalarField.pow(multiplicativeGenerator, (scalarField.ORDER - 1n) / size),
    generator,
    last,
    weights,
    lines: {
      generator: prepareG2(generator2),
      tau: prepareG2(tau),
      keys: prepareG2(keys),
      vanishing: prepareG2(vanishing),
    },
    compressed: {
      keysAndTau: concatBytes(keysBytes, tauBytes),
      weights: weights.toBytes(true),
      // Size and total weight as they are, then all points in their order.
      whole: concatBytes(bytes.subarray(0, pointsFrom), ...others),
    },
  };
}
