// The tree of a block's sixteen hashes: three of its footer, then the subtrees of its items. The first of them is the
// root of the block before, so the hashes beside its way up lead from that root to this one.
import type { BlockStreamItem } from '../../streams/block-stream/block-item.ts';
import { createHashTree, hashLeaf, hashNode } from '../../streams/block-stream/hash-tree.ts';
import { findSubtree } from '../../streams/block-stream/item-subtree.ts';

export type BlockTree = {
  root: Buffer;
  /** Of the first hash, from it up; all at the right. */
  siblings: Buffer[];
};

const hashes = 16;

/** `footer`: roots of the block before, of all blocks before and of the state. */
export function createBlockTree(
  items: readonly BlockStreamItem[],
  footer: readonly Buffer[],
  timestampBytes: Uint8Array,
): BlockTree {
  const trees = Array.from({ length: hashes - footer.length }, () => createHashTree());
  for (const { kind, bytes } of items) {
    const subtree = findSubtree(kind);
    if (subtree !== null) trees[subtree]!.add(hashLeaf(bytes));
  }
  const siblings: Buffer[] = [];
  let level = [...footer, ...trees.map((tree) => tree.root())];
  while (level.length > 1) {
    siblings.push(level[1]!);
    level = level.flatMap((hash, place) => (place % 2 === 0 ? [hashNode(hash, level[place + 1]!)] : []));
  }
  return { root: hashNode(hashLeaf(timestampBytes), level[0]!), siblings };
}
