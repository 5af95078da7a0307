// The chain of block roots, which the network keeps from its first block on in every format: the first block of a block
// stream after record files names the root of the block that would wrap the last of them.
import { createHashTree, emptyTree } from '../../streams/block-stream/hash-tree.ts';

/** Survives `v8.serialize`. */
export type BlockChainState = { lastRoot: Buffer; trees: { size: number; hash: Buffer }[] };

export const newBlockChain: BlockChainState = { lastRoot: emptyTree, trees: [] };

/** The root of all blocks' roots so far. */
export function allBlocksRoot({ trees }: BlockChainState): Buffer {
  return createHashTree(trees).root();
}

export function withRoot({ trees }: BlockChainState, root: Buffer): BlockChainState {
  const tree = createHashTree(trees);
  tree.add(root);
  return { lastRoot: root, trees: tree.perfectTrees() };
}
