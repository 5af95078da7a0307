// Blocks from their items, and the proof of a block that wraps a record file.

import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';

export function writeBlock(items: readonly BlockStreamItem[]): Buffer {
  return Buffer.concat(items.flatMap(({ bytes }) => bytesField(1, bytes)));
}

/** @param version of the record file that these nodes signed */
export function recordFileProof(
  number: bigint,
  version: number,
  signatures: readonly { nodeId: bigint; signature: Buffer }[],
): BlockStreamItem {
  const proof = messageField(4, [
    intField(1, version),
    ...signatures.map(({ nodeId, signature }) => messageField(2, [bytesField(1, signature), intField(2, nodeId)])),
  ]);
  return writeItem(itemKinds.blockProof, Buffer.concat([intField(1, number), proof].flat()));
}
