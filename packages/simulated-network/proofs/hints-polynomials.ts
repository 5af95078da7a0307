// Polynomials of a hinTS signature, given by their values in a domain of roots of unity, as a network that knows the
// secret τ of its setup computes with them: a value at τ each.
import { bls12_381 } from '@noble/curves/bls12-381.js';

const F = bls12_381.fields.Fr;

export const sumOf = (values: readonly bigint[]): bigint =>
  values.reduce((total, value) => F.add(total, value), F.ZERO);

export type Domain = {
  size: number;
  /** Z(y) = yⁿ − 1. */
  vanishing(y: bigint): bigint;
  /** 1 at a place of the domain, 0 at the others. */
  lagrange(place: number, y: bigint): bigint;
  /** One place before. */
  before(y: bigint): bigint;
  at(values: readonly bigint[], y: bigint): bigint;
};

export function createDomain(size: number): Domain {
  const n = BigInt(size);
  const omega = F.pow(7n, (F.ORDER - 1n) / n);
  const roots = Array.from({ length: size }, (_, place) => F.pow(omega, BigInt(place)));
  const vanishing = (y: bigint) => F.sub(F.pow(y, n), F.ONE);
  const lagrange = (place: number, y: bigint) =>
    F.div(F.mul(roots[place]!, vanishing(y)), F.mul(n, F.sub(y, roots[place]!)));
  return {
    size,
    vanishing,
    lagrange,
    before: (y) => F.div(y, omega),
    at: (values, y) => sumOf(values.map((value, place) => (value === 0n ? 0n : F.mul(value, lagrange(place, y))))),
  };
}

export type Columns = { bits: bigint[]; weights: bigint[]; sums: bigint[] };

/** The last place is no node's: its bit is set, and its weight takes what the signers have back to 0. */
export function toColumns(weights: readonly bigint[], size: number, signers: readonly number[]): Columns {
  const bits = new Array<bigint>(size).fill(0n);
  for (const place of [...signers, size - 1]) bits[place] = 1n;
  const signed = Array.from({ length: size }, (_, place) => weights[place] ?? 0n);
  signed[size - 1] = F.neg(signers.reduce((total, node) => total + weights[node]!, 0n));
  const sums: bigint[] = [];
  for (const [place, bit] of bits.entries()) {
    sums.push(F.add(sums[place - 1] ?? 0n, F.mul(bit, signed[place]!)));
  }
  return { bits, weights: signed, sums };
}

/** Left sides of the four identities, each a multiple of the vanishing polynomial. */
export function identitiesAt({ at, before, lagrange, size }: Domain, columns: Columns, y: bigint) {
  const [ps, psBefore] = [at(columns.sums, y), at(columns.sums, before(y))];
  const [w, b] = [at(columns.weights, y), at(columns.bits, y)];
  const last = lagrange(size - 1, y);
  return {
    ps,
    psBefore,
    w,
    b,
    grows: F.sub(F.sub(ps, psBefore), F.mul(w, b)),
    isBit: F.mul(b, F.sub(b, F.ONE)),
    ends: F.mul(last, ps),
    isMarked: F.mul(last, F.sub(b, F.ONE)),
  };
}
