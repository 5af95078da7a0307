// What the argument of a hinTS signature is made of, in both of its forms, and what comes of it.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { numberToBytesLE } from '@noble/curves/utils.js';
import type { Columns, Domain } from './hints-polynomials.ts';

const { G1, G2, fields } = bls12_381;
export type G1Point = InstanceType<typeof G1.Point>;
export type G2Point = InstanceType<typeof G2.Point>;

/** What the argument is made of. */
export type Argued = {
  domain: Domain;
  columns: Columns;
  tau: bigint;
  weights: readonly bigint[];
  /** The weight that signed, 32 bytes. */
  signed: Uint8Array;
  /** Points of the key. */
  key: { bytes: Buffer; h1: G2Point; secrets: G2Point; weights: G1Point; points: readonly (G1Point | G2Point)[] };
  /** Of the key of the signers, bits and sums, and the quotients of the key. */
  commitments: Record<'key' | 'b' | 'qx' | 'degree' | 'qz' | 'ps', G1Point>;
};

/** Points and scalars behind the sums of the signature, in their order. */
export type Argument = { points: readonly G1Point[]; scalars: readonly bigint[] };

export const inG1 = (scalar: bigint): G1Point =>
  fields.Fr.is0(scalar) ? G1.Point.ZERO : G1.Point.BASE.multiply(scalar);

export const scalarBytes = (value: bigint): Uint8Array => numberToBytesLE(value, 32);
