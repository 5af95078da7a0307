import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSlices } from '../../../packages/kit/slices.ts';
import { createHashTree, hashLeaf } from '../../../packages/streams/block-stream/hash-tree.ts';
import { toCompleteNodes } from '../../../packages/streams/block-stream/tree-siblings.ts';
import { type PlacedItem, packSubtree } from './pack-subtree.ts';

const itemOf = (bytes: Buffer): PlacedItem => ({ bytes, leaf: null });

it('has the nodes and the root of the tree that grows leaf by leaf, for every number of items', async () => {
  for (let count = 0; count <= 70; count++) {
    const items = Array.from({ length: count }, (_, place) => randomBytes(1 + (place % 5)));
    const tree = createHashTree();
    for (const item of items) tree.addLeaf(item);
    const packed = await packSubtree(items.map(itemOf), createSlices());
    expect(packed.root).toEqual(tree.root());
    expect(items.map((_, place) => packed.itemAt(place))).toEqual(items);
    for (const [level, nodes] of toCompleteNodes(items.map(hashLeaf)).entries()) {
      expect(nodes.map((_, place) => packed.nodeAt({ level, place: BigInt(place) }))).toEqual(nodes);
    }
    expect(packed.wholeBytes).toBe(items.reduce((sum, { length }) => sum + length, 0));
  }
});

it('an item of which only the hash is known has its place, and no bytes', async () => {
  const [first, hidden, last] = [Buffer.of(1), Buffer.of(2, 2), Buffer.of(3, 3, 3)];
  const whole = await packSubtree([first, hidden, last].map(itemOf), createSlices());
  const placed = [itemOf(first), { bytes: null, leaf: hashLeaf(hidden) }, itemOf(last)];
  const packed = await packSubtree(placed, createSlices());
  expect([0, 1, 2].map(packed.itemAt)).toEqual([first, null, last]);
  expect([packed.root, packed.wholeBytes]).toEqual([whole.root, null]);
});

it('nothing of what it was made of stays in memory with it', async () => {
  const read = Buffer.alloc(1024 * 1024, 7);
  const packed = await packSubtree([itemOf(read.subarray(0, 10)), itemOf(read.subarray(10, 30))], createSlices());
  const held = [packed.itemAt(1)!, packed.root, packed.nodeAt({ level: 1, place: 0n })];
  // Two items; three nodes and the root.
  expect(held.map(({ buffer }) => buffer.byteLength)).toEqual([30, 192, 192]);
});

it('a large one leaves the thread to others in between, also within an item', async () => {
  const small = Array.from({ length: 60_000 }, (_, place) => itemOf(Buffer.from(`item ${place}`)));
  const placed = [...small, itemOf(randomBytes(30 * 1024 * 1024))];
  const own: number[] = [];
  let isDone = false;
  let before = process.threadCpuUsage();
  // Processor time, because other programs run on this machine.
  const others = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      const { user, system } = process.threadCpuUsage(before);
      before = process.threadCpuUsage();
      own.push((user + system) / 1000);
    }
  })();
  const { root } = await packSubtree(placed, createSlices());
  isDone = true;
  await others;
  const tree = createHashTree();
  for (const { bytes } of placed) tree.addLeaf(bytes!);
  expect(root).toEqual(tree.root());
  // Slices of some 20 ms, of some 300; without a pause one of them is all. The garbage of 30 MiB may be in one, too.
  const all = own.reduce((sum, each) => sum + each, 0);
  expect(Math.max(...own)).toBeLessThan(all / 2);
});
