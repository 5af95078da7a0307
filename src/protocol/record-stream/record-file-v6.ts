// Record file v6 (since July 2022): a version number and one protobuf message. Items keep their raw bytes, because the
// running hash is made of them; the metadata hash covers version, running hashes and block number.
import { gzipSync } from 'node:zlib';
import { proto } from '../hapi/hapi.ts';
import { sha384, sha384Length } from '../sha384.ts';
import type { SemanticVersion } from '../stream/stream-block.ts';
import { StreamFileError } from '../stream-file-error.ts';
import { readVarint64, visitWireFields, wireBytes, wireVarint } from '../wire-fields.ts';
import { bytesField, intField, messageField, type WireField } from '../wire-writer.ts';
import { computeObjectRunningHash } from './object-running-hash.ts';
import type { RawItem, RecordFile, RecordFileSidecar } from './raw-record-file.ts';

const versionPrefix = Buffer.of(0, 0, 0, 6);
/** HashAlgorithm SHA_384. */
const hashAlgorithm = 1;

export function readRecordFileV6(bytes: Buffer): RecordFile {
  const parts = readRecordStreamMessage(bytes.subarray(versionPrefix.length));
  const version = present<SemanticVersion>(parts.hapiVersion, 'HAPI version');
  const start = present<Buffer>(parts.startRunningHash, 'start running hash');
  const end = present<Buffer>(parts.endRunningHash, 'end running hash');
  const { blockNumber, items, sidecars } = parts;
  return {
    version: 6,
    hapiVersion: version,
    blockNumber,
    previousHash: start,
    hash: end,
    fileHash: sha384(bytes),
    metadataHash: metadataHashV6(version, start, end, blockNumber),
    items,
    sidecars,
  };
}

/** What a RecordStreamFile message says; wrapped files of earlier versions leave out what these did not have. */
export type RecordStreamMessage = {
  hapiVersion: SemanticVersion | null;
  startRunningHash: Buffer | null;
  endRunningHash: Buffer | null;
  blockNumber: bigint;
  items: RawItem[];
  sidecars: RecordFileSidecar[];
};

export function readRecordStreamMessage(message: Buffer): RecordStreamMessage {
  const items: RawItem[] = [];
  const sidecars: RecordFileSidecar[] = [];
  let hapiVersion: SemanticVersion | null = null;
  let startRunningHash: Buffer | null = null;
  let endRunningHash: Buffer | null = null;
  let blockNumber = 0n;

  const read: Record<number, (start: number, end: number) => void> = {
    1: (start, end) => {
      const { major, minor, patch } = decode('HAPI version', () =>
        proto.SemanticVersion.decode(message.subarray(start, end)),
      );
      hapiVersion = { major, minor, patch };
    },
    2: (start, end) => {
      startRunningHash = readHash(message.subarray(start, end), 'start running hash');
    },
    3: (start, end) => {
      items.push(readItem(message.subarray(start, end), items.length));
    },
    4: (start, end) => {
      endRunningHash = readHash(message.subarray(start, end), 'end running hash');
    },
    5: (start) => {
      blockNumber = readVarint64(message, start);
    },
    6: (start, end) => {
      sidecars.push(readSidecar(message.subarray(start, end), sidecars.length));
    },
  };
  visitWireFields(message, (number, wireType, start, end) => {
    // Fields of later versions are left alone: the file hash covers them.
    const readField = read[number];
    if (!readField) return;
    const expected = number === 5 ? wireVarint : wireBytes;
    if (wireType !== expected) {
      const part = `field ${number} of record file v6`;
      throw new StreamFileError('malformed', part, `wire type ${expected}`, `wire type ${wireType}`);
    }
    readField(start, end);
  });

  return { hapiVersion, startRunningHash, endRunningHash, blockNumber, items, sidecars };
}

export type WriteRecordFileV6Options = {
  hapiVersion: SemanticVersion;
  startRunningHash: Buffer;
  items: readonly RawItem[];
  blockNumber: bigint;
  sidecars?: readonly RecordFileSidecar[];
};

