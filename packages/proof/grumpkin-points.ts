// Points of Grumpkin, y² = x³ − 17 over the scalar field of BN254, that history keys of ledgers with an id of 64 bytes
// lie on. x little endian; in the highest bits of the last byte whether y is odd, and infinity. Every point of the
// curve is in the group.
import { weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { bn254, bn254_Fr } from '@noble/curves/bn254.js';
import { bytesToNumberLE, concatBytes } from '@noble/curves/utils.js';
import { scalarLength, toHex, writeScalar } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

/** The two curves have each other's fields. */
export const grumpkinOrder = bn254.fields.Fp.ORDER;

const b = bn254_Fr.neg(17n);
const Point = weierstrass(
  {
    p: bn254_Fr.ORDER,
    n: grumpkinOrder,
    h: 1n,
    a: 0n,
    b,
    Gx: 1n,
    Gy: 17631683881184975370165255887551781615748388533673675138860n,
  },
  { Fp: bn254_Fr },
);

export type GrumpkinPoint = InstanceType<typeof Point>;
export const grumpkinGenerator: GrumpkinPoint = Point.BASE;

export const grumpkinLength = scalarLength;

const odd = 0x80;
const infinity = 0x40;
const flagBits = odd | infinity;

/** 32 bytes → point, or zero. Throws ProofRefusal. */
export function readGrumpkin(bytes: Uint8Array, name: string): GrumpkinPoint {
  const value = Uint8Array.from(bytes);
  const flags = value[grumpkinLength - 1]! & flagBits;
  value[grumpkinLength - 1]! &= ~flagBits;
  const x = bytesToNumberLE(value);
  if ((flags & infinity) !== 0) {
    if (flags === infinity && x === 0n) return Point.ZERO;
    refuse('encoding', `zeros for ${name} at infinity`, toHex(bytes));
  }
  if (x >= bn254_Fr.ORDER) refuse('encoding', `x of ${name} below its modulus`, toHex(bytes));
  const y = findRoot(bn254_Fr.add(bn254_Fr.mul(bn254_Fr.sqr(x), x), b), name);
  const isOdd = flags === odd;
  // The curve has an odd order: no y is 0.
  return Point.fromAffine({ x, y: ((y & 1n) === 1n) === isOdd ? y : bn254_Fr.neg(y) });
}

/** The library throws where there is no root. */
function findRoot(square: bigint, name: string): bigint {
  try {
    return bn254_Fr.sqrt(square);
  } catch {
    return refuse('encoding', `${name} on the curve`, 'an x without a point');
  }
}

/** x, y, and 1 for the point at infinity, else 0. */
export function toGrumpkinNumbers(point: GrumpkinPoint): readonly [x: bigint, y: bigint, infinity: bigint] {
  if (point.is0()) return [0n, 0n, 1n];
  const { x, y } = point.toAffine();
  return [x, y, 0n];
}

/** Those numbers as bytes, as they are hashed. */
export function writeGrumpkin(point: GrumpkinPoint): Uint8Array {
  return concatBytes(...toGrumpkinNumbers(point).map(writeScalar));
}

/** Also by 0. */
export function multiplyGrumpkin(point: GrumpkinPoint, scalar: bigint): GrumpkinPoint {
  return scalar === 0n || point.is0() ? Point.ZERO : point.multiplyUnsafe(scalar);
}
