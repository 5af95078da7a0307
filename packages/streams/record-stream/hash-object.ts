// Parts of the files before protobuf. The hash object of v5: class id, version, digest type, length, SHA-384 value.
import type { ByteReader } from '../../protocol/byte-reader.ts';
import { sha384Length } from '../../protocol/sha384.ts';

export const hashClassId = BigInt.asIntN(64, 0xf422da83a251741en);
const classVersion = 1;
const sha384Type = 0x58ff811b;

export function readHashObject(reader: ByteReader, part: string): Buffer {
  reader.expectInt64(hashClassId, `class id of ${part}`);
  return readHashObjectBody(reader, part);
}

/** The part after the class id. */
export function readHashObjectBody(reader: ByteReader, part: string): Buffer {
  reader.expectInt32(classVersion, `class version of ${part}`);
  reader.expectInt32(sha384Type, `digest type of ${part}`);
  reader.expectInt32(sha384Length, `length of ${part}`);
  return reader.bytes(sha384Length, part);
}

export function writeHashObject(hash: Buffer): Buffer {
  const classId = Buffer.alloc(8);
  classId.writeBigInt64BE(hashClassId);
  return Buffer.concat([classId, int32s(classVersion, sha384Type, hash.length), hash]);
}

/** Big-endian. */
export function int32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, index * 4);
  return bytes;
}
