// In which subtree of the block root an item is a leaf. The root fixes the order of items within a subtree, but not
// between subtrees.

import { sha384Length } from '../../protocol/sha384.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { itemKinds } from './block-item.ts';
import { blockMessages } from './block-messages.ts';

/**
 * Subtrees with items, in the order of their leaves after the three hashes of the footer; eight for extensions follow.
 */
export const subtrees = ['headers', 'inputs', 'outputs', 'stateChanges', 'traces'] as const;
type Subtree = (typeof subtrees)[number];
export const extensionSubtrees = 8;
const subtreeCount = subtrees.length + extensionSubtrees;

const subtreeOfKind: Readonly<Record<number, Subtree>> = {
  [itemKinds.eventHeader]: 'headers',
  [itemKinds.roundHeader]: 'headers',
  [itemKinds.signedTransaction]: 'inputs',
  [itemKinds.blockHeader]: 'outputs',
  [itemKinds.transactionResult]: 'outputs',
  [itemKinds.transactionOutput]: 'outputs',
  [itemKinds.recordFile]: 'outputs',
  [itemKinds.stateChanges]: 'stateChanges',
  [itemKinds.traceData]: 'traces',
};
const unhashedKinds: readonly number[] = [itemKinds.filteredItemHash, itemKinds.blockProof, itemKinds.blockFooter];
/** Items of later versions belong to a subtree by their number modulo this: 3 is the first subtree. */
export const firstLaterKind = 20;
const firstPlace = 3;
/** SubMerkleTree numbers the hashes of the footer too: 4 is the first subtree with items. */
export const firstTree = 4;

/** Index of the subtree; null for items that are not hashed. Throws StreamFileError for items that no rule places. */
export function findSubtree(kind: number): number | null {
  const known = subtreeOfKind[kind];
  if (known !== undefined) return subtrees.indexOf(known);
  if (unhashedKinds.includes(kind)) return null;
  const place = kind % firstLaterKind;
  if (kind >= firstLaterKind) {
    if (place === 0 || place === firstLaterKind - 1) return null;
    if (place >= firstPlace && place < firstPlace + subtreeCount) return place - firstPlace;
  }
  throw new StreamFileError('unsupported', 'block item', 'a kind with a place in the block root', `kind ${kind}`);
}

/** A redacted item: the hash of its leaf, and its subtree. Throws StreamFileError. */
export function readRedactedItem(content: Buffer): { hash: Buffer; subtree: number } {
  const { itemHash: hash, tree } = blockMessages.redactedItem.decode(content);
  const subtree = tree - firstTree;
  if (hash.length !== sha384Length) {
    throw new StreamFileError('malformed', 'hash of a redacted item', `${sha384Length} bytes`, `${hash.length} bytes`);
  }
  if (subtree < 0 || subtree >= subtreeCount) {
    throw new StreamFileError('unsupported', 'redacted item', 'a subtree with items', `subtree ${tree}`);
  }
  return { hash, subtree };
}