export type WrittenRecordFileV6 = {
  bytes: Buffer;
  fileHash: Buffer;
  metadataHash: Buffer;
  endRunningHash: Buffer;
  /** The file as it is stored: `bytes` gzipped, the same for the same input. */
  gzip(): Buffer;
};

export function writeRecordFileV6(options: WriteRecordFileV6Options): WrittenRecordFileV6 {
  const { hapiVersion, startRunningHash, items, blockNumber, sidecars = [] } = options;
  const endRunningHash = computeObjectRunningHash(startRunningHash, items);
  const fields: WireField[] = [
    messageField(1, [intField(1, hapiVersion.major), intField(2, hapiVersion.minor), intField(3, hapiVersion.patch)]),
    hashField(2, startRunningHash),
    ...items.map(({ transaction, record }) => messageField(3, [bytesField(1, transaction), bytesField(2, record)])),
    hashField(4, endRunningHash),
    intField(5, blockNumber),
    ...sidecars.map(({ hash, id, types }) =>
      messageField(6, [hashField(1, hash), intField(2, id), types.length ? bytesField(3, Buffer.from(types)) : []]),
    ),
  ];
  const bytes = Buffer.concat([versionPrefix, ...fields.flat()]);
  return {
    bytes,
    fileHash: sha384(bytes),
    metadataHash: metadataHashV6(hapiVersion, startRunningHash, endRunningHash, blockNumber),
    endRunningHash,
    gzip: () => gzipSync(bytes),
  };
}

function metadataHashV6(version: SemanticVersion, start: Buffer, end: Buffer, blockNumber: bigint): Buffer {
  const head = Buffer.alloc(16);
  for (const [index, value] of [6, version.major, version.minor, version.patch].entries()) {
    head.writeInt32BE(value, index * 4);
  }
  const tail = Buffer.alloc(8);
  tail.writeBigInt64BE(blockNumber);
  return sha384(head, start, end, tail);
}

function hashField(number: number, hash: Buffer): WireField {
  return messageField(number, [intField(1, hashAlgorithm), intField(2, hash.length), bytesField(3, hash)]);
}

function readItem(message: Buffer, index: number): RawItem {
  let transaction: Buffer | null = null;
  let record: Buffer | null = null;
  visitWireFields(message, (number, wireType, start, end) => {
    if (wireType === wireBytes && number === 1 && !transaction) transaction = message.subarray(start, end);
    else if (wireType === wireBytes && number === 2 && !record) record = message.subarray(start, end);
    else if (number <= 2) {
      const found = `field ${number} of wire type ${wireType} or twice`;
      throw new StreamFileError('malformed', `item ${index}`, 'one transaction and one record', found);
    }
  });
  return {
    transaction: present<Buffer>(transaction, `transaction of item ${index}`),
    record: present<Buffer>(record, `record of item ${index}`),
  };
}

function readHash(message: Buffer, part: string): Buffer {
  const { hash } = decode(part, () => proto.HashObject.decode(message));
  if (hash.length !== sha384Length) {
    throw new StreamFileError('malformed', part, `${sha384Length} bytes`, `${hash.length} bytes`);
  }
  return hash as Buffer;
}

function readSidecar(message: Buffer, index: number): RecordFileSidecar {
  const part = `sidecar entry ${index}`;
  const { id, types, hash } = decode(part, () => proto.SidecarMetadata.decode(message));
  const bytes = hash?.hash ?? Buffer.alloc(0);
  if (bytes.length !== sha384Length) {
    throw new StreamFileError('malformed', `hash of ${part}`, `${sha384Length} bytes`, `${bytes.length} bytes`);
  }
  return { id, types, hash: bytes as Buffer };
}

function present<T>(value: T | null, part: string): T {
  if (value === null) throw new StreamFileError('malformed', 'record file v6', part, 'nothing');
  return value;
}

function decode<T>(part: string, message: () => T): T {
  try {
    return message();
  } catch (error) {
    throw new StreamFileError('malformed', part, 'a protobuf message', String(error));
  }
}
