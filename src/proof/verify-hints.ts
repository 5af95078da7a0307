// Whether a hinTS signature is of a block root, by more than half of the weight of its key. Four identities of numbers, then five
// equations of pairings, of which one product is tested: each has its random factor, so that none makes up for another.
import { bytesToNumberBE, concatBytes } from '@noble/curves/utils.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { hashToG2, isPairingProductOne, type Pairing, prepareG2, scalarField, sumOfProducts } from './bls12-points.ts';
import { writeScalar } from './field-bytes.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import type { HintsKey } from './hints-key.ts';
import type { HintsSignature } from './hints-signature.ts';
import { refuse } from './proof-refusal.ts';

/** So many bytes that nobody can foresee. */
export type RandomBytes = (length: number) => Uint8Array;

const challengeDomain = utf8ToBytes('HINTS_SIG_BLS12381:FIAT_SHAMIR');
const factorLength = 16;
/** Weights are int64. */
const maxWeight = (1n << 63n) - 1n;

/**
 * The root of `roots` that was signed: a block may have two forms of it. `random`: asked once the signature is decoded, so
 * that its maker cannot know the factors. Throws ProofRefusal.
 */
export function verifyHints(
  key: HintsKey,
  proof: HintsSignature,
  roots: readonly Uint8Array[],
  random: RandomBytes,
): Uint8Array {
  checkWeight(key, proof);
  if (proof.aggregateKey.is0() || proof.signature.is0()) {
    refuse('signature', 'a key and a signature other than zero', 'the point at infinity');
  }
  const challenge = makeChallenge(key, proof);
  checkIdentities(key, proof, challenge);
  const argument = foldArgument(key, proof, challenge, random);
  const signature: Pairing = [key.generator.negate(), prepareG2(proof.signature)];
  const messages: Pairing[] = [];
  for (const root of roots) {
    const message: Pairing = [proof.aggregateKey, prepareG2(hashToG2(root))];
    if (isPairingProductOne([...argument, message, signature])) return root;
    messages.push(message);
  }
  if (messages.some((message) => isPairingProductOne([message, signature]))) {
    refuse('argument', 'an aggregate key that is the sum of the keys of the signers', 'one that is not');
  }
  return refuse('signature', 'a signature of the block root', 'one of something else');
}

function checkWeight({ totalWeight }: HintsKey, { weight }: HintsSignature): void {
  if (totalWeight > maxWeight) refuse('threshold', `a total weight of at most ${maxWeight}`, `${totalWeight}`);
  if (weight > totalWeight) refuse('threshold', `at most the total weight, ${totalWeight}`, `${weight}`);
  if (2n * weight <= totalWeight) refuse('threshold', `more than half of the weight, ${totalWeight}`, `${weight}`);
}

export function makeChallenge({ compressed }: HintsKey, proof: HintsSignature): bigint {
  const { signers, sum, keyRemainder, keyQuotient, keyRemainderShifted, quotients } = proof;
  const points = [signers, sum, keyRemainder, keyQuotient, keyRemainderShifted, ...quotients];
  const message = concatBytes(
    compressed.keysAndTau,
    proof.aggregateKey.toBytes(true),
    writeScalar(proof.weight),
    compressed.weights,
    ...points.map((point) => point.toBytes(true)),
  );
  return hashToScalar(message, challengeDomain, scalarField.ORDER);
}

/** The polynomials behind the commitments are what they should be, at one place that their maker could not choose. */
function checkIdentities({ size, omega }: HintsKey, { values }: HintsSignature, x: bigint): void {
  const F = scalarField;
  const lastPlace = F.inv(omega);
  const fromLast = F.sub(x, lastPlace);
  const vanishing = F.sub(F.pow(x, size), F.ONE);
  if (F.is0(fromLast)) refuse('argument', 'a challenge outside of the domain', 'its last place');
  const last = F.div(F.mul(F.div(lastPlace, F.create(size)), vanishing), fromLast);
  const { sum, sumBefore, weight, signer, quotients } = values;
  const [q1, q2, q3, q4] = quotients;
  const identities: readonly (readonly [name: string, left: bigint, quotient: bigint])[] = [
    ['the sum grows by the weights of signers', F.sub(F.sub(sum, sumBefore), F.mul(weight, signer)), q1],
    ['each node signed or did not', F.sub(F.sqr(signer), signer), q2],
    ['the sum ends at 0', F.mul(last, sum), q3],
    ['the last place is marked', F.mul(last, F.sub(signer, F.ONE)), q4],
  ];
  for (const [name, left, quotient] of identities) {
    if (left !== F.mul(quotient, vanishing)) refuse('argument', name, 'values that contradict it');
  }
}

/** The equations of the argument as factors of one product: openings at two places, aggregate key, degree. */
function foldArgument(key: HintsKey, proof: HintsSignature, x: bigint, random: RandomBytes): Pairing[] {
  const F = scalarField;
  const factor = () => bytesToNumberBE(random(factorLength));
  const [here, before, aggregate, degree] = [factor(), factor(), factor(), factor()];
  const { values, quotients } = proof;
  const powers = [F.ONE];
  while (powers.length < 7) powers.push(F.mul(powers.at(-1)!, x));
  // At the challenge: sum, weights without the signed weight, signers and quotients, in this order.
  const opened = [
    values.sum,
    values.weight,
    values.signer,
    values.quotients[0],
    values.quotients[2],
    values.quotients[1],
  ];
  const claimed = [...opened, values.quotients[3]].reduce(
    (sum, value, place) => F.add(sum, F.mul(powers[place]!, value)),
    0n,
  );
  const at = (place: number) => F.mul(here, powers[place]!);
  const generators = sumOfProducts([
    [proof.sum, F.add(here, before)],
    [key.weights, at(1)],
    [key.last, F.neg(F.mul(at(1), proof.weight))],
    [proof.signers, at(2)],
    [quotients[0], at(3)],
    [quotients[2], at(4)],
    [quotients[1], at(5)],
    [quotients[3], at(6)],
    [key.generator, F.neg(F.add(F.mul(here, claimed), F.mul(before, values.sumBefore)))],
    [proof.opening, at(1)],
    [proof.openingBefore, F.mul(before, F.div(x, key.omega))],
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
