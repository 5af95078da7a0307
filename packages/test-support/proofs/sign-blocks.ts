// Blocks of a simulated network, chained again and signed by a network of the laboratory: with a publication in the
// first one, and with proofs of any kind.

import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestamp, toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { writeBlock } from '../../simulated-network/formats/block-file.ts';
import { type BlockStreamItem, itemKinds, splitBlock, writeItem } from '../../streams/block-stream/block-item.ts';
import { blockMessages } from '../../streams/block-stream/block-messages.ts';
import { computeBlockRoots } from '../../streams/block-stream/block-root.ts';
import { createHashTree, emptyTree, hashLeaf, hashNode } from '../../streams/block-stream/hash-tree.ts';
import { findSubtree } from '../../streams/block-stream/item-subtree.ts';
import { openSignedTransaction } from '../../streams/block-stream/signed-transaction.ts';
import type { LabNetwork } from './lab-network.ts';

/** What signs: also a network whose ledger id has 64 bytes. */
type SigningNetwork = Pick<LabNetwork, 'publication' | 'sign'>;

/**
 * unchecked: of the length of a signature, and no more. signed: by the network. A number: that of the later block that
 * it leads to. foreign: by another network.
 */
type ProofPlan = 'unchecked' | 'signed' | 'none' | 'broken' | 'foreign' | number;

export type SignBlocksOptions = {
  network: SigningNetwork;
  /** Which signs a block instead: with the next key of the same ledger, say. */
  networkOf?: (number: number) => SigningNetwork;
  /** Of proofs that are `foreign`. */
  foreign?: SigningNetwork;
  /** Messages by the number of the block that publishes them; default: that of the network in block 0. */
  publications?: Readonly<Record<number, Uint8Array>>;
  /** Default: signed. */
  proofOf?: (number: number) => ProofPlan;
  signers?: readonly number[];
  /** More items by the number of their block: state changes that name a key, say. */
  added?: Readonly<Record<number, readonly BlockStreamItem[]>>;
};

type Chained = { number: number; items: BlockStreamItem[]; root: Buffer; timestamp: Buffer; leaves: Buffer[] };

/** The blocks as files, in the same order; the first is block 0. */
export function signBlocks(blocks: readonly Buffer[], options: SignBlocksOptions): Buffer[] {
  const {
    network,
    networkOf = () => network,
    foreign,
    publications = { 0: network.publication },
    proofOf = () => 'signed',
    signers,
    added = {},
  } = options;
  const chained = chain(blocks, publications, added);
  const sign = (by: SigningNetwork, { root }: Chained) => by.sign(root, signers ?? [0, 1]);

  function proofsOf(block: Chained): BlockStreamItem[] {
    const plan = proofOf(block.number);
    if (plan === 'none') return [];
    const content = [intField(1, block.number)];
    if (typeof plan === 'number') {
      const signed = chained[plan]!;
      const between = chained.slice(block.number + 1, plan + 1);
      content.push(messageField(3, stateProof(block, between, sign(networkOf(signed.number), signed))));
    } else {
      const signature =
        plan === 'unchecked'
          ? Buffer.alloc(2920, 7)
          : sign(plan === 'foreign' ? foreign! : networkOf(block.number), block);
      // Of the response in the middle of the hinTS signature.
      if (plan === 'broken') signature[1500]! ^= 1;
      content.push(messageField(2, [bytesField(1, signature)]));
    }
    return [writeItem(itemKinds.blockProof, Buffer.concat(content.flat()))];
  }

  return chained.map((block) => writeBlock([...block.items, ...proofsOf(block)]));
}

