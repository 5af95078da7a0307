// Numbers and points of two curves in bytes, and equations of pairings.
import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { bytesToNumberLE, equalBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { check, ProofRefused, reader } from './bytes.js';

const [F, Q] = [bls.fields.Fr, bn254.fields.Fr];
export const le = (value) => numberToBytesLE(value, 32);
export const numbers = (bytes) =>
  Array.from({ length: Math.ceil(bytes.length / 32) }, (_, at) =>
    bytesToNumberLE(bytes.subarray(at * 32, at * 32 + 32)),
  );

const blsPoint = (raw, Group) => {
  const point = Group.fromBytes(raw);
  check(equalBytes(point.toBytes(false), raw), 'its bytes have another form');
  return point;
};
/** x, little-endian; of the two highest bits one says which y, the other says zero. */
const bnPoint = (raw, Group) => {
  const [{ Fp }, flags] = [Group, raw.at(-1) & 0xc0];
  const [x, high] = numbers(raw.with(-1, raw.at(-1) & 0x3f));
  if (flags === 0x40 && !x && !high) return Group.ZERO;
  const isBelow = [x, high ?? 0n].every((part) => part < bn254.fields.Fp.ORDER);
  check(isBelow && (flags & 0x40) === 0, 'its bytes have another form');
  const X = high === undefined ? x : { c0: x, c1: high };
  const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(X), X), Group.CURVE().b));
  const size = (value) => (high === undefined ? value : (value.c1 << 256n) + value.c0);
  const point = Group.fromAffine({ x: X, y: size(y) > size(Fp.neg(y)) === (flags === 0x80) ? y : Fp.neg(y) });
  point.assertValidity();
  return point;
};
export const onBls = { curve: bls, sizes: { g: 96, G: 192 }, decode: blsPoint, order: F.ORDER };
export const onBn = { curve: bn254, sizes: { g: 32, G: 64 }, decode: bnPoint, order: Q.ORDER };

/** Values one after the other: w is a word of 64 bits, s a scalar, g and G are points of the two groups. */
export function parse(bytes, layout, { curve, sizes, decode, order }, name) {
  const { take } = reader(bytes, name);
  return Array.from(layout, (kind) => {
    const raw = take({ w: 8, s: 32, ...sizes }[kind]);
    if (kind === 'w' || kind === 's') {
      check(kind === 'w' || bytesToNumberLE(raw) < order, `${name} has a number that is not below its modulus`);
      return bytesToNumberLE(raw);
    }
    try {
      return decode(raw, kind === 'g' ? curve.G1.Point : curve.G2.Point);
    } catch (error) {
      throw new ProofRefused(`${name} has a point that is none: ${error.message}`);
    }
  });
}

/** Whether e(points 0, 1) · e(points 2, 3) · … is 1. A pairing with zero is. */
export function isOne({ fields, pairingBatch }, ...points) {
  const pairs = points.flatMap((g1, at) => (at % 2 ? [] : [{ g1, g2: points[at + 1] }]));
  const live = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return live.length === 0 || fields.Fp12.eql(pairingBatch(live), fields.Fp12.ONE);
}

/** Whether the polynomial of a commitment has this value at that place. */
export const opens = (curve, [g, h, tau], commitment, value, at, proof) =>
  isOne(curve, commitment.subtract(g.multiplyUnsafe(value)).add(proof.multiplyUnsafe(at)), h, proof.negate(), tau);
