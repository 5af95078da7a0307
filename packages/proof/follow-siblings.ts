// From the root of a block to the root of a later one: it is the first leaf of the next block's tree. On the way up
// from there are four siblings at the right, or three and a single child in the older form, then the timestamp of that
// block at the left; the last block's timestamp is given apart.
import { type Sibling, siblingsOfStep } from './block-proof.ts';
import { hashLeaf, hashNode, hashSingle } from './hash-nodes.ts';
import { refuse } from './proof-refusal.ts';

/** By how many blocks the signed one is later. */
export function countSteps({ length }: readonly Sibling[]): bigint {
  return BigInt(Math.ceil(length / siblingsOfStep));
}

/** `root`, `steps`: of the signed block. Throws ProofRefusal where the siblings have another shape. */
export function followSiblings(
  root: Uint8Array,
  siblings: readonly Sibling[],
  timestamp: Uint8Array,
): { root: Uint8Array; steps: bigint } {
  if (siblings.length % siblingsOfStep !== siblingsOfStep - 1) {
    refuse('statePath', 'four siblings of each block and one between two', `${siblings.length}`);
  }
  let hash = root;
  for (const [place, sibling] of siblings.entries()) {
    const level = place % siblingsOfStep;
    const isTime = level === siblingsOfStep - 1;
    if (sibling.isLeft !== isTime)
      refuse('statePath', `sibling ${place} at the ${isTime ? 'left' : 'right'}`, 'the other');
    if (sibling.hash) hash = isTime ? hashNode(sibling.hash, hash) : hashNode(hash, sibling.hash);
    else if (level === singleLevel) hash = hashSingle(hash);
    else refuse('statePath', `a hash of sibling ${place}`, 'none');
  }
  return { root: hashNode(hashLeaf(timestamp), hash), steps: countSteps(siblings) };
}

/** Where the older form has a single child. */
const singleLevel = 3;
