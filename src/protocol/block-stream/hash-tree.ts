// The Merkle tree of block streams: hashes as they come, joined in pairs as soon as there are two of one size; what is
// left over at the end is joined from the right. Prefixes keep leaves, nodes and single children apart.
import { sha384 } from '../sha384.ts';

const leafPrefix = Buffer.of(0);
const singlePrefix = Buffer.of(1);
const nodePrefix = Buffer.of(2);

export const hashLeaf = (content: Uint8Array): Buffer => sha384(leafPrefix, content);
export const hashSingle = (child: Uint8Array): Buffer => sha384(singlePrefix, child);
export const hashNode = (left: Uint8Array, right: Uint8Array): Buffer => sha384(nodePrefix, left, right);

/** The root of a tree without leaves. */
export const emptyTree: Buffer = sha384(leafPrefix);

type PerfectTree = { size: number; hash: Buffer };

export type HashTree = {
  add(hash: Buffer): void;
  root(): Buffer;
  /** All that it holds, to go on with later. */
  perfectTrees(): PerfectTree[];
};

/** Holds one hash for each power of two in the number of leaves. */
export function createHashTree(begun: readonly PerfectTree[] = []): HashTree {
  const perfect = [...begun];
  return {
    add(hash) {
      let tree = { size: 1, hash };
      while (perfect.at(-1)?.size === tree.size) {
        tree = { size: tree.size * 2, hash: hashNode(perfect.pop()!.hash, tree.hash) };
      }
      perfect.push(tree);
    },
    perfectTrees: () => [...perfect],
    root: () =>
      perfect.length === 0
        ? emptyTree
        : perfect.map(({ hash }) => hash).reduceRight((right, left) => hashNode(left, right)),
  };
}
