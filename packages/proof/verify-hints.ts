// Whether a hinTS signature is of a block root, by more than half of the weight of its key.
import { hashToG2, isPairingProductOne, type Pairing, prepareG2 } from './bls12-points.ts';
import { foldEquations, type RandomBytes } from './hints-equations.ts';
import type { HintsKey } from './hints-key.ts';
import type { HintsSignature } from './hints-signature.ts';
import { argueMerged } from './merged-argument.ts';
import { refuse } from './proof-refusal.ts';
import { argueSeparate } from './separate-argument.ts';

/** Weights are int64 beside separate quotients, and 64 bits without a sign beside a merged one. */
const maxWeights = { separate: (1n << 63n) - 1n, merged: (1n << 64n) - 1n } as const;

/**
 * The root of `roots` that was signed: a block may have two forms of it. `random`: asked once the signature is decoded,
 * so that its maker cannot know the factors. Throws ProofRefusal.
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
  const equations = proof.form === 'merged' ? argueMerged(key, proof) : argueSeparate(key, proof);
  const argument = foldEquations(key, proof, equations, random);
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

function checkWeight({ totalWeight }: HintsKey, { weight, form }: HintsSignature): void {
  const maxWeight = maxWeights[form];
  if (totalWeight > maxWeight) refuse('threshold', `a total weight of at most ${maxWeight}`, `${totalWeight}`);
  if (weight > totalWeight) refuse('threshold', `at most the total weight, ${totalWeight}`, `${weight}`);
  if (2n * weight <= totalWeight) refuse('threshold', `more than half of the weight, ${totalWeight}`, `${weight}`);
}
