import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proto } from '../hapi/hapi.ts';
import { bytesField, intField, messageField, type WireField } from '../wire-writer.ts';
import { readDelegationAddress, readHighVolume } from './newer-fields.ts';

const toBuffer = (...fields: WireField[]) => Buffer.concat(fields.flat());
const body = (...fields: WireField[]) =>
  Buffer.concat([proto.TransactionBody.encode({ memo: 'm', cryptoTransfer: {} }).finish(), toBuffer(...fields)]);
const record = (...fields: WireField[]) =>
  Buffer.concat([proto.TransactionRecord.encode({ memo: 'm' }).finish(), toBuffer(...fields)]);

describe('the high-volume lane', () => {
  it.each([
    ['not asked for', body(), record(intField(23, 2000)), null],
    ['asked for with a price', body(intField(1002, 1)), record(intField(23, 2000)), { pricingMultiplier: 2000n }],
    ['asked for without a price', body(intField(1002, 1)), record(), { pricingMultiplier: null }],
    // The bytes of the field's tag, but within a text.
    ['in a memo only', Buffer.from(toBuffer(bytesField(6, Buffer.of(0xd0, 0x3e, 1)))), record(intField(23, 1)), null],
    ['asked for, then taken back', body(intField(1002, 1), [Buffer.of(0xd0, 0x3e, 0)]), record(), null],
  ])('%s', (_name, bodyBytes, recordBytes, expected) => {
    expect(readHighVolume(bodyBytes, recordBytes)).toEqual(expected);
  });

  it('has any price of 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (price) => {
        const read = readHighVolume(body(intField(1002, 1)), record(intField(23, price)));
        expect(read).toEqual({ pricingMultiplier: price });
      }),
    );
  });
});

describe('delegation addresses', () => {
  const address = Buffer.alloc(20, 0xde);
  const transaction = (...fields: WireField[]) =>
    Buffer.from(
      proto.Transaction.encode({
        signedTransactionBytes: proto.SignedTransaction.encode({ bodyBytes: body(...fields) }).finish(),
      }).finish(),
    );

  it.each([
    ['of a new account', transaction(messageField(11, [bytesField(20, address)])), address],
    ['of a changed account', transaction(messageField(15, [bytesField(21, address)])), address],
    ['taken away', transaction(messageField(15, [bytesField(21, Buffer.alloc(20))])), Buffer.alloc(20)],
    ['not said', transaction(messageField(15, [bytesField(20, address)])), null],
    ['of neither', transaction(messageField(14, [bytesField(20, address)])), null],
  ])('%s', (_name, bytes, expected) => {
    expect(readDelegationAddress(bytes)).toEqual(expected);
  });
});
