// A block of a block stream, opened once for all proofs of its items: the trees of its subtrees, and which items belong
// to the transaction of a consensus time.

import { createSlices, type Slices } from '../../../packages/kit/slices.ts';
import { decodeMessage } from '../../../packages/protocol/hapi/decode-message.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { findWireBytes, noBytes } from '../../../packages/protocol/wire-fields.ts';
import { type BlockStreamItem, itemKinds } from '../../../packages/streams/block-stream/block-item.ts';
import { blockMessages } from '../../../packages/streams/block-stream/block-messages.ts';
import { foldBlockPath } from '../../../packages/streams/block-stream/block-root.ts';
import { hashLeaf } from '../../../packages/streams/block-stream/hash-tree.ts';
import {
  extensionSubtrees,
  findSubtree,
  readRedactedItem,
  subtrees,
} from '../../../packages/streams/block-stream/item-subtree.ts';
import { openSignedTransaction } from '../../../packages/streams/block-stream/signed-transaction.ts';
import { toCompleteNodes } from '../../../packages/streams/block-stream/tree-siblings.ts';
import { type PlacedItem, type ProvedSubtree, packSubtree } from './pack-subtree.ts';
import { ProofUnavailable } from './proof-unavailable.ts';

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
  /** Hex, serialized as the root has it. */
  timestamp: string;
  /** Hex, leaves of its tree: eight, or sixteen where it has items of extensions. */
  hashes: string[];
  /** In the order of `subtrees`. */
  parts: ProvedSubtree[];
  transactions: ReadonlyMap<bigint, TransactionPlaces>;
  /** Places of state changes, by consensus time. */
  changes: ReadonlyMap<bigint, number[]>;
  hasBatch: boolean;
  /** Bytes of inputs and outputs, which show what belongs together; null: some of them are not here. */
  wholeBytes: number | null;
  sizeBytes: number;
};

/** Of a transaction with its places and their lists, of the state changes of a time, of what a block is beside them. */
const bytesOfTransaction = 350;
const bytesOfChanges = 200;
const bytesOfBlock = 6000;

/**
 * Keeps nothing of what was read. In slices: 99 MB in 169,000 items take 1.2 s of processor time, at most 24 ms of them
 * at once.
 * @param hash of the stored block, hex. Throws ProofUnavailable if it is another one, StreamFileError.
 */
export async function openProvedBlock(items: readonly BlockStreamItem[], hash: string): Promise<ProvedBlock> {
  const slices = createSlices();
  const header = blockMessages.header.decode(contentOf(items, itemKinds.blockHeader));
  const footer = blockMessages.footer.decode(contentOf(items, itemKinds.blockFooter));
  const trees: ProvedSubtree[] = [];
  for (const placed of await placeItems(items, slices)) trees.push(await packSubtree(placed, slices));
  const { previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash } = footer;
  const named = [previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash];
  const hashes = [...named, ...trees.map(({ root }) => root)];
  const siblings = toCompleteNodes(hashes)
    .slice(0, -1)
    .map((nodes) => nodes[1]!);
  const roots = foldBlockPath(previousBlockRootHash, { timeLeaf: hashLeaf(header.blockTimestamp), siblings });
  const parts = trees.slice(0, subtrees.length);
  const hasExtensions = trees.slice(subtrees.length).some(({ count }) => count > 0);
  const form = roots.sixteen.toString('hex') === hash ? 'sixteen' : 'eight';
  if (form === 'eight' && (hasExtensions || roots.eight.toString('hex') !== hash)) {
    throw new ProofUnavailable('The source has another block of this number than the one that was imported');
  }
  const [, inputs, outputs] = parts;
  const found = await findTransactions(items, slices);
  return {
    form,
    timestamp: hex(header.blockTimestamp),
    hashes: (hasExtensions ? hashes : hashes.slice(0, 8)).map(hex),
    parts,
    ...found,
    wholeBytes:
      inputs!.wholeBytes === null || outputs!.wholeBytes === null ? null : inputs!.wholeBytes + outputs!.wholeBytes,
    sizeBytes:
      parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, bytesOfBlock) +
      found.transactions.size * bytesOfTransaction +
      found.changes.size * bytesOfChanges,
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function contentOf(items: readonly BlockStreamItem[], wanted: number): Buffer {
  return items.find(({ kind }) => kind === wanted)?.content ?? noBytes;
}

/** By subtree, those of extensions included. */
async function placeItems(items: readonly BlockStreamItem[], slices: Slices): Promise<PlacedItem[][]> {
  const placed = Array.from({ length: subtrees.length + extensionSubtrees }, (): PlacedItem[] => []);
  for (const { kind, content, bytes, leaf = null } of items) {
    if (slices.isOver()) await slices.next();
    const redacted = kind === itemKinds.redactedItem ? readRedactedItem(content) : null;
    const subtree = redacted?.subtree ?? findSubtree(kind);
    if (subtree === null) continue;
    const known = redacted?.hash ?? leaf;
    placed[subtree]!.push({ leaf: known, bytes: known ? null : bytes });
  }
  return placed;
}

/** Field of TransactionBody: the only transactions without a result. */
const stateSignature = 65;
const batch = 74;

/**
 * Results in their order belong to transactions in theirs; inner transactions of a batch are no items, and their
 * results follow its own. The import has checked that the block is ordered so.
 */
async function findTransactions(items: readonly BlockStreamItem[], slices: Slices) {
  const transactions = new Map<bigint, TransactionPlaces>();
  const changes = new Map<bigint, number[]>();
  const counts = subtrees.map(() => 0);
  let hasBatch = false;
  let input: { place: number; hasResult: boolean } | null = null;
  let newest: TransactionPlaces | null = null;
  for (const { kind, content } of items) {
    if (slices.isOver()) await slices.next();
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
