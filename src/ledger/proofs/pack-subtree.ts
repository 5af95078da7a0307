// A subtree of an opened block: the bytes of its items one after the other, and all hashes of its tree, in memory of
// their own. A Buffer for each of them would take 200 bytes more, and keep what it is a view of.

import type { Slices } from '../../../packages/kit/slices.ts';
import { sha384Length } from '../../../packages/protocol/sha384.ts';
import { hashLeaf, hashNode, startLeaf } from '../../../packages/streams/block-stream/hash-tree.ts';
import { joinNodes, planNode, type TreePlace } from '../../../packages/streams/block-stream/tree-siblings.ts';

/** `leaf`: what is known of it where it is not hashed here; `bytes` null: that is all. */
export type PlacedItem = { bytes: Buffer | null; leaf: Buffer | null };

export type ProvedSubtree = {
  count: number;
  /** null: only its hash is known. */
  itemAt(place: number): Buffer | null;
  /** The hash of a complete node. */
  nodeAt(place: TreePlace): Buffer;
  root: Buffer;
  /** Of the items; null: some of them are not here. */
  wholeBytes: number | null;
  sizeBytes: number;
};

/** Of the object beside what it holds. */
const bytesOfSubtree = 1500;
/** A larger item is hashed in parts of this size. */
const hashedAtOnce = 1024 * 1024;

export async function packSubtree(placed: readonly PlacedItem[], slices: Slices): Promise<ProvedSubtree> {
  const count = placed.length;
  const ends = new Float64Array(count);
  let total = 0;
  for (const [place, { bytes }] of placed.entries()) {
    total += bytes?.length ?? 0;
    ends[place] = total;
  }
  const items = Buffer.allocUnsafeSlow(total);
  const starts = startsOfLevels(count);
  // The last one is the root.
  const nodes = Buffer.allocUnsafeSlow((starts.at(-1)! + 1) * sha384Length);
  for (const [place, { bytes, leaf }] of placed.entries()) {
    if (slices.isOver()) await slices.next();
    bytes?.copy(items, place === 0 ? 0 : ends[place - 1]!);
    const hash = leaf ?? (bytes!.length > hashedAtOnce ? await hashInParts(bytes!, slices) : hashLeaf(bytes!));
    hash.copy(nodes, place * sha384Length);
  }
  const nodeAt = (level: number, place: number): Buffer => {
    const start = (starts[level]! + place) * sha384Length;
    return nodes.subarray(start, start + sha384Length);
  };
  for (let level = 1; level < starts.length - 1; level++) {
    const width = starts[level + 1]! - starts[level]!;
    for (let place = 0; place < width; place++) {
      if (slices.isOver()) await slices.next();
      hashNode(nodeAt(level - 1, place * 2), nodeAt(level - 1, place * 2 + 1)).copy(nodeAt(level, place));
    }
  }
  const nodeOf = ({ level, place }: TreePlace): Buffer => nodeAt(level, Number(place));
  const root = nodeAt(starts.length - 1, 0);
  joinNodes(planNode(0n, BigInt(count)), nodeOf).copy(root);
  return {
    count,
    itemAt(place) {
      const start = place === 0 ? 0 : ends[place - 1]!;
      // The message of an item is never empty.
      return start === ends[place]! ? null : items.subarray(start, ends[place]!);
    },
    nodeAt: nodeOf,
    root,
    wholeBytes: placed.some(({ bytes }) => bytes === null) ? null : total,
    sizeBytes: bytesOfSubtree + items.length + nodes.length + ends.byteLength,
  };
}

/** Where the nodes of each level begin, and where the last one ends: complete nodes only, leaves first. */
function startsOfLevels(count: number): number[] {
  const starts = [0];
  for (let width = count; width > 0; width >>= 1) starts.push(starts.at(-1)! + width);
  return starts;
}

async function hashInParts(bytes: Buffer, slices: Slices): Promise<Buffer> {
  const digest = startLeaf();
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    digest.update(bytes.subarray(at, at + hashedAtOnce));
    if (slices.isOver()) await slices.next();
  }
  return digest.digest();
}
