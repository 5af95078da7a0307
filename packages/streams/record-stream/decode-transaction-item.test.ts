import { describe, expect, it } from 'vitest';
import { proto } from '../../protocol/hapi/hapi.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { decodeTransactionItem } from './decode-transaction-item.ts';

const timestamp = (number: number, seconds: bigint, nanos: number) =>
  messageField(number, [intField(1, seconds), intField(2, nanos)]);
const record = Buffer.concat(
  [messageField(1, [intField(1, 22)]), timestamp(3, 1_700_000_000n, 5), timestamp(15, 1_700_000_000n, 4)].flat(),
);
const bodyBytes = Buffer.from(proto.TransactionBody.encode({ memo: '🪙', consensusSubmitMessage: {} }).finish());
const transaction = Buffer.concat(bytesField(4, bodyBytes));

describe('an item', () => {
  it('has its times, type, status and raw bytes', () => {
    const { item, problem } = decodeTransactionItem({ transaction, record }, 3);
    expect(problem).toBeNull();
    expect(item).toMatchObject({
      index: 3,
      consensusTimestamp: 1_700_000_000_000_000_005n,
      parentConsensusTimestamp: 1_700_000_000_000_000_004n,
      type: 27,
      status: 22,
      transactionBytes: transaction,
      recordBytes: record,
      sidecars: [],
    });
    expect(item.body.memo).toBe('🪙');
  });

  it('keeps its result when the transaction cannot be read', () => {
    const { item, problem } = decodeTransactionItem({ transaction: transaction.subarray(0, -1), record }, 3);
    expect(problem).toContain('transaction of item 3');
    expect(item).toMatchObject({ type: 0, status: 22, consensusTimestamp: 1_700_000_000_000_000_005n });
  });

  it.each([
    ['a cut record', record.subarray(0, -1)],
    ['a record without consensus timestamp', record.subarray(0, 4)],
  ])('is refused with %s', (_name, bytes) => {
    expect(() => decodeTransactionItem({ transaction, record: bytes }, 0)).toThrow(StreamFileError);
  });
});
