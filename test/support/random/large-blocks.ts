// Blocks of a block stream with votes on a history proof, as networks write them: one transaction and two state changes
// with a WRAPS proof each, which cannot be compressed. Their roots form a chain.

import { randomBytes } from 'node:crypto';
import Long from 'long';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { bytesField, intField, messageField, type WireField } from '../../../packages/protocol/wire-writer.ts';
import { writeBlock } from '../../../packages/simulated-network/formats/block-file.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../../packages/streams/block-stream/block-item.ts';
import { blockMessages } from '../../../packages/streams/block-stream/block-messages.ts';
import { computeBlockRoots } from '../../../packages/streams/block-stream/block-root.ts';
import { createHashTree, emptyTree } from '../../../packages/streams/block-stream/hash-tree.ts';

export type LargeBlock = { number: bigint; bytes: Buffer };

/** Bytes of one WRAPS vote. */
export const voteSizeBytes = 31_600_000;

const startSeconds = 1_795_000_000;

/**
 * Blocks from 0 on, one in memory at a time. `votes`: size of each block's votes; null = without votes.
 */
export function* makeLargeBlocks(votes: readonly (number | null)[]): Generator<LargeBlock> {
  const all = createHashTree();
  let previous: Buffer = emptyTree;
  for (const [index, sizeBytes] of votes.entries()) {
    const { bytes, root } = makeBlock(index, previous, all.root(), sizeBytes);
    all.add(root);
    previous = root;
    yield { number: BigInt(index), bytes };
  }
}

function makeBlock(
  number: number,
  previousRoot: Buffer,
  allBlocksRoot: Buffer,
  voteSize: number | null,
): { bytes: Buffer; root: Buffer } {
  const version = { major: 0, minor: 78, patch: 0 };
  const seconds = startSeconds + 2 * number;
  const at = (nanos: number): Buffer => Buffer.from(proto.Timestamp.encode(timestamp(seconds, nanos)).finish());
  const header = blockMessages.header.encode({
    hapiProtoVersion: version,
    softwareVersion: version,
    number,
    blockTimestamp: at(0),
    hashAlgorithm: 0,
  });
  const footer = {
    previousBlockRootHash: previousRoot,
    rootHashOfAllBlockHashesTree: allBlocksRoot,
    startOfBlockStateRootHash: Buffer.alloc(48, number + 1),
  };
  const items: BlockStreamItem[] = [
    writeItem(itemKinds.blockHeader, header),
    writeItem(itemKinds.roundHeader, Buffer.concat(intField(1, number + 1))),
    ...transaction(seconds, 1, transferBody()),
    ...(voteSize === null ? [] : vote(seconds, 2, voteSize)),
    ...transaction(seconds, 3, transferBody()),
    writeItem(itemKinds.blockFooter, blockMessages.footer.encode(footer)),
    writeItem(
      itemKinds.blockProof,
      blockMessages.proof.encode({ block: number, signedBlockProof: { blockSignature: Buffer.alloc(64, number) } }),
    ),
  ];
  return { bytes: writeBlock(items), root: computeBlockRoots(items, footer, at(0)).sixteen };

  function transaction(validStart: number, nanos: number, data: WireField): BlockStreamItem[] {
    const id = proto.TransactionID.encode({
      accountID: { accountNum: Long.fromNumber(1001) },
      transactionValidStart: timestamp(validStart - 1, nanos),
    }).finish();
    const body = Buffer.concat([bytesField(1, id), intField(3, 100_000), data].flat());
    const result = blockMessages.transactionResult.encode({
      status: 22,
      consensusTimestamp: at(nanos),
      transferList: Buffer.from(
        proto.TransferList.encode({ accountAmounts: [amount(1001, -5), amount(98, 5)] }).finish(),
      ),
    });
    return [
      writeItem(itemKinds.signedTransaction, Buffer.concat(bytesField(1, body))),
      writeItem(itemKinds.transactionResult, result),
    ];
  }

  /** The transaction, and its two state changes. */
  function vote(validStart: number, nanos: number, sizeBytes: number): BlockStreamItem[] {
    const data = bytesField(71, voteMessage(sizeBytes));
    return [
      ...transaction(validStart, nanos, data),
      ...[0, 1].map((node) => writeItem(itemKinds.stateChanges, voteChanges(node, at(nanos), voteMessage(sizeBytes)))),
    ];
  }
}

/** StateChanges with a MapUpdateChange whose value is a HistoryProofVote. */
function voteChanges(node: number, at: Buffer, vote: Buffer): Buffer {
  const key = messageField(1, [messageField(20, [intField(1, 1), intField(2, node + 1)])]);
  const value = bytesField(2, Buffer.concat(bytesField(27, vote)));
  const change = messageField(2, [intField(1, 47), messageField(5, [key, value])]);
  return Buffer.concat([bytesField(1, at), change].flat());
}

function voteMessage(sizeBytes: number): Buffer {
  return Buffer.concat(messageField(2, [bytesField(2, randomBytes(sizeBytes))]));
}

function transferBody(): WireField {
  const transfers = { transfers: { accountAmounts: [amount(1001, -3), amount(1002, 3)] } };
  return bytesField(14, proto.CryptoTransferTransactionBody.encode(transfers).finish());
}

function amount(account: number, tinybars: number): proto.IAccountAmount {
  return { accountID: { accountNum: Long.fromNumber(account) }, amount: Long.fromNumber(tinybars) };
}

function timestamp(seconds: number, nanos: number): proto.ITimestamp {
  return { seconds: Long.fromNumber(seconds), nanos };
}
