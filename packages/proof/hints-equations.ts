// What both forms of the argument of a hinTS signature have: openings of commitments at two places, the equations of
// the aggregate key and of the degree, and one product of pairings that tests them all. Each equation has its random
// factor, so that none makes up for another.
import { bytesToNumberBE } from '@noble/curves/utils.js';
import { type G1Point, type Pairing, scalarField, sumOfProducts } from './bls12-points.ts';
import type { HintsKey } from './hints-key.ts';
import type { HintsSignature } from './hints-signature.ts';
import { refuse } from './proof-refusal.ts';

/** So many bytes that cannot be foreseen. */
export type RandomBytes = (length: number) => Uint8Array;

type Terms = readonly (readonly [point: G1Point, scalar: bigint])[];

/** Commitments that are opened together, with the values that they are said to have at one place. */
export type HintsEquations = {
  here: bigint;
  opened: readonly Terms[];
  /** In the order of `opened`. */
  claimed: readonly bigint[];
  /** Its powers keep them apart. */
  batch: bigint;
};

const F = scalarField;
const factorLength = 16;

/** The equations of the argument as factors of one product: openings at two places, aggregate key, degree. */
export function foldEquations(
  key: HintsKey,
  proof: HintsSignature,
  { here: place, opened, claimed, batch }: HintsEquations,
  random: RandomBytes,
): Pairing[] {
  const factor = () => bytesToNumberBE(random(factorLength));
  const [here, before, aggregate, degree] = [factor(), factor(), factor(), factor()];
  let [power, value] = [here, 0n];
  const commitments: [G1Point, bigint][] = [];
  for (const [index, terms] of opened.entries()) {
    for (const [point, scalar] of terms) commitments.push([point, F.mul(power, scalar)]);
    value = F.add(value, F.mul(power, claimed[index]!));
    power = F.mul(power, batch);
  }
  const generators = sumOfProducts([
    ...commitments,
    [proof.sum, before],
    [key.generator, F.neg(F.add(value, F.mul(before, proof.values.sumBefore)))],
    [proof.opening, F.mul(here, place)],
    [proof.openingBefore, F.mul(before, F.div(place, key.omega))],
    [proof.aggregateKey, F.neg(aggregate)],
    [proof.keyRemainderShifted, F.neg(degree)],
  ]);
  const taus = sumOfProducts([
    [proof.opening, F.neg(here)],
    [proof.openingBefore, F.neg(before)],
    [proof.keyRemainder, F.sub(degree, aggregate)],
  ]);
  return [
    [generators, key.lines.generator],
    [taus, key.lines.tau],
    [proof.signers.multiplyUnsafe(aggregate), key.lines.keys],
    [proof.keyQuotient.multiplyUnsafe(aggregate).negate(), key.lines.vanishing],
  ];
}

/** At a place: the polynomial that is 0 in the domain, and the one that is 1 in its last place and 0 in the others. */
export function identityParts({ size, omega }: HintsKey, place: bigint): { vanishing: bigint; last: bigint } {
  const lastPlace = F.inv(omega);
  const fromLast = F.sub(place, lastPlace);
  const vanishing = F.sub(F.pow(place, size), F.ONE);
  if (F.is0(vanishing)) refuse('argument', 'a challenge outside of the domain', 'one of its places');
  return { vanishing, last: F.div(F.mul(F.div(lastPlace, F.create(size)), vanishing), fromLast) };
}
