// Paths in a tree that grows leaf by leaf (hash-tree.ts). It is divided at the largest power of two below the number of
// its leaves, and each half again; so each sibling on the way up is made of few complete nodes, those over 2^level
// leaves.
import { emptyTree, hashNode } from './hash-tree.ts';

/** A complete node: over the leaves from `place` × 2^`level` on, as many as 2^`level`. Leaves have level 0. */
export type TreePlace = { level: number; place: bigint };

export type PlannedSibling = { side: 'left' | 'right'; parts: TreePlace[] };
export type Sibling = { left: Buffer } | { right: Buffer };

/** The siblings of a leaf, from it up. */
export function planSiblings(index: bigint, count: bigint): PlannedSibling[] {
  const siblings: PlannedSibling[] = [];
  for (let [first, size] = [0n, count]; size > 1n; ) {
    const half = largestPower(size - 1n);
    const isLeft = index < first + half;
    if (isLeft) siblings.push({ side: 'right', parts: planNode(first + half, size - half) });
    else siblings.push({ side: 'left', parts: planNode(first, half) });
    [first, size] = isLeft ? [first, half] : [first + half, size - half];
  }
  return siblings.reverse();
}

/**
 * The complete nodes, the largest first, of the node over these leaves. `first`: a multiple of a power of two not below
 * `count`.
 */
export function planNode(first: bigint, count: bigint): TreePlace[] {
  const parts: TreePlace[] = [];
  for (let [at, left] = [first, count]; left > 0n; ) {
    const size = largestPower(left);
    const level = size.toString(2).length - 1;
    parts.push({ level, place: at >> BigInt(level) });
    [at, left] = [at + size, left - size];
  }
  return parts;
}

/** @param nodeAt the hash of a complete node */
export function joinNodes(parts: readonly TreePlace[], nodeAt: (place: TreePlace) => Buffer): Buffer {
  return parts.length === 0 ? emptyTree : parts.map(nodeAt).reduceRight((right, left) => hashNode(left, right));
}

export function findSiblings(index: bigint, count: bigint, nodeAt: (place: TreePlace) => Buffer): Sibling[] {
  return planSiblings(index, count).map(({ side, parts }) =>
    side === 'left' ? { left: joinNodes(parts, nodeAt) } : { right: joinNodes(parts, nodeAt) },
  );
}

export function foldSiblings(leaf: Buffer, siblings: readonly Sibling[]): Buffer {
  return siblings.reduce<Buffer>(
    (hash, sibling) => ('left' in sibling ? hashNode(sibling.left, hash) : hashNode(hash, sibling.right)),
    leaf,
  );
}

/** All complete nodes over these leaves, by level. */
export function toCompleteNodes(leaves: readonly Buffer[]): Buffer[][] {
  const levels = [[...leaves]];
  for (let below = levels[0]!; below.length > 1; below = levels.at(-1)!) {
    levels.push(
      Array.from({ length: below.length >> 1 }, (_, pair) => hashNode(below[pair * 2]!, below[pair * 2 + 1]!)),
    );
  }
  return levels;
}

/** Not above `count`, which is at least 1. */
function largestPower(count: bigint): bigint {
  return 1n << BigInt(count.toString(2).length - 1);
}
