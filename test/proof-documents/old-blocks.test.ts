// What a proof of an old block costs: the way up the tree of all blocks before a newer one, hashed as it is, and
// accepted by the package for others. The other blocks of these ledgers all have one root, so that few nodes of a tree
// of 100 million leaves differ.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ProvenBlock, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { createHashTree, hashLeaf, hashNode } from '../../packages/streams/block-stream/hash-tree.ts';
import { createLabNetwork } from '../../packages/test-support/proofs/lab-network.ts';
import { signBlocks } from '../../packages/test-support/proofs/sign-blocks.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type BlockDocument, findLedgerId, makeBlockDocument, openBlock, topSiblings } from './make-block-document.ts';

const network = createLabNetwork({ weights: [5n, 5n, 4n], seed: 'old blocks' });
const other = Buffer.alloc(48, 7);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
/** At a block in two seconds. */
const blocksOfAYear = (365 * 86_400) / 2;
let [first, old, newer]: Buffer[] = [];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'old-blocks-'));
  const few = { nodes: 1, blocks: 6, transactions: 4, signEvery: 6 };
  await writeNetwork({ folder, seed: 'old blocks', format: 'blocks', ...few });
  [first, , , old, , newer] = signBlocks(readBlocks(join(folder, 'blocks')), { network });
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['a year old, of a ledger that is as old', 0, blocksOfAYear, 24, 3_167],
  // It lies in the smaller half at the right.
  ['a year old, of a ledger of 100 million blocks', 100_000_000 - blocksOfAYear, 100_000_000, 26, 3_376],
  ['the first of a ledger of 100 million blocks', 0, 100_000_000, 27, 3_494],
])('a block %s', (_name, index, count, siblings, pathBytes) => {
  it(`has ${siblings} siblings in the history, and its proof is accepted`, () => {
    const ledgerId = findLedgerId(first!);
    const [oldRoot, { history, signedRoot, document }] = prove(index, count);
    expect(history.length).toBe(siblings);
    const proven = verifyProof(document, { ledgerId }) as ProvenBlock;
    expect([proven.root, proven.signedRoot, proven.items.length]).toEqual([hex(oldRoot), hex(signedRoot), 2]);
    // Another place in the same tree is another root.
    const [step] = document.path;
    const moved = { ...document, path: [{ ...step!, history: [...history.slice(1), history[0]] }] };
    expect(() => verifyProof(moved, { ledgerId })).toThrow('root');
  });

  it(`has a path of ${pathBytes} bytes of JSON, more than half of its proof where the root is known`, () => {
    const [, { history, document, signedRoot }] = prove(index, count);
    expect(JSON.stringify(document.path).length).toBe(pathBytes);
    expect(history.every((side) => Buffer.from(Object.values(side)[0]!, 'hex').length === 48)).toBe(true);
    const known = { ...document, proof: { known: hex(signedRoot) } };
    const sizes = [document, known].map((one) => Buffer.from(JSON.stringify(one)));
    expect(sizes[0]!.length - sizes[1]!.length).toBeGreaterThan(2 * 2920);
    expect(sizes[1]!.length).toBeLessThan(2 * pathBytes);
    expect(gzipSync(sizes[1]!).length).toBeLessThan(sizes[1]!.length * 0.65);
  });
});

it('a tree of few different leaves is the tree of all of them', () => {
  const root = openBlock(old!).rootOf('sixteen');
  for (const [index, count] of [
    [0, 1],
    [4_999, 5_000],
    [1_234, 65_537],
  ] as const) {
    const tree = createHashTree();
    for (let place = 0; place < count; place++) tree.add(place === index ? root : other);
    expect(growTree(root, index, count).root).toEqual(tree.root());
  }
});

/** The header and a transaction of the old block, through the history of a newer one. */
function prove(index: number, count: number) {
  const root = openBlock(old!).rootOf('sixteen');
  const { root: historyRoot, siblings: history } = growTree(root, index, count);
  const { hashes: before, timestamp } = openBlock(newer!);
  const hashes = [before[0]!, historyRoot, ...before.slice(2)];
  const beside = [hashes[0]!, ...topSiblings(hashes, 'sixteen')];
  const top = beside.slice(1).reduce(hashNode, hashNode(hashes[0]!, historyRoot));
  const signedRoot = hashNode(hashLeaf(timestamp), top);
  const made = makeBlockDocument({
    ...{ block: old!, form: 'sixteen', first: first! },
    single: [
      ['outputs', 0],
      ['inputs', 0],
    ],
  });
  const { book } = made.proof as Extract<BlockDocument['proof'], { signature: string }>;
  const document: BlockDocument = {
    ...made,
    path: [{ from: 'history', history, siblings: beside.map(hex), timeLeaf: hex(hashLeaf(timestamp)) }],
    proof: { signature: hex(network.sign(signedRoot, [0, 1, 2])), book },
  };
  return [root, { history, signedRoot, document }] as const;
}

type Side = { left: string } | { right: string };

/** The tree of `count` leaves, all the same but this one. */
function growTree(leaf: Buffer, index: number, count: number): { root: Buffer; siblings: Side[] } {
  if (count === 1) return { root: leaf, siblings: [] };
  const half = 2 ** Math.ceil(Math.log2(count) - 1);
  if (index < half) {
    const { root, siblings } = growTree(leaf, index, half);
    const right = growEqual(count - half);
    return { root: hashNode(root, right), siblings: [...siblings, { right: hex(right) }] };
  }
  const { root, siblings } = growTree(leaf, index - half, count - half);
  const left = growEqual(half);
  return { root: hashNode(left, root), siblings: [...siblings, { left: hex(left) }] };
}

const equal = new Map<number, Buffer>([[1, other]]);
function growEqual(count: number): Buffer {
  const known = equal.get(count);
  if (known) return known;
  const half = 2 ** Math.ceil(Math.log2(count) - 1);
  const root = hashNode(growEqual(half), growEqual(count - half));
  equal.set(count, root);
  return root;
}
