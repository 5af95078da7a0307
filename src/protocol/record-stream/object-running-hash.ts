// The running hash of v5 and v6 record streams: each item's hash is chained to what came before, so the end hash of a
// file follows from its start hash and the raw bytes of its items. Nothing is re-encoded.
import { createHash } from 'node:crypto';
import type { RawItem } from './raw-record-file.ts';

// Class id and version of a hash object, little-endian here and only here.
const hashHeader = Buffer.from('1e7451a283da22f401000000', 'hex');
// Class id and version of a record stream object.
const itemHeader = Buffer.from('e370929ba5429d8b00000001', 'hex');

export type ObjectRunningHash = {
  add(item: RawItem): void;
  /** The running hash after the items added so far. */
  value(): Buffer;
};

export function createObjectRunningHash(start: Buffer): ObjectRunningHash {
  let running = start;
  const recordLength = Buffer.alloc(4);
  const transactionLength = Buffer.alloc(4);
  return {
    add({ transaction, record }) {
      recordLength.writeInt32BE(record.length);
      transactionLength.writeInt32BE(transaction.length);
      const itemHash = createHash('sha384')
        .update(itemHeader)
        .update(recordLength)
        .update(record)
        .update(transactionLength)
        .update(transaction)
        .digest();
      running = createHash('sha384').update(hashHeader).update(running).update(hashHeader).update(itemHash).digest();
    },
    value: () => running,
  };
}

/** The end running hash of a file with these items. */
export function computeObjectRunningHash(start: Buffer, items: readonly RawItem[]): Buffer {
  const running = createObjectRunningHash(start);
  for (const item of items) running.add(item);
  return running.value();
}
