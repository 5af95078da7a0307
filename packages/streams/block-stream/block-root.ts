// The root hash of a block, in the two forms that networks have used. Nothing in a block shows which one applies, not
// even its version: wrapped record blocks carry the version of their record. The next block names the valid root.
import type { BlockPath } from '../stream/stream-block.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { createHashTree, hashLeaf, hashNode, hashSingle } from './hash-tree.ts';
import { extensionSubtrees, findSubtree, readRedactedItem, subtrees } from './item-subtree.ts';
import { toCompleteNodes } from './tree-siblings.ts';

export type BlockRoots = {
  /** Sixteen leaves, eight of them for extensions (HAPI 0.78; wrapped record blocks). */
  sixteen: Buffer;
  /**
   * Eight leaves below a single child (HAPI 0.72 to 0.7x). null if the block has items for which that form has no
   * place.
   */
  eight: Buffer | null;
  path: BlockPath;
};

/** Throws StreamFileError for items that no rule places. */
export function computeBlockRoots(
  items: readonly BlockStreamItem[],
  footer: BlockMessages['BlockFooter'],
  timestampBytes: Uint8Array,
): BlockRoots {
  const roots = createBlockRoots();
  for (const item of items) roots.add(item);
  return roots.end(footer, timestampBytes);
}

/** The same item by item: nothing is held of them. */
export function createBlockRoots() {
  const trees = Array.from({ length: subtrees.length + extensionSubtrees }, () => createHashTree());
  let hasExtensions = false;
  return {
    /** Throws StreamFileError for an item that no rule places. */
    add({ kind, content, bytes, leaf }: BlockStreamItem): void {
      const redacted = kind === itemKinds.redactedItem ? readRedactedItem(content) : null;
      const subtree = redacted?.subtree ?? findSubtree(kind);
      if (subtree === null) return;
      hasExtensions ||= subtree >= subtrees.length;
      const hash = redacted?.hash ?? leaf;
      if (hash) trees[subtree]!.add(hash);
      else trees[subtree]!.addLeaf(bytes);
    },
    end(footer: BlockMessages['BlockFooter'], timestampBytes: Uint8Array): BlockRoots {
      const { previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash } = footer;
      const named = [previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash];
      const leaves = [...named, ...trees.map((tree) => tree.root())];
      const path = toBlockPath(leaves, timestampBytes);
      const { sixteen, eight } = foldBlockPath(previousBlockRootHash, path);
      return { sixteen, eight: hasExtensions ? null : eight, path };
    },
  };
}

function toBlockPath(leaves: readonly Buffer[], timestampBytes: Uint8Array): BlockPath {
  const levels = toCompleteNodes(leaves);
  return { timeLeaf: hashLeaf(timestampBytes), siblings: levels.slice(0, -1).map((nodes) => nodes[1]!) };
}

/** The root of a block in both forms, from the root before it. */
export function foldBlockPath(previousRoot: Buffer, { timeLeaf, siblings }: BlockPath) {
  const below = siblings.slice(0, 3).reduce(hashNode, previousRoot);
  return {
    sixteen: hashNode(timeLeaf, hashNode(below, siblings[3]!)),
    eight: hashNode(timeLeaf, hashSingle(below)),
  };
}
