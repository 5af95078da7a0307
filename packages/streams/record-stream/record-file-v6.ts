// Record file v6 (since July 2022): a version number and one protobuf message. Items keep their raw bytes, which the
// running hash is made of; the metadata hash covers version, running hashes and block number.
import { proto } from '../../protocol/hapi/hapi.ts';
import { sha384, sha384Length } from '../../protocol/sha384.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { readVarint64, visitWireFields, wireBytes, wireVarint } from '../../protocol/wire-fields.ts';
import { bytesField, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import type { SemanticVersion } from '../stream/stream-block.ts';
import { int32s } from './hash-object.ts';
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

/** The content of a RecordStreamFile message; wrapped files of earlier versions omit what these did not have. */
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

  // `at`: the message of a length-delimited field.
  const read: Record<number, (at: Buffer, start: number) => void> = {
    1: (at) => {
      const { major, minor, patch } = decode('HAPI version', () => proto.SemanticVersion.decode(at));
      hapiVersion = { major, minor, patch };
    },
    2: (at) => {
      startRunningHash = readHash(at, 'start running hash');
    },
    3: (at) => items.push(readItem(at, items.length)),
    4: (at) => {
      endRunningHash = readHash(at, 'end running hash');
    },
    5: (_at, start) => {
      blockNumber = readVarint64(message, start);
    },
    6: (at) => sidecars.push(readSidecar(at, sidecars.length)),
  };
  visitWireFields(message, (number, wireType, start, end) => {
    // Fields of later versions are ignored: the file hash covers them.
    const readField = read[number];
    if (!readField) return;
    const expected = number === 5 ? wireVarint : wireBytes;
    if (wireType !== expected) {
      const part = `field ${number} of record file v6`;
      throw new StreamFileError('malformed', part, `wire type ${expected}`, `wire type ${wireType}`);
    }
    readField(message.subarray(start, end), start);
  });

  return { hapiVersion, startRunningHash, endRunningHash, blockNumber, items, sidecars };
}

function metadataHashV6(version: SemanticVersion, start: Buffer, end: Buffer, blockNumber: bigint): Buffer {
  const tail = Buffer.alloc(8);
  tail.writeBigInt64BE(blockNumber);
  return sha384(int32s(6, version.major, version.minor, version.patch), start, end, tail);
}

/** Fields of SemanticVersion. */
export function versionFields({ major, minor, patch }: SemanticVersion): WireField[] {
  return [intField(1, major), intField(2, minor), intField(3, patch)];
}

export function itemField({ transaction, record }: RawItem): WireField {
  return messageField(3, [bytesField(1, transaction), bytesField(2, record)]);
}

export function hashField(number: number, hash: Buffer): WireField {
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
