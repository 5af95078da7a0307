// State proofs over blocks that are made here: from any block to any later one, in both forms of the root.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sha384 } from '../protocol/sha384.ts';
import { bytesField, intField, messageField, type WireField } from '../protocol/wire-writer.ts';
import { itemKinds, writeItem } from '../streams/block-stream/block-item.ts';
import { computeBlockRoots } from '../streams/block-stream/block-root.ts';
import { emptyTree, hashLeaf, hashNode } from '../streams/block-stream/hash-tree.ts';
import { readBlockProof, type Sibling } from './block-proof.ts';
import { followSiblings } from './follow-siblings.ts';

type Made = { root: Buffer; timestamp: Buffer; siblings: Sibling[] };

/** A block behind `previous`, with what stands beside the previous root on the way up. */
function makeBlock(previous: Buffer, number: number, isEight: boolean): Made {
  const timestamp = Buffer.of(8, number);
  const items = [
    writeItem(itemKinds.blockHeader, Buffer.of(8, number)),
    writeItem(itemKinds.signedTransaction, Buffer.of(9)),
  ];
  const [history, state] = [sha384(Buffer.of(1, number)), sha384(Buffer.of(2, number))];
  const footer = {
    previousBlockRootHash: previous,
    rootHashOfAllBlockHashesTree: history,
    startOfBlockStateRootHash: state,
  };
  const roots = computeBlockRoots(items, footer, timestamp);
  const [outputs, inputs] = items.map(({ bytes }) => hashLeaf(bytes)) as [Buffer, Buffer];
  const empty2 = hashNode(emptyTree, emptyTree);
  const right = [history, hashNode(state, emptyTree), hashNode(hashNode(inputs, outputs), empty2)];
  const eighth = hashNode(hashNode(empty2, empty2), hashNode(empty2, empty2));
  const hashes = [...right, isEight ? null : eighth];
  return {
    root: isEight ? roots.eight! : roots.sixteen,
    timestamp,
    siblings: hashes.map((hash) => ({ isLeft: false, hash })),
  };
}

/** Blocks of which each names the one before it, and the way from the first to the last. */
function makeChain(forms: readonly boolean[]): { first: Buffer; last: Made; siblings: Sibling[] } {
  const first = sha384(Buffer.of(0));
  const siblings: Sibling[] = [];
  let last: Made | null = null;
  for (const [number, isEight] of forms.entries()) {
    if (last) siblings.push({ isLeft: true, hash: hashLeaf(last.timestamp) });
    last = makeBlock(last?.root ?? first, number + 1, isEight);
    siblings.push(...last.siblings);
  }
  return { first, last: last!, siblings };
}

const forms = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });

test('the siblings lead to the root of the last block, and say how many there are between', () => {
  fc.assert(
    fc.property(forms, (chain) => {
      const { first, last, siblings } = makeChain(chain);
      const { root, steps } = followSiblings(first, siblings, last.timestamp);
      expect(Buffer.from(root)).toEqual(last.root);
      expect(steps).toBe(BigInt(chain.length));
    }),
  );
});

describe('siblings of another shape are refused', () => {
  const { first, last, siblings } = makeChain([false, true]);
  const changed = (place: number, sibling: Partial<Sibling>) =>
    siblings.map((one, at) => (at === place ? { ...one, ...sibling } : one));

  it.each([
    ['none at all', [], 'found 0'],
    ['one too few', siblings.slice(1), 'found 8'],
    ['one at the other side', changed(1, { isLeft: true }), 'sibling 1 at the right'],
    ['a time at the right', changed(4, { isLeft: false }), 'sibling 4 at the left'],
    ['a single child where there is none', changed(2, { hash: null }), 'a hash of sibling 2'],
    ['a time without a hash', changed(4, { hash: null }), 'a hash of sibling 4'],
  ])('%s', (_name, given, message) => {
    expect(() => followSiblings(first, given, last.timestamp)).toThrow(message);
  });
});

describe('a state proof as bytes', () => {
  const { first, last, siblings } = makeChain([true, false]);
  const time = (more: WireField[] = []) => messageField(1, [intField(2, 2), bytesField(6, last.timestamp), ...more]);
  const written = siblings.map(({ isLeft, hash }) =>
    messageField(1, [intField(1, isLeft ? 1 : 0), ...(hash ? [bytesField(2, hash)] : [])]),
  );
  const way = (root = first) => messageField(1, [...written, intField(2, 2), bytesField(3, root)]);
  const join = (next: number | bigint = -1) => messageField(1, [intField(2, next)]);
  const signed = messageField(2, [bytesField(1, Buffer.alloc(2920))]);
  const write = (...parts: WireField[]) => Buffer.concat([intField(1, 4), messageField(3, parts)].flat());

  it.each([-1, 0xffff_ffff])('is read, with %i for the end', (end) => {
    const proof = readBlockProof(write(time(), way(), join(end), signed));
    expect(proof).toMatchObject({ kind: 'state', block: 4n, siblings, timestamp: last.timestamp, root: first });
  });

  it.each([
    ['without a join', write(time(), way(), signed), 'three paths'],
    ['with a fourth path', write(time(), way(), join(), join(), signed), 'at most 4 fields'],
    ['without a signature', write(time(), way(), join()), 'three paths'],
    ['with paths in another order', write(way(), time(), join(), signed), 'in the first path'],
    ['with a join that goes on', write(time(), way(), join(2), signed), 'in the third path'],
    [
      'with a second leaf',
      write(time(), way(), messageField(1, [intField(2, -1), bytesField(3, first)]), signed),
      'in the third path',
    ],
    ['with a root of another length', write(time(), way(first.subarray(1)), join(), signed), 'the root of the block'],
    ['with an unknown field', write(time([intField(7, 1)]), way(), join(), signed), 'field 7'],
    [
      'with two kinds of proof',
      Buffer.concat([intField(1, 4), signed, messageField(3, [])].flat()),
      'one kind of proof',
    ],
  ])('%s is refused', (_name, bytes, message) => {
    expect(() => readBlockProof(bytes)).toThrow(message);
  });
});
