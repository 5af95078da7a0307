// The root hash of a block, in the two forms that networks have used. Nothing in a block says which it is, least of all its
// version: wrapped record blocks carry the version of their record. The block after it names the root that counts.
import { StreamFileError } from '../stream-file-error.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import type { BlockFooterMessage } from './block-messages.ts';
import { createHashTree, emptyTree, hashLeaf, hashNode, hashSingle } from './hash-tree.ts';

export type BlockRoots = {
  /** Sixteen leaves, eight of them for extensions (HAPI 0.78; wrapped record blocks). */
  sixteen: Buffer;
  /** Eight leaves below a single child (HAPI 0.72 to 0.7x). null when the block has items that form has no place for. */
  eight: Buffer | null;
};

/** Subtrees of items in the order of their leaves, after the three hashes of the footer. */
const subtreeOfKind: Readonly<Record<number, number>> = {
  [itemKinds.eventHeader]: 0,
  [itemKinds.roundHeader]: 0,
  [itemKinds.signedTransaction]: 1,
  [itemKinds.blockHeader]: 2,
  [itemKinds.transactionResult]: 2,
  [itemKinds.transactionOutput]: 2,
  [itemKinds.recordFile]: 2,
  [itemKinds.stateChanges]: 3,
  [itemKinds.traceData]: 4,
};
const unhashedKinds: readonly number[] = [itemKinds.filteredItemHash, itemKinds.blockProof, itemKinds.blockFooter];
const knownSubtrees = 5;
const extensionSubtrees = 8;
/** Items of later versions say by their number modulo this where they belong. */
const firstLaterKind = 20;

/** Throws StreamFileError for items that no rule places. */
export function computeBlockRoots(
  items: readonly BlockStreamItem[],
  footer: BlockFooterMessage,
  timestampBytes: Uint8Array,
): BlockRoots {
  const trees = Array.from({ length: knownSubtrees + extensionSubtrees }, () => createHashTree());
  let hasExtensions = false;
  for (const { kind, bytes, leaf } of items) {
    const subtree = findSubtree(kind);
    if (subtree === null) continue;
    hasExtensions ||= subtree >= knownSubtrees;
    trees[subtree]!.add(leaf ?? hashLeaf(bytes));
  }
  const { previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash } = footer;
  const named = [previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash];
  const leaves = [...named, ...trees.map((tree) => tree.root())];
  const first = hashLeaf(timestampBytes);
  return {
    sixteen: hashNode(first, perfectTree(leaves)),
    eight: hasExtensions ? null : hashNode(first, hashSingle(perfectTree(leaves.slice(0, 8)))),
  };
}

/** null for what is not hashed. */
function findSubtree(kind: number): number | null {
  const known = subtreeOfKind[kind];
  if (known !== undefined) return known;
  if (unhashedKinds.includes(kind)) return null;
  const place = kind % firstLaterKind;
  if (kind >= firstLaterKind) {
    if (place === 0 || place === firstLaterKind - 1) return null;
    if (place >= 3 && place < 3 + knownSubtrees + extensionSubtrees) return place - 3;
  }
  throw new StreamFileError('unsupported', 'block item', 'a kind with a place in the block root', `kind ${kind}`);
}

function perfectTree(hashes: readonly Buffer[]): Buffer {
  let level = [...hashes];
  while (level.length > 1) {
    level = Array.from({ length: level.length / 2 }, (_, pair) => hashNode(level[pair * 2]!, level[pair * 2 + 1]!));
  }
  return level[0] ?? emptyTree;
}
