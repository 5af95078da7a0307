// Redacted blocks: a hash stands for each removed item, so that the root of the block stays the same.

import { sha384 } from '../../protocol/sha384.ts';
import { bytesField, intField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import { hashLeaf } from '../../streams/block-stream/hash-tree.ts';
import { joinFields, splitFields } from './message-fields.ts';

/** BlockItem field of RedactedItem. */
const redactedItem = 19;
/** SubMerkleTree of the hash of an item, by kind. The header of a block is never redacted. */
const treeOfKind: Readonly<Record<number, number>> = {
  [itemKinds.eventHeader]: 4,
  [itemKinds.roundHeader]: 4,
  [itemKinds.signedTransaction]: 5,
  [itemKinds.transactionResult]: 6,
  [itemKinds.transactionOutput]: 6,
  [itemKinds.stateChanges]: 7,
  [itemKinds.traceData]: 8,
};
const signatureMap = 2;

/** One in this many items is redacted. */
export function redactItems(items: readonly BlockStreamItem[], every: number): BlockStreamItem[] {
  return items.map((item, index) => {
    const tree = treeOfKind[item.kind];
    return tree === undefined || index % every !== every - 1 ? item : redact(item, tree);
  });
}

function redact({ kind, content, bytes }: BlockStreamItem, tree: number): BlockStreamItem {
  // Only transactions of an event, not those of the network itself, which are not signed.
  const isFromEvent = kind === itemKinds.signedTransaction && splitFields(content).bytes(signatureMap).length > 0;
  const fields = [bytesField(1, hashLeaf(bytes)), isFromEvent ? bytesField(2, sha384(content)) : [], intField(3, tree)];
  return writeItem(redactedItem, joinFields(fields));
}
