// The Merkle tree of block streams: hashes are joined in pairs as soon as there are two of one size; the rest is joined
// from the right at the end. Prefixes distinguish leaves, nodes and single children.
import { createHash, type Hash } from 'node:crypto';
import { sha384, sha384Length, sha384Text } from '../../protocol/sha384.ts';

const leafPrefix = Buffer.of(0);
const singlePrefix = Buffer.of(1);
const nodePrefix = Buffer.of(2);

// A leaf and a node behind their prefixes, to be hashed in one call; each is filled and hashed at once.
const leafBytes = Buffer.alloc(64 * 1024);
leafPrefix.copy(leafBytes);
const nodeBytes = Buffer.alloc(nodePrefix.length + 2 * sha384Length);
nodePrefix.copy(nodeBytes);
/** The first bytes of `leafBytes`, by their number: most leaves are short, and a view takes 104 bytes. */
const leafViews: Buffer[] = [];
const maxLeafViews = 1024;

export const hashLeaf = (content: Uint8Array): Buffer => Buffer.from(leafText(content), 'latin1');
/** For content that is added in parts. */
export const startLeaf = (): Hash => createHash('sha384').update(leafPrefix);
export const hashSingle = (child: Uint8Array): Buffer => sha384(singlePrefix, child);

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  if (left.length !== sha384Length || right.length !== sha384Length) return sha384(nodePrefix, left, right);
  nodeBytes.set(left, nodePrefix.length);
  nodeBytes.set(right, nodePrefix.length + sha384Length);
  return Buffer.from(sha384Text(nodeBytes), 'latin1');
}

/** The root of a tree without leaves. */
export const emptyTree: Buffer = sha384(leafPrefix);

type PerfectTree = { size: number; hash: Buffer };

export type HashTree = {
  add(hash: Buffer): void;
  /** As `add` of the hash of a leaf with this content. */
  addLeaf(content: Uint8Array): void;
  root(): Buffer;
  /** Everything that it holds, in order to continue later. */
  perfectTrees(): PerfectTree[];
};

/** Holds one hash for each set bit of the number of leaves, as text: nothing outlives the call but a short string. */
export function createHashTree(begun: readonly PerfectTree[] = []): HashTree {
  const sizes = begun.map(({ size }) => size);
  const hashes = begun.map(({ hash }) => hash.toString('latin1'));
  const addText = (leaf: string): void => {
    let size = 1;
    let hash = leaf;
    for (; sizes.at(-1) === size; size *= 2) {
      sizes.pop();
      hash = nodeText(hashes.pop()!, hash);
    }
    sizes.push(size);
    hashes.push(hash);
  };
  return {
    add: (hash) => addText(hash.toString('latin1')),
    addLeaf: (content) => addText(leafText(content)),
    perfectTrees: () => sizes.map((size, place) => ({ size, hash: Buffer.from(hashes[place]!, 'latin1') })),
    root: () =>
      hashes.length === 0
        ? emptyTree
        : Buffer.from(
            hashes.reduceRight((right, left) => nodeText(left, right)),
            'latin1',
          ),
  };
}

function leafText(content: Uint8Array): string {
  const end = leafPrefix.length + content.length;
  if (end > leafBytes.length) return sha384(leafPrefix, content).toString('latin1');
  leafBytes.set(content, leafPrefix.length);
  if (end >= maxLeafViews) return sha384Text(leafBytes.subarray(0, end));
  leafViews[end] ??= leafBytes.subarray(0, end);
  return sha384Text(leafViews[end]);
}

function nodeText(left: string, right: string): string {
  nodeBytes.write(left, nodePrefix.length, sha384Length, 'latin1');
  nodeBytes.write(right, nodePrefix.length + sha384Length, sha384Length, 'latin1');
  return sha384Text(nodeBytes);
}