/** Without their proofs. */
function chain(
  blocks: readonly Buffer[],
  publications: Readonly<Record<number, Uint8Array>>,
  added: NonNullable<SignBlocksOptions['added']>,
): Chained[] {
  const history = createHashTree();
  let previousRoot: Buffer = emptyTree;
  return blocks.map((bytes, number) => {
    const items = withoutPublications(splitBlock(bytes)).filter(
      ({ kind }) => kind !== itemKinds.blockProof && kind !== itemKinds.blockFooter,
    );
    const message = publications[number];
    if (message) publish(items, message);
    items.push(...(added[number] ?? []));
    const footer = {
      previousBlockRootHash: previousRoot,
      rootHashOfAllBlockHashesTree: history.root(),
      startOfBlockStateRootHash: emptyTree,
    };
    const fields = Object.values(footer).map((hash, index) => bytesField(index + 1, hash));
    const timestamp = Buffer.from(blockMessages.header.decode(items[0]!.content).blockTimestamp);
    const root = computeBlockRoots(items, footer, timestamp).sixteen;
    history.add(root);
    previousRoot = root;
    const leaves = [...Object.values(footer), ...subtreeRoots(items)];
    items.push(writeItem(itemKinds.blockFooter, Buffer.concat(fields.flat())));
    return { number, items, root, timestamp, leaves };
  });
}

/** Without those of the network that made the blocks. */
function withoutPublications(items: readonly BlockStreamItem[]): BlockStreamItem[] {
  const isPublication = ({ kind, content }: BlockStreamItem) =>
    kind === itemKinds.signedTransaction && openSignedTransaction(content).type === typeNumber.ledgerIdPublication;
  const isItsResult = (place: number) =>
    items[place]!.kind === itemKinds.transactionResult && place > 0 && isPublication(items[place - 1]!);
  return items.filter((item, place) => !isPublication(item) && !isItsResult(place));
}

/** As the first transaction of the block, with the time before that of the first one. */
function publish(items: BlockStreamItem[], message: Uint8Array): void {
  const first = items.findIndex(({ kind }) => kind === itemKinds.signedTransaction);
  const result = items.find(({ kind }) => kind === itemKinds.transactionResult)!;
  const { consensusTimestamp } = blockMessages.transactionResult.decode(result.content);
  const before = toTimestamp(decodeMessage(proto.Timestamp, consensusTimestamp)) - 1n;
  const id = messageField(1, [
    bytesField(1, toTimestampMessage(before - 10_000_000_000n)),
    messageField(2, [intField(3, 2)]),
  ]);
  const body = Buffer.concat([id, bytesField(77, message)].flat());
  const time = bytesField(2, toTimestampMessage(before));
  items.splice(
    first,
    0,
    writeItem(itemKinds.signedTransaction, Buffer.concat(bytesField(1, body))),
    writeItem(itemKinds.transactionResult, Buffer.concat([intField(1, 22), time].flat())),
  );
}

function subtreeRoots(items: readonly BlockStreamItem[]): Buffer[] {
  const trees = Array.from({ length: 13 }, () => createHashTree());
  for (const { kind, bytes } of items) {
    const subtree = findSubtree(kind);
    if (subtree !== null) trees[subtree]!.add(hashLeaf(bytes));
  }
  return trees.map((tree) => tree.root());
}

/** `between`: the blocks after this one, up to the signed one. */
function stateProof({ root }: Chained, between: readonly Chained[], signature: Buffer) {
  const sibling = (hash: Buffer, isLeft: boolean) =>
    messageField(1, [intField(1, isLeft ? 1 : 0), bytesField(2, hash)]);
  const siblings = between.flatMap(({ leaves, timestamp }, step) => [
    ...rightOfFirst(leaves).map((hash) => sibling(hash, false)),
    ...(step < between.length - 1 ? [sibling(hashLeaf(timestamp), true)] : []),
  ]);
  return [
    messageField(1, [intField(2, 2), bytesField(6, between.at(-1)!.timestamp)]),
    messageField(1, [...siblings, intField(2, 2), bytesField(3, root)]),
    messageField(1, [intField(2, -1)]),
    messageField(2, [bytesField(1, signature)]),
  ];
}

/** From the first of sixteen leaves up. */
function rightOfFirst(leaves: readonly Buffer[]): Buffer[] {
  const siblings: Buffer[] = [];
  let level = [...leaves];
  while (level.length > 1) {
    siblings.push(level[1]!);
    level = Array.from({ length: level.length / 2 }, (_, pair) => hashNode(level[pair * 2]!, level[pair * 2 + 1]!));
  }
  return siblings;
}
