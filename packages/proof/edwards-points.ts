// Points of the twisted Edwards curve over the scalar field of BN254 that history keys lie on: a = 1, d =
// 168696/168700, cofactor 8. Little endian, x and y. It is not the curve of the same field with a = 168700.
import { edwards } from '@noble/curves/abstract/edwards.js';
import { bn254_Fr } from '@noble/curves/bn254.js';
import { concatBytes } from '@noble/curves/utils.js';
import { readScalar, scalarLength, writeScalar } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

const d = 9706598848417545097372247223557719406784115219466060233080913168975159366771n;
export const edwardsOrder = 2736030358979909402780800718157159386076813972158567259200215660948447373041n;

const Point = edwards(
  {
    p: bn254_Fr.ORDER,
    n: edwardsOrder,
    h: 8n,
    a: 1n,
    d,
    Gx: 19698561148652590122159747500897617769866003486955115824547446575314762165298n,
    Gy: 19298250018296453272277890825869354524455968081175474282777126169995084727839n,
  },
  { Fp: bn254_Fr },
);

export type EdwardsPoint = InstanceType<typeof Point>;
export const edwardsGenerator: EdwardsPoint = Point.BASE;
export const edwardsZero: EdwardsPoint = Point.ZERO;

export const edwardsLength = 64;

/** Throws ProofRefusal. Zero is a point of the subgroup. */
export function readEdwards(bytes: Uint8Array, name: string): EdwardsPoint {
  const F = bn254_Fr;
  const x = readScalar(bytes.subarray(0, scalarLength), F.ORDER, `x of the ${name}`);
  const y = readScalar(bytes.subarray(scalarLength), F.ORDER, `y of the ${name}`);
  if (x === 0n && y === 1n) return Point.ZERO;
  const [xx, yy] = [F.sqr(x), F.sqr(y)];
  if (F.add(xx, yy) !== F.add(F.ONE, F.mul(d, F.mul(xx, yy)))) {
    refuse('encoding', `a ${name} on its curve`, 'one that is not');
  }
  const point = Point.fromAffine({ x, y });
  if (!point.isTorsionFree()) refuse('encoding', `a ${name} in the subgroup`, 'a point outside of it');
  return point;
}

export function writeEdwards(point: EdwardsPoint): Uint8Array {
  const { x, y } = point.toAffine();
  return concatBytes(writeScalar(x), writeScalar(y));
}

/** y, and in the highest bit whether x is the larger of x and −x. */
export function compressEdwards(point: EdwardsPoint): Uint8Array {
  const { x, y } = point.toAffine();
  const bytes = writeScalar(y);
  if (x > bn254_Fr.neg(x)) bytes[scalarLength - 1]! |= 0x80;
  return bytes;
}
