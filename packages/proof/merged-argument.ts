// The argument of a hinTS signature with one merged quotient. Its challenges are drawn one after the other of all that
// was said before, from the whole key on.
import { concatBytes } from '@noble/curves/utils.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { scalarField } from './bls12-points.ts';
import { writeScalar } from './field-bytes.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { type HintsEquations, identityParts } from './hints-equations.ts';
import type { HintsKey } from './hints-key.ts';
import type { MergedSignature } from './hints-signature.ts';
import { refuse } from './proof-refusal.ts';

const F = scalarField;
const domainOf = (name: string) => utf8ToBytes(`HINTS_SIG_BLS12381:FIAT_SHAMIR_V2_${name}`);
const mergeDomain = domainOf('QUOTIENT_MERGE');
const placeDomain = domainOf('EVALUATION_POINT');
const batchDomain = domainOf('OPENING_BATCH');

/** The two openings as terms of sums. Throws ProofRefusal where the numbers contradict each other. */
export function argueMerged(key: HintsKey, proof: MergedSignature): HintsEquations {
  const { merge, place, batch } = makeChallenges(key, proof);
  checkIdentity(key, proof, merge, place);
  const { sum, signer, weight, quotient } = proof.values;
  return {
    here: place,
    opened: [[[proof.quotient, 1n]], [[proof.sum, 1n]], [[proof.signers, 1n]], [[key.weights, 1n]]],
    claimed: [quotient, sum, signer, weight],
    batch,
  };
}

/** Of merging the quotients, the place of the evaluation, and of opening several commitments at once. */
export function makeChallenges({ compressed }: HintsKey, proof: MergedSignature) {
  const { signers, sum, keyRemainder, keyQuotient, keyRemainderShifted, values } = proof;
  const points = [signers, sum, keyRemainder, keyQuotient, keyRemainderShifted];
  let said = concatBytes(
    compressed.whole,
    proof.aggregateKey.toBytes(true),
    writeScalar(proof.weight),
    ...points.map((point) => point.toBytes(true)),
  );
  const merge = hashToScalar(said, mergeDomain, F.ORDER);
  said = concatBytes(said, proof.quotient.toBytes(true));
  const place = hashToScalar(said, placeDomain, F.ORDER);
  const claimed = [values.sum, values.sumBefore, values.weight, values.signer, values.quotient];
  said = concatBytes(said, ...claimed.map(writeScalar));
  return { merge, place, batch: hashToScalar(said, batchDomain, F.ORDER) };
}

/**
 * Four identities in powers of a challenge. The weights are those of the key; the signed weight stands in the last
 * place.
 */
function checkIdentity(key: HintsKey, { values, weight: signed }: MergedSignature, merge: bigint, place: bigint): void {
  const { vanishing, last } = identityParts(key, place);
  const { sum, sumBefore, weight, signer, quotient } = values;
  const ofSigners = F.sub(weight, F.mul(signed, last));
  const identities = [
    F.sub(F.sub(sum, sumBefore), F.mul(ofSigners, signer)),
    F.sub(F.sqr(signer), signer),
    F.mul(last, sum),
    F.mul(last, F.sub(signer, F.ONE)),
  ];
  const merged = identities.reduceRight((total, identity) => F.add(F.mul(total, merge), identity), F.ZERO);
  if (merged !== F.mul(quotient, vanishing)) {
    refuse('argument', 'sum, weights and marks of the signers that fit each other', 'values that contradict it');
  }
}
