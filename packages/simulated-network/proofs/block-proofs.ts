// Proofs at the end of blocks: the network's signature, or the way from a block's root to the root of a later block
// that is signed. Until there is one the block waits unpublished, as in networks whose nodes have not gathered enough
// signatures.

import { bytesField, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import { hashLeaf } from '../../streams/block-stream/hash-tree.ts';
import { joinFields } from '../block-stream/message-fields.ts';
import type { BlockTree } from './block-tree.ts';

/** Survives `v8.serialize`. */
export type UnprovedBlock = {
  number: bigint;
  root: Uint8Array;
  /** Serialized, all but the proof. */
  bytes: Uint8Array;
  /** From its root to that of the newest block. */
  siblings: { isLeft: boolean; hash: Uint8Array }[];
};

type NewestBlock = { number: bigint; bytes: Uint8Array; tree: BlockTree; timestampBytes: Uint8Array };

/** Without a signature of the newest block it waits with the others; with one all of them are proved. */
export function proveBlocks(
  waiting: readonly UnprovedBlock[],
  newest: NewestBlock,
  signature: Buffer | null,
): { proved: { number: bigint; bytes: Buffer }[]; waiting: UnprovedBlock[] } {
  const { number, bytes, tree, timestampBytes } = newest;
  const siblings = tree.siblings.map((hash) => ({ isLeft: false, hash }));
  const led = waiting.map((block) => ({ ...block, siblings: [...block.siblings, ...siblings] }));
  if (signature === null) {
    const time = { isLeft: true, hash: hashLeaf(timestampBytes) };
    const after = led.map((block) => ({ ...block, siblings: [...block.siblings, time] }));
    return { proved: [], waiting: [...after, { number, root: tree.root, bytes, siblings: [] }] };
  }
  const signed = messageField(2, [bytesField(1, signature)]);
  const indirect = led.map((block) =>
    withProof(block, messageField(3, [...statePaths(block, timestampBytes), signed])),
  );
  return { proved: [...indirect, withProof({ number, bytes }, signed)], waiting: [] };
}

function withProof({ number, bytes }: Pick<UnprovedBlock, 'number' | 'bytes'>, proof: WireField) {
  const item: BlockStreamItem = writeItem(itemKinds.blockProof, joinFields([intField(1, number), proof]));
  return { number, bytes: Buffer.concat([bytes, ...bytesField(1, item.bytes)]) };
}

/** The time of the signed block; this block's root with its siblings; both join in the third. */
function statePaths({ root, siblings }: UnprovedBlock, timestampBytes: Uint8Array): WireField[] {
  const sides = siblings.map(({ isLeft, hash }) => messageField(1, [intField(1, isLeft ? 1 : 0), bytesField(2, hash)]));
  const joined = intField(2, 2);
  return [
    messageField(1, [joined, bytesField(6, timestampBytes)]),
    messageField(1, [...sides, joined, bytesField(3, root)]),
    messageField(1, [intField(2, -1)]),
  ];
}
