// Amendments of a wrapped record file, of which some cannot be read.
import Long from 'long';
import { expect, test } from 'vitest';
import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { readWrappedRecord, writeWrappedRecord } from './wrapped-record.ts';

const recordAt = (seconds: number, memo: string) =>
  Buffer.from(
    proto.TransactionRecord.encode({ consensusTimestamp: { seconds: Long.fromNumber(seconds) }, memo }).finish(),
  );
const item = (record: Uint8Array) => [bytesField(1, Buffer.of(1)), bytesField(2, record)];

/** A block's item around a record file of version 2. */
function wrapped(items: readonly Uint8Array[], amendments: readonly Uint8Array[]): Buffer {
  const hash = Buffer.concat([intField(1, 1), intField(2, 48), bytesField(3, Buffer.alloc(48, 7))].flat());
  const contents = [
    messageField(1, [intField(2, 3)]),
    bytesField(2, hash),
    ...items.map((record) => messageField(3, item(record))),
  ];
  const content = writeWrappedRecord(Buffer.concat(contents.flat()), toTimestampMessage(9n), []);
  return Buffer.concat([content, ...amendments.flatMap((record) => messageField(4, item(record)))]);
}

const memosOf = (content: Buffer) =>
  readWrappedRecord(content, 2).items.map(({ record }) => {
    try {
      return proto.TransactionRecord.decode(record).memo;
    } catch {
      return 'unreadable';
    }
  });

test('an amendment replaces the item of its time, or is inserted; the last one of a time counts', () => {
  const items = [recordAt(1, 'a'), recordAt(3, 'c')];
  expect(memosOf(wrapped(items, []))).toEqual(['a', 'c']);
  const amendments = [recordAt(3, 'x'), recordAt(2, 'b'), recordAt(3, 'C')];
  expect(memosOf(wrapped(items, amendments))).toEqual(['a', 'b', 'C']);
});

test('what cannot be read replaces nothing, and stops nothing', () => {
  const items = [recordAt(1, 'a'), Buffer.of(0xff), recordAt(3, 'c')];
  const amendments = [
    Buffer.of(0x0a, 0x7f),
    recordAt(3, 'C'),
    Buffer.from(proto.TransactionRecord.encode({}).finish()),
  ];
  expect(memosOf(wrapped(items, amendments))).toEqual(['a', 'C', 'unreadable', 'unreadable', '']);
});
