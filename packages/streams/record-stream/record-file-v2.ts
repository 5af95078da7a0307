// Record files v1 and v2 (2019–2021): a header with the hash of the previous file, then transactions and records in
// turn. Their chain value is the file hash; the two versions only differ in how it is computed.
import { createByteReader } from '../../protocol/byte-reader.ts';
import { sha384, sha384Length } from '../../protocol/sha384.ts';
import { int32s } from './hash-object.ts';
import type { RawItem, RecordFile } from './raw-record-file.ts';

const previousHashMarker = 1;
export const itemMarker = 2;
const headerLength = 4 + 4 + 1 + sha384Length;

export function readRecordFileV1(bytes: Buffer): RecordFile {
  return readOldRecordFile(bytes, 1, sha384(bytes));
}

export function readRecordFileV2(bytes: Buffer): RecordFile {
  return readOldRecordFile(bytes, 2, hashV2(bytes));
}

export type WriteRecordFileV2Options = { previousHash: Buffer; items: readonly RawItem[]; hapiNumber?: number };

/** → the bytes of a v2 file. */
export function writeRecordFileV2(options: WriteRecordFileV2Options): Buffer {
  const parts = [int32s(2, options.hapiNumber ?? 3), Buffer.of(previousHashMarker), options.previousHash];
  for (const { transaction, record } of options.items) {
    parts.push(Buffer.of(itemMarker), int32s(transaction.length), transaction, int32s(record.length), record);
  }
  return Buffer.concat(parts);
}

function readOldRecordFile(bytes: Buffer, version: number, fileHash: Buffer): RecordFile {
  const reader = createByteReader(bytes);
  reader.expectInt32(version, 'record file version');
  reader.int32('HAPI number');
  reader.expectByte(previousHashMarker, 'marker of the previous hash');
  const previousHash = reader.bytes(sha384Length, 'previous hash');
  const items: RawItem[] = [];
  while (reader.remaining() > 0) {
    reader.expectByte(itemMarker, `marker of item ${items.length}`);
    const transaction = reader.lengthPrefixed(`transaction of item ${items.length}`);
    const record = reader.lengthPrefixed(`record of item ${items.length}`);
    items.push({ transaction, record });
  }
  return {
    version,
    hapiVersion: null,
    blockNumber: null,
    previousHash,
    hash: fileHash,
    fileHash,
    metadataHash: null,
    items,
    sidecars: [],
  };
}

function hashV2(bytes: Buffer): Buffer {
  return sha384(bytes.subarray(0, headerLength), sha384(bytes.subarray(headerLength)));
}
