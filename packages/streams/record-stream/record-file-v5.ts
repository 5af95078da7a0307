// Record file v5 (2021–2022): an object stream of items between two hash objects, the running hash before and after
// them. At least one item, and nothing after the second hash object.
import { createByteReader } from '../../protocol/byte-reader.ts';
import { sha384 } from '../../protocol/sha384.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import type { SemanticVersion } from '../stream/stream-block.ts';
import { hashClassId, int32s, readHashObject, readHashObjectBody, writeHashObject } from './hash-object.ts';
import { computeObjectRunningHash, itemHeader } from './object-running-hash.ts';
import type { RawItem, RecordFile } from './raw-record-file.ts';

const objectStreamVersion = 1;
const itemClassId = BigInt.asIntN(64, 0xe370929ba5429d8bn);
const itemClassVersion = 1;

export function readRecordFileV5(bytes: Buffer): RecordFile {
  const reader = createByteReader(bytes);
  reader.expectInt32(5, 'record file version');
  const hapiVersion = {
    major: reader.int32('HAPI major version'),
    minor: reader.int32('HAPI minor version'),
    patch: reader.int32('HAPI patch version'),
  };
  reader.expectInt32(objectStreamVersion, 'object stream version');
  const previousHash = readHashObject(reader, 'start running hash');
  const headerEnd = reader.offset();

  const items: RawItem[] = [];
  let classId = reader.int64('class id of item 0');
  while (classId !== hashClassId) {
    const name = `item ${items.length}`;
    if (classId !== itemClassId) {
      throw new StreamFileError('malformed', `class id of ${name}`, 'a record stream object or a hash', `${classId}`);
    }
    reader.expectInt32(itemClassVersion, `class version of ${name}`);
    const record = reader.lengthPrefixed(`record of ${name}`);
    const transaction = reader.lengthPrefixed(`transaction of ${name}`);
    items.push({ transaction, record });
    classId = reader.int64(`class id of item ${items.length}`);
  }
  if (items.length === 0) throw new StreamFileError('malformed', 'record file v5', 'at least one item', 'none');

  const trailerStart = reader.offset() - 8;
  const hash = readHashObjectBody(reader, 'end running hash');
  reader.end('record file v5');
  return {
    version: 5,
    hapiVersion,
    blockNumber: null,
    previousHash,
    hash,
    fileHash: sha384(bytes),
    metadataHash: sha384(bytes.subarray(0, headerEnd), bytes.subarray(trailerStart)),
    items,
    sidecars: [],
  };
}

export type WriteRecordFileV5Options = {
  hapiVersion: SemanticVersion;
  startRunningHash: Buffer;
  /** At least one. */
  items: readonly RawItem[];
};

/** → the bytes of a v5 file. */
export function writeRecordFileV5(options: WriteRecordFileV5Options): Buffer {
  const { hapiVersion, startRunningHash, items } = options;
  const header = Buffer.concat([
    int32s(5, hapiVersion.major, hapiVersion.minor, hapiVersion.patch, objectStreamVersion),
    writeHashObject(startRunningHash),
  ]);
  const trailer = writeHashObject(computeObjectRunningHash(startRunningHash, items));
  const body = items.flatMap(({ transaction, record }) => [
    itemHeader,
    int32s(record.length),
    record,
    int32s(transaction.length),
    transaction,
  ]);
  return Buffer.concat([header, ...body, trailer]);
}
