// The running hash of v5 and v6 record streams: each item's hash is chained to the hash before, so the end hash of a
// file follows from its start hash and the raw bytes of its items. Nothing is re-encoded. The input is concatenated
// first: a Hash object for each item costs the garbage collector more than the copy.
import { sha384, sha384Length, sha384Text } from '../../protocol/sha384.ts';
import { int32s } from './hash-object.ts';
import type { RawItem } from './raw-record-file.ts';

// Class id and version of a hash object, little-endian here and only here.
const hashHeader = Buffer.from('1e7451a283da22f401000000', 'hex');
// Class id and version of a record stream object.
export const itemHeader = Buffer.from('e370929ba5429d8b00000001', 'hex');
const lengthBytes = 4;

/** The end running hash of a file with these items. */
export function computeObjectRunningHash(start: Buffer, items: readonly RawItem[]): Buffer {
  let itemBytes: Buffer = Buffer.alloc(16 * 1024);
  // Header, running hash, header, hash of the item.
  const chained = Buffer.concat([hashHeader, Buffer.alloc(sha384Length), hashHeader, Buffer.alloc(sha384Length)]);
  const runningAt = hashHeader.length;
  chained.set(start, runningAt);
  const itemAt = runningAt + sha384Length + hashHeader.length;
  itemHeader.copy(itemBytes);
  for (const { transaction, record } of items) {
    const recordAt = itemHeader.length + lengthBytes;
    const transactionAt = recordAt + record.length + lengthBytes;
    const end = transactionAt + transaction.length;
    if (end > itemBytes.length) {
      itemBytes = Buffer.alloc(end * 2);
      itemHeader.copy(itemBytes);
    }
    itemBytes.writeInt32BE(record.length, recordAt - lengthBytes);
    itemBytes.set(record, recordAt);
    itemBytes.writeInt32BE(transaction.length, transactionAt - lengthBytes);
    itemBytes.set(transaction, transactionAt);
    chained.write(sha384Text(itemBytes.subarray(0, end)), itemAt, sha384Length, 'latin1');
    chained.write(sha384Text(chained), runningAt, sha384Length, 'latin1');
  }
  return Buffer.from(chained.subarray(runningAt, runningAt + sha384Length));
}

/** What the running hash is a chain of: the hash of each item. */
export function hashItems(items: readonly RawItem[]): Buffer[] {
  return items.map(({ transaction, record }) => {
    const sizes = [int32s(record.length), int32s(transaction.length)] as const;
    return sha384(Buffer.concat([itemHeader, sizes[0], record, sizes[1], transaction]));
  });
}

/** The end running hash of a file with items of these hashes. */
export function chainHashes(start: Buffer, hashes: readonly Buffer[]): Buffer {
  return hashes.reduce((running, hash) => sha384(Buffer.concat([hashHeader, running, hashHeader, hash])), start);
}
