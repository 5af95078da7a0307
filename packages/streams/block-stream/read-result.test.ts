import { expect, it } from 'vitest';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { entityId, join } from '../../test-support/streams/block-items.ts';
import { readResult } from './read-result.ts';

const time = bytesField(2, join(intField(1, 1_700_000_000), intField(2, 5)));
const amount = (account: number, units: number) => [bytesField(1, entityId(account)), intField(2, units * 2 - 1)];
const transfers = join(messageField(1, amount(1001, 30)), messageField(1, amount(1002, 40)));
const tokenTransfers = join(bytesField(1, entityId(5000)), messageField(2, amount(1003, 50)));

it('takes every field of a result', () => {
  const result = readResult(
    join(
      intField(1, 22),
      time,
      messageField(3, [intField(1, 1_700_000_000), intField(2, 4)]),
      bytesField(5, entityId(700)),
      intField(6, 2n ** 63n),
      bytesField(7, transfers),
      bytesField(8, tokenTransfers),
      bytesField(8, tokenTransfers),
      messageField(9, [bytesField(1, entityId(5000)), bytesField(2, entityId(1003))]),
      messageField(10, amount(1004, 60)),
      intField(11, 2_000),
      messageField(12, [intField(1, 70), bytesField(3, entityId(1005))]),
      intField(13, 3_000),
      // Of a later version.
      bytesField(14, Buffer.of(0xff)),
    ),
  );
  const { record } = result;
  expect([result.status, result.consensusTimestamp, result.parentTimestamp]).toEqual([
    22,
    1_700_000_000_000_000_005n,
    1_700_000_000_000_000_004n,
  ]);
  expect(record.receipt.status).toBe(22);
  expect(record.consensusTimestamp!.nanos).toBe(5);
  expect(record.parentConsensusTimestamp!.nanos).toBe(4);
  expect(toBigInt(record.scheduleRef!.scheduleNum)).toBe(700n);
  expect(`${record.transactionFee}`).toBe(`${2n ** 63n}`);
  expect(record.transferList).toEqual(proto.TransferList.decode(transfers));
  expect(record.tokenTransferLists).toEqual([1, 2].map(() => proto.TokenTransferList.decode(tokenTransfers)));
  expect(record.automaticTokenAssociations!.map(({ accountId }) => toBigInt(accountId?.accountNum))).toEqual([1003n]);
  expect(record.paidStakingRewards!.map(({ accountID }) => toBigInt(accountID?.accountNum))).toEqual([1004n]);
  expect(record.assessedCustomFees!.map(({ amount: fee }) => toBigInt(fee))).toEqual([70n]);
  expect(result.congestionPricingMultiplier).toBe(2_000n);
  expect(toBigInt(result.highVolumePricingMultiplier)).toBe(3_000n);
  expect(result.failure).toBeNull();
});

it('has none of what is written without bytes', () => {
  const { record, parentTimestamp } = readResult(
    join(time, ...[3, 5, 7].map((field) => bytesField(field, Buffer.alloc(0)))),
  );
  expect([record.scheduleRef, record.transferList, parentTimestamp]).toEqual([null, null, null]);
});

it.each([
  ['transfers that are cut off', bytesField(7, transfers.subarray(0, -1))],
  ['transfers that go beyond their end', bytesField(7, join([Buffer.of(0x0a, 9)], amount(1001, 30)[0]!))],
  ['a token id that is none', messageField(8, [bytesField(1, Buffer.of(0x18))])],
])('keeps status and time of a result with %s', (_name, field) => {
  const { status, consensusTimestamp, failure } = readResult(join(intField(1, 22), time, field, intField(11, 1)));
  expect([status, consensusTimestamp]).toEqual([22, 1_700_000_000_000_000_005n]);
  expect(failure).toBeInstanceOf(Error);
});

it.each([
  ['that is cut off', join(intField(1, 22), time).subarray(0, -1)],
  ['with a time that is none', join(intField(1, 22), bytesField(2, Buffer.of(0x08)))],
  ['with a multiplier that is a message', join(time, bytesField(13, Buffer.of(1, 2)), intField(11, 1))],
  ['with a list that ends beyond it', Buffer.concat([join(time), Buffer.of(0x3a, 100, 1)])],
])('refuses a result %s', (_name, content) => {
  expect(() => readResult(content)).toThrow(StreamFileError);
});
