// The block that wraps a record file: what block nodes hand out for the time of record files, and what the first block of a
// block stream names as the one before it. It follows from the record file, its sidecars and the blocks before.

import { toTimestampMessage } from '../hapi/timestamp.ts';
import type { RecordFile } from '../record-stream/raw-record-file.ts';
import { visitWireFields, wireBytes } from '../wire-fields.ts';
import { bytesField, intField, messageField, type WireField } from '../wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeBlock, writeItem } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { blockMessages } from './block-messages.ts';
import { computeBlockRoots } from './block-root.ts';
import { emptyTree } from './hash-tree.ts';
import { writeWrappedRecord } from './wrapped-record.ts';

export type WrappedBlockParts = {
  number: bigint;
  file: RecordFile;
  /** The record file without compression. */
  bytes: Buffer;
  /** The instant in the record file's name, ns. */
  creationTime: bigint;
  /** Decompressed, by id. */
  sidecars: readonly Buffer[];
  previousRoot: Buffer;
  /** Root of the tree of all blocks' roots before. */
  allBlocksRoot: Buffer;
};

export type WrappedBlock = {
  root: Buffer;
  /** The serialized block with these signatures of nodes. */
  write(signatures: readonly { nodeId: bigint; signature: Buffer }[]): Buffer;
};

export function wrapRecordFile(parts: WrappedBlockParts): WrappedBlock {
  const { number, file, bytes, creationTime, sidecars, previousRoot, allBlocksRoot } = parts;
  const time = toTimestampMessage(creationTime);
  const contents = recordStreamMessage(file, bytes);
  const header = Buffer.concat(
    [bytesField(1, findHapiVersion(contents)), intField(3, number), bytesField(4, time)].flat(),
  );
  const footerMessage: BlockMessages['BlockFooter'] = {
    previousBlockRootHash: previousRoot,
    rootHashOfAllBlockHashesTree: allBlocksRoot,
    startOfBlockStateRootHash: emptyTree,
  };
  const items: BlockStreamItem[] = [
    writeItem(itemKinds.blockHeader, header),
    writeItem(itemKinds.recordFile, writeWrappedRecord(contents, time, sidecars)),
    writeItem(itemKinds.blockFooter, blockMessages.footer.encode(footerMessage)),
  ];
  return {
    root: computeBlockRoots(items, footerMessage, time).sixteen,
    write: (signatures) => writeBlock([...items, proofItem(number, file.version, signatures)]),
  };
}

function proofItem(
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

/** SHA-384 as HashAlgorithm. */
const hashAlgorithm = 1;

/** A file of any version as RecordStreamFile; versions 1 to 5 say less than 6. */
function recordStreamMessage({ version, hapiVersion, previousHash, hash, items }: RecordFile, bytes: Buffer): Buffer {
  if (version === 6) return bytes.subarray(4);
  const hapi: WireField[] = hapiVersion
    ? [intField(1, hapiVersion.major), intField(2, hapiVersion.minor), intField(3, hapiVersion.patch)]
    : [intField(2, bytes.readInt32BE(4))];
  const hashField = (number: number, value: Buffer): WireField =>
    messageField(number, [intField(1, hashAlgorithm), intField(2, value.length), bytesField(3, value)]);
  return Buffer.concat(
    [
      messageField(1, hapi),
      hashField(2, previousHash),
      ...items.map(({ transaction, record }) => messageField(3, [bytesField(1, transaction), bytesField(2, record)])),
      version === 5 ? hashField(4, hash) : [],
    ].flat(),
  );
}

/** With what decoders do not know: pre-release and build. */
function findHapiVersion(contents: Buffer): Buffer {
  let version = Buffer.alloc(0);
  visitWireFields(contents, (number, wireType, start, end) => {
    if (number === 1 && wireType === wireBytes) version = Buffer.from(contents.subarray(start, end));
  });
  return version;
}
