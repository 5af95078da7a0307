// Blocks from which somebody has taken items: a hash stands for each, so that the root of the block is still the same, but
// what they said is gone.
import { type BlockStreamItem, itemKinds, writeItem } from '../../../src/protocol/block-stream/block-item.ts';
import { hashLeaf } from '../../../src/protocol/block-stream/hash-tree.ts';
import { sha384 } from '../../../src/protocol/sha384.ts';
import { bytesField, intField } from '../../../src/protocol/wire-writer.ts';
import { joinFields, splitFields } from './message-fields.ts';

/** BlockItem field of RedactedItem. */
const redactedItem = 19;
/** SubMerkleTree: where the hash of an item goes, by kind. The header of a block is never taken away. */
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

/** Every so many items one is redacted. */
export function redactItems(items: readonly BlockStreamItem[], every: number): BlockStreamItem[] {
  return items.map((item, index) => {
    const tree = treeOfKind[item.kind];
    return tree === undefined || index % every !== every - 1 ? item : redact(item, tree);
  });
}

function redact({ kind, content, bytes }: BlockStreamItem, tree: number): BlockStreamItem {
  // Only of what came in an event, not of what the network made itself, which nobody signed.
  const isFromEvent = kind === itemKinds.signedTransaction && splitFields(content).bytes(signatureMap).length > 0;
  const fields = [bytesField(1, hashLeaf(bytes)), isFromEvent ? bytesField(2, sha384(content)) : [], intField(3, tree)];
  return writeItem(redactedItem, joinFields(fields));
}
