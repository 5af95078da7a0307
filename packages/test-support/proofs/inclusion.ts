// A second reading of packages/streams/block-stream/tree-siblings.ts, by another way: that a hash is a leaf of a tree
// that grew leaf by leaf, as an item of a subtree of its block, or a block of the history that a later block signs.
// Such a tree is divided at the largest power of two below the number of its leaves, and each half again.
import { hashNode } from '../../proof/hash-nodes.ts';
import { refuse } from '../../proof/proof-refusal.ts';

/** Counted from 0. */
export type LeafPlace = { index: bigint; count: bigint };

/**
 * The root above a leaf at this place, with its siblings from the leaf up. Throws ProofRefusal where there are more or
 * fewer.
 */
export function foldInclusion(leaf: Uint8Array, place: LeafPlace, siblings: readonly Uint8Array[]): Uint8Array {
  const sides = sidesOf(place);
  if (siblings.length !== sides.length) {
    refuse('statePath', `${sides.length} siblings of leaf ${place.index} of ${place.count}`, `${siblings.length}`);
  }
  return siblings.reduce(
    (hash, sibling, level) => (sides[level] ? hashNode(sibling, hash) : hashNode(hash, sibling)),
    leaf,
  );
}

/** Of each sibling from the leaf up, whether it is at the left. */
function sidesOf({ index, count }: LeafPlace): boolean[] {
  if (index < 0n || index >= count || count > maxLeaves)
    refuse('statePath', 'a leaf of the tree', `${index} of ${count}`);
  const sides: boolean[] = [];
  let [at, size] = [index, count];
  while (size > 1n) {
    const half = halfOf(size);
    const isRight = at >= half;
    sides.push(isRight);
    [at, size] = isRight ? [at - half, size - half] : [at, half];
  }
  return sides.reverse();
}

/** Numbers of blocks are int64. */
const maxLeaves = 1n << 63n;

/** The largest power of two below. */
function halfOf(size: bigint): bigint {
  return 1n << BigInt((size - 1n).toString(2).length - 1);
}

/** The siblings of one of the leaves, from it up. */
export function findSiblings(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leaves.length <= 1) return [];
  const half = Number(halfOf(BigInt(leaves.length)));
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return index < half
    ? [...findSiblings(left, index), rootOf(right)]
    : [...findSiblings(right, index - half), rootOf(left)];
}

function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!;
  const half = Number(halfOf(BigInt(leaves.length)));
  return hashNode(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}
