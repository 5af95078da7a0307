// The block that wraps a record file: what block nodes serve for the time of record files, and what the first block of
// a block stream names as the one before it. It follows from the record file, its sidecars and the blocks before.

import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { findWireBytes, noBytes } from '../../protocol/wire-fields.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import type { RecordFile } from '../record-stream/raw-record-file.ts';
import { hashField, itemField, versionFields } from '../record-stream/record-file-v6.ts';
import { type BlockStreamItem, itemKinds, writeItem } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { blockMessages } from './block-messages.ts';
import { computeBlockRoots } from './block-root.ts';
import { emptyTree } from './hash-tree.ts';
import { writeWrappedRecord } from './wrapped-record.ts';

export type WrappedBlockParts = {
  number: bigint;
  file: RecordFile;
  /** The uncompressed record file. */
  bytes: Buffer;
  /** The instant in the record file's name, ns. */
  creationTime: bigint;
  /** Decompressed, by id. */
  sidecars: readonly Buffer[];
  previousRoot: Buffer;
  /** Root of the tree over all earlier blocks' roots. */
  allBlocksRoot: Buffer;
};

export type WrappedBlock = {
  root: Buffer;
  /** All but the proof. */
  items: BlockStreamItem[];
};

export function wrapRecordFile(parts: WrappedBlockParts): WrappedBlock {
  const { number, file, bytes, creationTime, sidecars, previousRoot, allBlocksRoot } = parts;
  const time = toTimestampMessage(creationTime);
  const contents = recordStreamMessage(file, bytes);
  // Including fields that decoders do not know: pre-release and build.
  const hapiVersion = findWireBytes(contents, 1) ?? noBytes;
  const header = Buffer.concat([bytesField(1, hapiVersion), intField(3, number), bytesField(4, time)].flat());
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
  return { root: computeBlockRoots(items, footerMessage, time).sixteen, items };
}

/** A file of any version as RecordStreamFile; versions 1 to 5 have fewer fields than 6. */
function recordStreamMessage({ version, hapiVersion, previousHash, hash, items }: RecordFile, bytes: Buffer): Buffer {
  if (version === 6) return bytes.subarray(4);
  const hapi = hapiVersion ? versionFields(hapiVersion) : [intField(2, bytes.readInt32BE(4))];
  return Buffer.concat(
    [
      messageField(1, hapi),
      hashField(2, previousHash),
      ...items.map(itemField),
      version === 5 ? hashField(4, hash) : [],
    ].flat(),
  );
}
