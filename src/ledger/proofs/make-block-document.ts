// The document of items of a block of a block stream.
import { subtrees } from '../../../packages/streams/block-stream/item-subtree.ts';
import { findSiblings, type Sibling } from '../../../packages/streams/block-stream/tree-siblings.ts';
import type { ProvedBlock } from './open-proved-block.ts';
import type { ProvedSubtree } from './pack-subtree.ts';
import type { BlockDocument, Side, WholeSubtree } from './proof-document.ts';
import { ProofUnavailable } from './proof-unavailable.ts';

type Subtree = (typeof subtrees)[number];

/** What a document shows: `single` items by subtree and place, and `whole` subtrees. */
export type ShownItems = { single: readonly (readonly [Subtree, number])[]; whole: readonly Subtree[] };

/** Throws ProofUnavailable. */
export function makeBlockDocument(
  block: ProvedBlock,
  shown: ShownItems,
  rest: Pick<BlockDocument, 'path' | 'proof'>,
): BlockDocument {
  const { form, timestamp, hashes } = block;
  return {
    version: 1,
    kind: 'block',
    timestamp,
    form,
    hashes,
    items: showItems(block, shown),
    ...rest,
  };
}

/** Throws ProofUnavailable. */
export function showItems(block: ProvedBlock, { single, whole }: ShownItems): BlockDocument['items'] {
  const alone = single.map(([subtree, place]) => {
    const { count, itemAt, nodeAt } = partOf(block, subtree);
    const siblings = findSiblings(BigInt(place), BigInt(count), nodeAt);
    return { subtree, item: toHex(itemAt(place)), siblings: siblings.map(toSide) };
  });
  const all = whole.map((subtree) => wholeOf(partOf(block, subtree), subtree));
  return [...all, ...alone];
}

export const partOf = ({ parts }: ProvedBlock, subtree: Subtree): ProvedSubtree => parts[subtrees.indexOf(subtree)]!;

/** The same object for the same block: what writes it as text may keep that. Its items are made when they are read. */
function wholeOf(part: ProvedSubtree, subtree: Subtree): WholeSubtree {
  const found = wholes.get(part) ?? {
    subtree,
    get all() {
      return Array.from({ length: part.count }, (_, place) => toHex(part.itemAt(place)));
    },
  };
  wholes.set(part, found);
  return found;
}

const wholes = new WeakMap<ProvedSubtree, WholeSubtree>();

export const toSide = (sibling: Sibling): Side =>
  'left' in sibling ? { left: hex(sibling.left) } : { right: hex(sibling.right) };

const hex = (bytes: Buffer): string => bytes.toString('hex');

function toHex(item: Buffer | null): string {
  if (item) return hex(item);
  throw new ProofUnavailable('An item is not here as it was: the source left it out of the block, or it is too large');
}
