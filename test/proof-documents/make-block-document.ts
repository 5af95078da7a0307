// Proof documents of blocks (docs/reference/proof-documents.md), made of the blocks themselves.
import { readBlockProof } from '../../packages/proof/block-proof.ts';
import { toTimestampMessage } from '../../packages/protocol/hapi/timestamp.ts';
import { findWireBytes, readVarint64, visitWireFields } from '../../packages/protocol/wire-fields.ts';
import { toBlock } from '../../packages/streams/block-stream/block.ts';
import { itemKinds, splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { createHashTree, emptyTree, hashLeaf, hashNode } from '../../packages/streams/block-stream/hash-tree.ts';
import { findSubtree, subtrees } from '../../packages/streams/block-stream/item-subtree.ts';
import { openSignedTransaction } from '../../packages/streams/block-stream/signed-transaction.ts';

type Side = { left: string } | { right: string };
type Step = { from: 'previous' | 'history'; siblings: string[]; timeLeaf: string; history?: Side[] };
export type BlockDocument = {
  version: 1;
  kind: 'block';
  timestamp: string;
  form: 'sixteen' | 'eight';
  hashes: string[];
  items: ({ subtree: string; item: string; siblings: Side[] } | { subtree: string; all: string[] })[];
  path: Step[];
  proof:
    | { signature: string; book?: PublishedNode[]; wrapsKey?: string; namings?: NamingDocument[] }
    | { known: string };
};
/** Of a block whose state names a hinTS key. */
export type NamingDocument = Pick<BlockDocument, 'timestamp' | 'form' | 'hashes' | 'items' | 'path'> & {
  signature: string;
};
type PublishedNode = { nodeId: string; weight: string; key: string };
type Form = BlockDocument['form'];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const publicationType = 77;

/** Its items by subtree, and the eight hashes that its root is made of. */
export function openBlock(bytes: Buffer) {
  const { items, footer, timestamp, roots } = toBlock(splitBlock(bytes));
  const ofSubtree = subtrees.map((_, place) => items.filter(({ kind }) => findSubtree(kind) === place));
  const leaves = ofSubtree.map((some) => some.map((item) => hashLeaf(item.bytes)));
  const named = [footer.previousBlockRootHash, footer.rootHashOfAllBlockHashesTree, footer.startOfBlockStateRootHash];
  return {
    ofSubtree: Object.fromEntries(ofSubtree.map((some, place) => [subtrees[place]!, some.map((item) => item.bytes)])),
    leaves,
    hashes: [...named, ...leaves.map(rootOf)],
    timestamp: toTimestampMessage(timestamp),
    rootOf: (form: Form) => (form === 'sixteen' ? roots.sixteen : roots.eight!),
    proof: readBlockProof(items.find(({ kind }) => kind === itemKinds.blockProof)!.content),
  };
}

type Wanted = {
  block: Buffer;
  form: Form;
  /** Items alone, by subtree and place. */
  single?: readonly (readonly [subtree: string, place: number])[];
  /** Subtrees with all of their items. */
  whole?: readonly string[];
  /** The first block of the network, which publishes the ledger id. */
  first: Buffer;
  /** A newer block whose history names this one, with the roots of all blocks before it. */
  newer?: { block: Buffer; roots: readonly Buffer[]; index: number };
  /** Of a ledger id of 64 bytes: what leads to the key that has signed. */
  namings?: readonly NamingDocument[];
};

export function makeBlockDocument({
  block,
  form,
  single = [],
  whole = [],
  first,
  newer,
  namings = [],
}: Wanted): BlockDocument {
  const { ofSubtree, leaves, hashes, timestamp, proof } = openBlock(block);
  const alone = single.map(([subtree, place]) => ({
    subtree,
    item: hex(ofSubtree[subtree]![place]!),
    siblings: sidesOf(leaves[(subtrees as readonly string[]).indexOf(subtree)]!, place),
  }));
  const path = newer ? [historyStep(newer, form)] : proof.kind === 'state' ? stateSteps(proof, form) : [];
  const signed = newer ? openBlock(newer.block).proof : proof;
  if (signed.kind === 'records') throw new Error('the block is not signed by the network');
  return {
    version: 1,
    kind: 'block',
    timestamp: hex(timestamp),
    form,
    hashes: hashes.map(hex),
    items: [...alone, ...whole.map((subtree) => ({ subtree, all: ofSubtree[subtree]!.map(hex) }))],
    path,
    proof:
      signed.signature.length === laterLength
        ? { signature: hex(signed.signature.subarray(0, shownLength)), namings: [...namings] }
        : { signature: hex(signed.signature), ...attestation(signed.signature, first) },
  };
}

/** Of a signature under a ledger id of 64 bytes, and of the part without the proof of the key. */
const [laterLength, shownLength] = [13_712, 2344];

/** Of the state change at a place in its subtree. */
export function makeNaming(wanted: Omit<Wanted, 'namings'>): NamingDocument {
  const { timestamp, form, hashes, items, path, proof } = makeBlockDocument(wanted);
  if (!('signature' in proof)) throw new Error('a known root names no key');
  return { timestamp, form, hashes, items, path, signature: proof.signature };
}

/** Of the first pair of leaves. */
export function topSiblings(hashes: readonly Buffer[], form: Form): Buffer[] {
  const pair = (place: number) => hashNode(hashes[place]!, hashes[place + 1]!);
  const items = [pair(2), hashNode(pair(4), pair(6))];
  const extensions = [0, 1, 2].reduce((one) => hashNode(one, one), emptyTree);
  return form === 'sixteen' ? [...items, extensions] : items;
}

function historyStep({ block, roots, index }: NonNullable<Wanted['newer']>, form: Form): Step {
  const { hashes, timestamp } = openBlock(block);
  if (!rootOf(roots).equals(hashes[1]!)) throw new Error('the roots are not the history of the newer block');
  return {
    from: 'history',
    history: sidesOf(roots, index),
    siblings: [hashes[0]!, ...topSiblings(hashes, form)].map(hex),
    timeLeaf: hex(hashLeaf(timestamp)),
  };
}

/** As the block's own proof leads to the signed one. */
function stateSteps(
  { siblings, timestamp }: { siblings: { hash: Uint8Array | null }[]; timestamp: Uint8Array },
  form: Form,
) {
  const steps: Step[] = [];
  for (let at = 0; at < siblings.length; at += 5) {
    const hashes = siblings.slice(at, at + (form === 'sixteen' ? 4 : 3)).map(({ hash }) => hex(hash!));
    const time = siblings[at + 4]?.hash ?? hashLeaf(timestamp);
    steps.push({ from: 'previous', siblings: hashes, timeLeaf: hex(time) });
  }
  return steps;
}

function attestation(signature: Uint8Array, first: Buffer): { book: PublishedNode[] } | { wrapsKey: string } {
  const publication = findPublication(first);
  if (signature.length === 3432) return { wrapsKey: hex(findWireBytes(publication, 2)!) };
  const book: PublishedNode[] = [];
  visitWireFields(publication, (number, _type, start, end) => {
    if (number === 3) book.push(readNode(publication.subarray(start, end)));
  });
  return { book };
}

export function findPublication(block: Buffer): Buffer {
  for (const { kind, content } of splitBlock(block)) {
    if (kind !== itemKinds.signedTransaction) continue;
    const { type, bodyBytes } = openSignedTransaction(content);
    if (type === publicationType) return findWireBytes(bodyBytes, publicationType)!;
  }
  throw new Error('the block publishes no ledger id');
}

export function findLedgerId(first: Buffer): string {
  return hex(findWireBytes(findPublication(first), 1)!);
}

/** The proof that somebody knows the secret of the key is left out: the ledger id covers the key. */
function readNode(node: Buffer): PublishedNode {
  let [nodeId, weight, key] = [0n, 0n, ''];
  visitWireFields(node, (number, _type, start, end) => {
    if (number === 1) nodeId = readVarint64(node, start);
    else if (number === 2) weight = readVarint64(node, start);
    else key = hex(node.subarray(start, Math.min(end, start + 64)));
  });
  return { nodeId: `${nodeId}`, weight: `${weight}`, key };
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  const tree = createHashTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

function sidesOf(leaves: readonly Buffer[], place: number): Side[] {
  if (leaves.length <= 1) return [];
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return place < half
    ? [...sidesOf(left, place), { right: hex(rootOf(right)) }]
    : [...sidesOf(right, place - half), { left: hex(rootOf(left)) }];
}
