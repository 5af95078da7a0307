// The Merkle tree of block streams: hashes are joined in pairs as soon as there are two of one size; the rest is joined from
// the right at the end. Prefixes distinguish leaves, nodes and single children.
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
  /** Everything that it holds, in order to continue later. */
  perfectTrees(): PerfectTree[];
};

/** Holds one hash for each set bit of the number of leaves. */
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
