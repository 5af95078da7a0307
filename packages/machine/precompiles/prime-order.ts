// Whether points of the curves are in their groups of prime order: an endomorphism that is a known factor there, and a
// short multiple of the point, instead of the multiple of 255 bits. Two to four times as fast as the library's own
// checks.
import { psiFrobenius } from '@noble/curves/abstract/tower.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import {
  type Complex,
  createJacobianCurve,
  createLazyComplexField,
  createLazyField,
  type JacobianPoint,
  type LazyField,
} from './jacobian.ts';

/** Affine, on the curve. */
type Affine<T> = { x: T; y: T };

const blsOrder = bls12_381.fields.Fp.ORDER;
/** The parameter of BLS12-381 without its sign. */
const blsX = 0xd201000000010000n;
/** A cube root of one: (βx, y) is the point times −x² in the group. */
const beta = 0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffen;

const blsField = createLazyField(blsOrder);
const blsG1 = createJacobianCurve(blsField);
const blsComplex = createLazyComplexField(blsOrder);
const blsG2 = createJacobianCurve(blsComplex);

/** [x²]P = −φ(P): eprint 2021/1130, 6. */
export function isInBlsG1({ x, y }: Affine<bigint>): boolean {
  const multiple = blsG1.multiply(blsG1.multiply({ x, y, z: 1n }, blsX), blsX);
  return blsG1.isEqual(multiple, { x: blsField.mul(x, beta), y: -y, z: 1n });
}

/** [x]P = ψ(P), where x is below zero: eprint 2021/1130, 4. */
export function isInBlsG2(point: Affine<Complex>): boolean {
  const start = { ...point, z: blsComplex.one };
  const multiple = blsG2.multiply(start, blsX);
  return blsG2.isEqual({ ...multiple, y: blsComplex.sub({ c0: 0n, c1: 0n }, multiple.y) }, blsPsi()(start));
}

/** The parameter of BN254. */
const bnX = 4965661367192848881n;
const bnComplex = createLazyComplexField(bn254.fields.Fp.ORDER);
const bnG2 = createJacobianCurve(bnComplex);

/**
 * [x+1]P + ψ([x]P) + ψ²([x]P) = ψ³([2x]P): eprint 2022/348, 3 and 5.1. No point of another prime order fulfils it: for
 * none of the factors of the cofactor the polynomials of this and of ψ have a root in common.
 */
export function isInBnG2(point: Affine<Complex>): boolean {
  const psi = bnPsi();
  const start = { ...point, z: bnComplex.one };
  const multiple = bnG2.multiply(start, bnX);
  const once = psi(multiple);
  const twice = psi(once);
  const sum = bnG2.add(bnG2.add(bnG2.add(multiple, start), once), twice);
  return bnG2.isEqual(sum, psi(psi(psi(bnG2.add(multiple, multiple)))));
}

type Psi = (point: JacobianPoint<Complex>) => JacobianPoint<Complex>;

/** Its factors take milliseconds: only where they are needed. */
function createPsi(read: () => { PSI_X: Complex; PSI_Y: Complex }, { mul }: LazyField<Complex>): () => Psi {
  let psi: Psi | null = null;
  const conjugate = ({ c0, c1 }: Complex): Complex => ({ c0, c1: -c1 });
  return () => {
    if (psi) return psi;
    const { PSI_X: forX, PSI_Y: forY } = read();
    psi = ({ x, y, z }) => ({ x: mul(conjugate(x), forX), y: mul(conjugate(y), forY), z: conjugate(z) });
    return psi;
  };
}

const blsPsi = createPsi(() => {
  const { Fp, Fp2 } = bls12_381.fields;
  return psiFrobenius(Fp, Fp2, Fp2.div(Fp2.ONE, Fp2.NONRESIDUE));
}, blsComplex);
const bnPsi = createPsi(() => {
  const { Fp, Fp2 } = bn254.fields;
  return psiFrobenius(Fp, Fp2, Fp2.NONRESIDUE);
}, bnComplex);
