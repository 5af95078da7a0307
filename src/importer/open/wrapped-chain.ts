// The roots of the blocks around record files, from block 0 on: a mirror with all of them can check the root that the
// first block of a block stream names. One that began later cannot, and says so.

import { sha384Length } from '../../../packages/protocol/sha384.ts';
import { createHashTree, emptyTree, type HashTree } from '../../../packages/streams/block-stream/hash-tree.ts';
import { type WrappedBlockParts, wrapRecordFile } from '../../../packages/streams/block-stream/wrapped-block.ts';

/** The state of the chain after a block: what the next unit, of either kind, has to name. */
export type ChainPosition = {
  /** Record running hash or file hash; block root after a block of a block stream. */
  hash: Buffer;
  /**
   * Root of the last block, or of the one around its record file; two if the form is open, the newer first. null if
   * unknown.
   */
  roots: Buffer[] | null;
  /** null: any. */
  nextBlock: bigint | null;
  isBlockStream: boolean;
};

export type WrappedChain = {
  /** Root of the last block; null if unknown. */
  root(): Buffer | null;
  /** The block around this record file; null if not all blocks before are known. */
  add(parts: Omit<WrappedBlockParts, 'previousRoot' | 'allBlocksRoot'>): { root: Buffer; previousRoot: Buffer } | null;
  /** A block with a known root. */
  addRoot(number: bigint, root: Buffer): void;
  /** Trees to be stored with the current block, so that the next start begins there. */
  takeReached(): WrappedTree[];
};

/** The tree over the roots of the first blocks; hashes of its perfect trees one after the other, the largest first. */
type WrappedTree = { leafCount: bigint; hashes: Buffer };

export type WrappedChainOptions = {
  /** Roots of all blocks from 0 on, or from the end of `begun`; null if some are missing. */
  roots: AsyncIterable<Buffer> | null;
  begun?: WrappedTree | null;
  /** The tree is stored after each multiple of this many blocks. */
  keptEvery?: bigint;
};

/** Roots that are read again at a start: a fraction of a second. The trees of 100 million blocks: 2 MB. */
const blocksBetweenKept = 65_536n;

export async function createWrappedChain(options: WrappedChainOptions): Promise<WrappedChain> {
  const { roots, begun = null, keptEvery = blocksBetweenKept } = options;
  let tree: HashTree | null = roots ? createHashTree(begun ? toPerfectTrees(begun) : []) : null;
  let next = begun?.leafCount ?? 0n;
  let last: Buffer | null = null;
  let reached: WrappedTree[] = [];
  const append = (root: Buffer): void => {
    tree?.add(root);
    last = root;
    next += 1n;
    if (!tree || next % keptEvery !== 0n) return;
    reached.push({ leafCount: next, hashes: Buffer.concat(tree.perfectTrees().map(({ hash }) => hash)) });
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
    takeReached() {
      const taken = reached;
      reached = [];
      return taken;
    },
  };
}

/** A perfect tree for each set bit of the number of leaves. */
function toPerfectTrees({ leafCount, hashes }: WrappedTree) {
  const bits = leafCount.toString(2);
  const sizes = [...bits].flatMap((bit, place) => (bit === '1' ? [2 ** (bits.length - 1 - place)] : []));
  if (sizes.length * sha384Length !== hashes.length) {
    throw new Error(
      `The stored tree over ${leafCount} blocks has ${hashes.length} bytes; empty the table wrapped_block_tree`,
    );
  }
  return sizes.map((size, place) => ({
    size,
    hash: hashes.subarray(place * sha384Length, (place + 1) * sha384Length),
  }));
}
