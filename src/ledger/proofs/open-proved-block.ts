// A block of a block stream, opened once for all proofs of its items: the trees of its subtrees, and which items belong to the
// transaction of a consensus time.
import { type BlockStreamItem, itemKinds } from '../../protocol/block-stream/block-item.ts';
import { blockMessages } from '../../protocol/block-stream/block-messages.ts';
import { foldBlockPath } from '../../protocol/block-stream/block-root.ts';
import { hashLeaf } from '../../protocol/block-stream/hash-tree.ts';
import {
  extensionSubtrees,
  findSubtree,
  readRedactedItem,
  subtrees,
} from '../../protocol/block-stream/item-subtree.ts';
import { openSignedTransaction } from '../../protocol/block-stream/signed-transaction.ts';
import { joinNodes, planNode, toCompleteNodes } from '../../protocol/block-stream/tree-siblings.ts';
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import { findWireBytes, noBytes } from '../../protocol/wire-fields.ts';
import { ProofUnavailable } from './proof-unavailable.ts';

export type ProvedSubtree = {
  /** null: only its hash is known. */
  items: (Buffer | null)[];
  /** Complete nodes by level. */
  nodes: Buffer[][];
};

/** Places of items within their subtrees. */
type TransactionPlaces = {
  input: number;
  result: number;
  outputs: number[];
  traces: number[];
  /** It is in the body of a batch, which `input` is. */
  isInner: boolean;
};

export type ProvedBlock = {
  form: 'sixteen' | 'eight';
  /** Serialized, as the root has it. */
  timestamp: Buffer;
  /** Leaves of its tree: eight, or sixteen where it has items of extensions. */
  hashes: Buffer[];
  /** In the order of `subtrees`. */
  parts: ProvedSubtree[];
  /** Contents of its proofs. */
  proofs: Buffer[];
  transactions: ReadonlyMap<bigint, TransactionPlaces>;
  /** Places of state changes, by consensus time. */
  changes: ReadonlyMap<bigint, number[]>;
  hasBatch: boolean;
  /** Bytes of inputs and outputs, which show what belongs together; null: some of them are not here. */
  wholeBytes: number | null;
  sizeBytes: number;
};

/** Of each item beside its bytes: hashes, objects. Its bytes may be there as text, too. */
const bytesOfItem = 600;
const timesOfBytes = 3;

/** @param hash of the stored block, hex. Throws ProofUnavailable if it is another one, StreamFileError. */
export function openProvedBlock(items: readonly BlockStreamItem[], hash: string): ProvedBlock {
  const header = blockMessages.header.decode(contentOf(items, itemKinds.blockHeader));
  const footer = blockMessages.footer.decode(contentOf(items, itemKinds.blockFooter));
  const { leaves, sources } = placeItems(items);
  const trees = leaves.map(toCompleteNodes);
  const { previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash } = footer;
  const named = [previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash];
  const hashes = [...named, ...trees.map(rootOf)];
  const siblings = toCompleteNodes(hashes)
    .slice(0, -1)
    .map((nodes) => nodes[1]!);
  const roots = foldBlockPath(previousBlockRootHash, { timeLeaf: hashLeaf(header.blockTimestamp), siblings });
  const hasExtensions = leaves.slice(subtrees.length).some((all) => all.length > 0);
  const form = roots.sixteen.toString('hex') === hash ? 'sixteen' : 'eight';
  if (form === 'eight' && (hasExtensions || roots.eight.toString('hex') !== hash)) {
    throw new ProofUnavailable('The source has another block of this number than the one that was imported');
  }
  const proofs = items.filter(({ kind }) => kind === itemKinds.blockProof).map(({ content }) => content);
  const [, inputs, outputs] = sources;
  return {
    form,
    timestamp: header.blockTimestamp,
    hashes: hasExtensions ? hashes : hashes.slice(0, 8),
    parts: subtrees.map((_, place) => ({ items: sources[place]!, nodes: trees[place]! })),
    proofs,
    ...findTransactions(items),
    wholeBytes: sumBytes([...inputs!, ...outputs!]),
    sizeBytes: items.reduce((sum, { bytes }) => sum + timesOfBytes * bytes.length + bytesOfItem, 0),
  };
}

function sumBytes(items: readonly (Buffer | null)[]): number | null {
  return items.includes(null) ? null : items.reduce((sum, item) => sum + item!.length, 0);
}

function contentOf(items: readonly BlockStreamItem[], wanted: number): Buffer {
  return items.find(({ kind }) => kind === wanted)?.content ?? noBytes;
}

const rootOf = (nodes: Buffer[][]): Buffer =>
  joinNodes(planNode(0n, BigInt(nodes[0]!.length)), ({ level, place }) => nodes[level]![Number(place)]!);

/** Hashes of leaves, and bytes, by subtree. */
function placeItems(items: readonly BlockStreamItem[]) {
  const all = subtrees.length + extensionSubtrees;
  const leaves = Array.from({ length: all }, (): Buffer[] => []);
  const sources = Array.from({ length: all }, (): (Buffer | null)[] => []);
  for (const { kind, content, bytes, leaf } of items) {
    const redacted = kind === itemKinds.redactedItem ? readRedactedItem(content) : null;
    const subtree = redacted?.subtree ?? findSubtree(kind);
    if (subtree === null) continue;
    const known = redacted?.hash ?? leaf;
    leaves[subtree]!.push(known ?? hashLeaf(bytes));
    sources[subtree]!.push(known ? null : bytes);
  }
  return { leaves, sources };
}

/** Field of TransactionBody: the only transactions without a result. */
const stateSignature = 65;
const batch = 74;

/**
 * Results in their order belong to transactions in theirs; inner transactions of a batch are no items, and their results follow
 * its own. The import has checked that the block is ordered so.
 */
function findTransactions(items: readonly BlockStreamItem[]) {
  const transactions = new Map<bigint, TransactionPlaces>();
  const changes = new Map<bigint, number[]>();
  const counts = subtrees.map(() => 0);
  let hasBatch = false;
  let input: { place: number; hasResult: boolean } | null = null;
  let newest: TransactionPlaces | null = null;
  for (const { kind, content } of items) {
    const subtree = kind === itemKinds.redactedItem ? readRedactedItem(content).subtree : findSubtree(kind);
    if (subtree === null || subtree >= subtrees.length) continue;
    const place = counts[subtree]!++;
    if (kind === itemKinds.signedTransaction) {
      const { type } = openSignedTransaction(content);
      hasBatch ||= type === batch;
      if (type !== stateSignature) input = { place, hasResult: false };
    } else if (kind === itemKinds.transactionResult && input) {
      newest = { input: input.place, result: place, outputs: [], traces: [], isInner: input.hasResult };
      input.hasResult = true;
      transactions.set(timeOf(content, resultTime), newest);
    } else if (kind === itemKinds.transactionOutput) newest?.outputs.push(place);
    else if (kind === itemKinds.traceData) newest?.traces.push(place);
    else if (kind === itemKinds.stateChanges) {
      const time = timeOf(content, changesTime);
      const known = changes.get(time);
      if (known) known.push(place);
      else changes.set(time, [place]);
    }
  }
  return { transactions, changes, hasBatch };
}

/** Fields of the messages. */
const resultTime = 2;
const changesTime = 1;

function timeOf(content: Buffer, field: number): bigint {
  return toTimestamp(decodeMessage(proto.Timestamp, findWireBytes(content, field) ?? noBytes));
}
