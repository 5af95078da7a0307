// Points of BN254 as WRAPS keys and proofs have them: x little endian, flags in the two highest bits of the last byte,
// one for the larger y and one for infinity.
import { interleavedMSMUnsafe } from '@noble/curves/abstract/curve.js';
import { bn254 } from '@noble/curves/bn254.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { toHex } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

const { G1, G2, fields } = bn254;
const { Fp, Fp2 } = fields;

export const proofField = fields.Fr;
export type Bn254G1 = InstanceType<typeof G1.Point>;
export type Bn254G2 = InstanceType<typeof G2.Point>;

export const bn254G1Length = 32;
export const bn254G2Length = 64;
const coordinateLength = 32;

const largerY = 0x80;
const infinity = 0x40;
const flagBits = largerY | infinity;

const g1B = 3n;
/** 3 / (9 + u) */
const g2B = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));

/** 32 bytes → point, or zero. Every point of the curve is in the group. Throws ProofRefusal. */
export function readBn254G1(bytes: Uint8Array, name: string): Bn254G1 {
  const split = splitFlags(bytes, name);
  if (split === null) return G1.Point.ZERO;
  const x = readCoordinate(split.value, name);
  const y = rootOf(() => Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), g1B)), name);
  const isLarger = y > Fp.neg(y);
  return G1.Point.fromAffine({ x, y: isLarger === split.isLarger ? y : Fp.neg(y) });
}

/** 64 bytes → point of the prime-order subgroup, or zero. Throws ProofRefusal. */
export function readBn254G2(bytes: Uint8Array, name: string): Bn254G2 {
  const split = splitFlags(bytes, name);
  if (split === null) return G2.Point.ZERO;
  const x = Fp2.fromBigTuple([
    readCoordinate(split.value.subarray(0, coordinateLength), name),
    readCoordinate(split.value.subarray(coordinateLength), name),
  ]);
  const y = rootOf(() => Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), g2B)), name);
  const negated = Fp2.neg(y);
  const isLarger = y.c1 === negated.c1 ? y.c0 > negated.c0 : y.c1 > negated.c1;
  const point = G2.Point.fromAffine({ x, y: isLarger === split.isLarger ? y : negated });
  if (!point.isTorsionFree()) refuse('encoding', `${name} in its subgroup`, 'a point outside of it');
  return point;
}

/** null: the point at infinity. */
function splitFlags(bytes: Uint8Array, name: string): { value: Uint8Array; isLarger: boolean } | null {
  const value = Uint8Array.from(bytes);
  const flags = value[value.length - 1]! & flagBits;
  value[value.length - 1]! &= ~flagBits;
  if ((flags & infinity) === 0) return { value, isLarger: flags === largerY };
  if (flags !== infinity || value.some((byte) => byte !== 0)) {
    refuse('encoding', `zeros for ${name} at infinity`, toHex(bytes));
  }
  return null;
}

function readCoordinate(bytes: Uint8Array, name: string): bigint {
  const value = bytesToNumberLE(bytes);
  if (value >= Fp.ORDER) refuse('encoding', `x of ${name} below its modulus`, toHex(bytes));
  return value;
}

/** The library throws where there is no root. */
function rootOf<Element>(find: () => Element, name: string): Element {
  try {
    return find();
  } catch {
    return refuse('encoding', `${name} on the curve`, 'an x without a point');
  }
}

type Lines = ReturnType<typeof bn254.utils.calcPairingPrecomputes>;
export type Bn254Pairing = readonly [point: Bn254G1, lines: Lines | null];

/** A point of G2 as pairings use it; null for zero. */
export function prepareBn254G2(point: Bn254G2): Lines | null {
  return point.is0() ? null : bn254.utils.calcPairingPrecomputes(point);
}

/** Whether the product of the pairings is 1. A pairing with zero is 1. */
export function isBn254ProductOne(pairings: readonly Bn254Pairing[]): boolean {
  const loops: [Lines, bigint, bigint][] = [];
  for (const [point, lines] of pairings) {
    if (point.is0() || lines === null) continue;
    const { x, y } = point.toAffine();
    loops.push([lines, x, y]);
  }
  return fields.Fp12.eql(fields.Fp12.finalExponentiate(bn254.millerLoopBatch(loops)), fields.Fp12.ONE);
}

/** Σ scalars · points, of points that stay: their tables are made once. */
export function prepareBn254Sum(points: Bn254G1[]): (scalars: bigint[]) => Bn254G1 {
  return interleavedMSMUnsafe(G1.Point, points, 4) as (scalars: bigint[]) => Bn254G1;
}

/** Also by 0. */
export function multiplyBn254(point: Bn254G1, scalar: bigint): Bn254G1 {
  return scalar === 0n ? G1.Point.ZERO : point.multiplyUnsafe(scalar);
}
