// Record file v6: a version number and one protobuf message.
import { computeObjectRunningHash } from '../../../src/protocol/record-stream/object-running-hash.ts';
import type { RawItem, RecordFileSidecar } from '../../../src/protocol/record-stream/raw-record-file.ts';
import { hashField, itemField, versionFields } from '../../../src/protocol/record-stream/record-file-v6.ts';
import type { SemanticVersion } from '../../../src/protocol/stream/stream-block.ts';
import { bytesField, intField, messageField } from '../../../src/protocol/wire-writer.ts';

const versionPrefix = Buffer.of(0, 0, 0, 6);

type WriteRecordFileV6Options = {
  hapiVersion: SemanticVersion;
  startRunningHash: Buffer;
  items: readonly RawItem[];
  blockNumber: bigint;
  sidecars?: readonly RecordFileSidecar[];
};

/** → the bytes of a file, not compressed. */
export function writeRecordFileV6(options: WriteRecordFileV6Options): Buffer {
  const { hapiVersion, startRunningHash, items, blockNumber, sidecars = [] } = options;
  const fields = [
    messageField(1, versionFields(hapiVersion)),
    hashField(2, startRunningHash),
    ...items.map(itemField),
    hashField(4, computeObjectRunningHash(startRunningHash, items)),
    intField(5, blockNumber),
    ...sidecars.map(({ hash, id, types }) =>
      messageField(6, [hashField(1, hash), intField(2, id), types.length ? bytesField(3, Buffer.from(types)) : []]),
    ),
  ];
  return Buffer.concat([versionPrefix, ...fields.flat()]);
}
