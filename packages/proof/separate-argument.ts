// The argument of a hinTS signature with four quotients: four identities of numbers at a challenge, then openings of
// the commitments.
import { concatBytes } from '@noble/curves/utils.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { scalarField } from './bls12-points.ts';
import { writeScalar } from './field-bytes.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { type HintsEquations, identityParts } from './hints-equations.ts';
import type { HintsKey } from './hints-key.ts';
import type { SeparateSignature } from './hints-signature.ts';
import { refuse } from './proof-refusal.ts';

const F = scalarField;
const challengeDomain = utf8ToBytes('HINTS_SIG_BLS12381:FIAT_SHAMIR');
/** A later version drew the challenge in another domain, and opened in another way. */
const otherDomain = utf8ToBytes('HINTS_SIG_BLS12381:FIAT_SHAMIR_HINTS');

/** The two openings as terms of sums. Throws ProofRefusal where the numbers contradict each other. */
export function argueSeparate(key: HintsKey, proof: SeparateSignature): HintsEquations {
  const x = makeChallenge(key, proof);
  const wrong = findContradiction(key, proof, x);
  if (wrong !== null) {
    const isOther = findContradiction(key, proof, makeChallenge(key, proof, otherDomain)) === null;
    if (isOther) refuse('generation', 'a hinTS signature of this length', 'one made by another version of the library');
    refuse('argument', wrong, 'values that contradict it');
  }
  const { values, quotients, weight } = proof;
  const [q1, q2, q3, q4] = quotients;
  const [value1, value2, value3, value4] = values.quotients;
  // Weights of signers alone: those of the key less the signed weight in the last place.
  return {
    here: x,
    opened: [
      [[proof.sum, 1n]],
      [
        [key.weights, 1n],
        [key.last, F.neg(weight)],
      ],
      [[proof.signers, 1n]],
      [[q1, 1n]],
      [[q3, 1n]],
      [[q2, 1n]],
      [[q4, 1n]],
    ],
    claimed: [values.sum, values.weight, values.signer, value1, value3, value2, value4],
    batch: x,
  };
}

export function makeChallenge({ compressed }: HintsKey, proof: SeparateSignature, domain = challengeDomain): bigint {
  const { signers, sum, keyRemainder, keyQuotient, keyRemainderShifted, quotients } = proof;
  const points = [signers, sum, keyRemainder, keyQuotient, keyRemainderShifted, ...quotients];
  const message = concatBytes(
    compressed.keysAndTau,
    proof.aggregateKey.toBytes(true),
    writeScalar(proof.weight),
    compressed.weights,
    ...points.map((point) => point.toBytes(true)),
  );
  return hashToScalar(message, domain, F.ORDER);
}

/**
 * The polynomials behind the commitments are what they should be, at one place that their maker could not choose; null:
 * they are.
 */
function findContradiction(key: HintsKey, { values }: SeparateSignature, x: bigint): string | null {
  const { vanishing, last } = identityParts(key, x);
  const { sum, sumBefore, weight, signer, quotients } = values;
  const [q1, q2, q3, q4] = quotients;
  const identities: readonly (readonly [name: string, left: bigint, quotient: bigint])[] = [
    ['the sum grows by the weights of signers', F.sub(F.sub(sum, sumBefore), F.mul(weight, signer)), q1],
    ['each node signed or did not', F.sub(F.sqr(signer), signer), q2],
    ['the sum ends at 0', F.mul(last, sum), q3],
    ['the last place is marked', F.mul(last, F.sub(signer, F.ONE)), q4],
  ];
  return identities.find(([, left, quotient]) => left !== F.mul(quotient, vanishing))?.[0] ?? null;
}
