// The bytes of a record file around one of its items. With the item in the usual form between them they are the file
// again.
import { listPlainFields } from '../../protocol/plain-fields.ts';
import { int32s } from './hash-object.ts';
import { itemHeader } from './object-running-hash.ts';
import type { RawItem, RecordFile } from './raw-record-file.ts';
import { itemMarker } from './record-file-v2.ts';
import { itemField } from './record-file-v6.ts';

export type Surroundings = { before: Buffer; after: Buffer };

/**
 * `bytes`: those that `file` was read from. null: they have the item, or what is before it, in another form than is
 * usual.
 */
export function surroundItem({ version, items }: RecordFile, bytes: Buffer, index: number): Surroundings | null {
  const item = items[index]!;
  const encode = encoders[version];
  if (!encode) return null;
  const encoded = Buffer.concat(encode(item));
  // The parts of an item are views of the file.
  const end = Math.max(endOf(item.transaction), endOf(item.record)) - bytes.byteOffset;
  const start = end - encoded.length;
  if (start < 0 || !encoded.equals(bytes.subarray(start, end))) return null;
  const before = bytes.subarray(0, start);
  // Verifiers look at what is before it.
  return version === 6 && !listPlainFields(before.subarray(4)) ? null : { before, after: bytes.subarray(end) };
}

const encoders: Record<number, (item: RawItem) => Buffer[]> = {
  2: ({ transaction, record }) => [Buffer.of(itemMarker), ...sized(transaction), ...sized(record)],
  5: ({ transaction, record }) => [itemHeader, ...sized(record), ...sized(transaction)],
  6: itemField,
};

function sized(part: Buffer): Buffer[] {
  return [int32s(part.length), part];
}

function endOf({ byteOffset, length }: Buffer): number {
  return byteOffset + length;
}
