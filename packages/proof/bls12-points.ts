// Points of BLS12-381 as hinTS keys and signatures have them: big endian, x and y, of c1 before c0. The three highest
// bits are flags, all 0 except for the point at infinity.
import { interleavedMSMUnsafe } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { toHex } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

const { G1, G2, fields } = bls12_381;
export const scalarField = fields.Fr;

export type G1Point = InstanceType<typeof G1.Point>;
export type G2Point = InstanceType<typeof G2.Point>;

export const g1Length = 96;
export const g2Length = 192;

const infinity = 0x40;
const flagBits = 0xe0;

/** 96 bytes → point of the prime-order subgroup, or zero. Throws ProofRefusal. */
export function readG1(bytes: Uint8Array, name: string): G1Point {
  return isInfinity(bytes, name) ? G1.Point.ZERO : decode(() => G1.Point.fromBytes(bytes), name);
}

/** 192 bytes → point of the prime-order subgroup, or zero. Throws ProofRefusal. */
export function readG2(bytes: Uint8Array, name: string): G2Point {
  return isInfinity(bytes, name) ? G2.Point.ZERO : decode(() => G2.Point.fromBytes(bytes), name);
}

function isInfinity(bytes: Uint8Array, name: string): boolean {
  if (bytes[0] === infinity && bytes.every((byte, place) => place === 0 || byte === 0)) return true;
  if ((bytes[0]! & flagBits) !== 0) {
    refuse('encoding', `${name} without flags, or zero`, toHex(bytes.subarray(0, 16)));
  }
  return false;
}

/** Coordinates below the modulus, on the curve, in the subgroup: the library says which is not so. */
function decode<Point extends { is0(): boolean }>(read: () => Point, name: string): Point {
  let point: Point;
  try {
    point = read();
  } catch (error) {
    return refuse('encoding', `${name} on the curve and in its subgroup`, (error as Error).message);
  }
  // Coordinates that are both 0 are on no curve; the library takes them for infinity.
  if (point.is0()) refuse('encoding', `${name} on the curve`, 'two coordinates of 0');
  return point;
}

type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;

/** A point of G2 as pairings use it, computed once: 1.2 ms. Not of zero. */
export function prepareG2(point: G2Point): Lines {
  return bls12_381.utils.calcPairingPrecomputes(point);
}

/** One factor of a product of pairings. */
export type Pairing = readonly [point: G1Point, lines: Lines];

/** Whether the product of the pairings is 1. A pairing with zero is 1. */
export function isPairingProductOne(pairings: readonly Pairing[]): boolean {
  const loops = pairings
    .filter(([point]) => !point.is0())
    .map(([point, lines]): [Lines, bigint, bigint] => {
      const { x, y } = point.toAffine();
      return [lines, x, y];
    });
  return fields.Fp12.eql(fields.Fp12.finalExponentiate(bls12_381.millerLoopBatch(loops)), fields.Fp12.ONE);
}

/** Σ scalars · points. */
export function sumOfProducts(terms: readonly (readonly [point: G1Point, scalar: bigint])[]): G1Point {
  const points = terms.map(([point]) => point);
  return interleavedMSMUnsafe(G1.Point, points, tableWindow)(terms.map(([, scalar]) => scalarField.create(scalar)));
}

/** Bits: of 4, 5 and 6 the fastest for the 3 to 13 terms that there are. */
const tableWindow = 5;

const messageDomain = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

export function hashToG2(message: Uint8Array): G2Point {
  return G2.hashToCurve(message, { DST: messageDomain }) as G2Point;
}
