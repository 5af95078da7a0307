// TransactionResult (item 5): the fields that every record has, under other numbers.
import { bytesField, intField } from '../../protocol/wire-writer.ts';
import { joinFields, type MessageFields } from './message-fields.ts';

/** Fields of TransactionRecord, and their equals in TransactionResult. */
const resultFieldOf: readonly (readonly [record: number, result: number])[] = [
  [3, 2], // consensus timestamp
  [15, 3], // parent consensus timestamp
  [12, 5], // schedule
  [10, 7], // hbar transfers
  [11, 8], // token transfers
  [14, 9], // automatic associations
  [18, 10], // staking rewards
  [13, 12], // custom fees
];
const recordFee = 6;
const recordHighVolumeMultiplier = 23;

export function toTransactionResult(record: MessageFields, receipt: MessageFields): Buffer {
  const copied = resultFieldOf.flatMap(([from, to]) => record.bytes(from).map((bytes) => bytesField(to, bytes)));
  return joinFields([
    intField(1, receipt.integer(1)),
    ...copied,
    intField(6, record.integer(recordFee)),
    intField(13, record.integer(recordHighVolumeMultiplier)),
  ]);
}
