// The roots of the blocks around record files, kept from block 0 on: a mirror that has them all can check the root that the
// first block of a block stream names. One that began later cannot, and says so.
import { createHashTree, emptyTree, type HashTree } from '../../protocol/block-stream/hash-tree.ts';
import { type WrappedBlockParts, wrapRecordFile } from '../../protocol/block-stream/wrapped-block.ts';

export type WrappedChain = {
  /** Root of the last block; null when it cannot be told. */
  root(): Buffer | null;
  /** The block around this record file; null when the blocks before are not all known. */
  add(parts: Omit<WrappedBlockParts, 'previousRoot' | 'allBlocksRoot'>): { root: Buffer; previousRoot: Buffer } | null;
  /** A block whose root is known. */
  addRoot(number: bigint, root: Buffer): void;
};

/** @param roots of all blocks from 0 on; null when some are missing */
export async function createWrappedChain(roots: AsyncIterable<Buffer> | null): Promise<WrappedChain> {
  let tree: HashTree | null = roots ? createHashTree() : null;
  let next = 0n;
  let last: Buffer | null = null;
  const append = (root: Buffer): void => {
    tree?.add(root);
    last = root;
    next += 1n;
  };
  if (roots) for await (const root of roots) append(root);

  return {
    root: () => (tree ? last : null),
    add(parts) {
      if (!tree || parts.number !== next) {
        tree = null;
        return null;
      }
      const previousRoot = last ?? emptyTree;
      const { root } = wrapRecordFile({ ...parts, previousRoot, allBlocksRoot: tree.root() });
      append(root);
      return { root, previousRoot };
    },
    addRoot(number, root) {
      if (number === next) append(root);
      else {
        tree = null;
        last = root;
      }
    },
  };
}
