// The document of items of a block of a block stream.
import { subtrees } from '../../protocol/block-stream/item-subtree.ts';
import { findSiblings, type Sibling } from '../../protocol/block-stream/tree-siblings.ts';
import type { ProvedBlock, ProvedSubtree } from './open-proved-block.ts';
import type { BlockDocument, Side, WholeSubtree } from './proof-document.ts';
import { ProofUnavailable } from './proof-unavailable.ts';

type Subtree = (typeof subtrees)[number];

/** What a document shows: `single` items by subtree and place, and `whole` subtrees. */
export type ShownItems = { single: readonly (readonly [Subtree, number])[]; whole: readonly Subtree[] };

/** Throws ProofUnavailable. */
export function makeBlockDocument(
  block: ProvedBlock,
  { single, whole }: ShownItems,
  rest: Pick<BlockDocument, 'path' | 'proof'>,
): BlockDocument {
  const { form, timestamp, hashes, parts } = block;
  const partOf = (subtree: Subtree) => parts[subtrees.indexOf(subtree)]!;
  const alone = single.map(([subtree, place]) => {
    const { items, nodes } = partOf(subtree);
    const siblings = findSiblings(BigInt(place), BigInt(items.length), (at) => nodes[at.level]![Number(at.place)]!);
    return { subtree, item: toHex(items[place]!), siblings: siblings.map(toSide) };
  });
  const all = whole.map((subtree) => wholeOf(partOf(subtree), subtree));
  return {
    version: 1,
    kind: 'block',
    timestamp: hex(timestamp),
    form,
    hashes: hashes.map(hex),
    items: [...all, ...alone],
    ...rest,
  };
}

/** The same object for the same block: who writes it as text may keep that. */
function wholeOf(part: ProvedSubtree, subtree: Subtree): WholeSubtree {
  const found = wholes.get(part) ?? { subtree, all: part.items.map(toHex) };
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
