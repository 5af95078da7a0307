// Record file v6: a version number and one protobuf message.

import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { computeObjectRunningHash } from '../../streams/record-stream/object-running-hash.ts';
import type { RawItem, RecordFileSidecar } from '../../streams/record-stream/raw-record-file.ts';
import { hashField, itemField, versionFields } from '../../streams/record-stream/record-file-v6.ts';
import type { SemanticVersion } from '../../streams/stream/stream-block.ts';

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
