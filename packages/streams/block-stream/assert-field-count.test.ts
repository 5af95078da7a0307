import { describe, expect, it } from 'vitest';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { bytesField } from '../../protocol/wire-writer.ts';
import { result, transaction } from '../../test-support/streams/block-items.ts';
import { assertFieldCount } from './assert-field-count.ts';
import { itemKinds, writeItem } from './block-item.ts';
import { readBlockTransactions } from './block-transactions.ts';

const many = 1_000_000;
/** A million empty fields of this number: two bytes each. */
const empty = (number: number) => Buffer.alloc(2 * many, Buffer.of(number * 8 + 2, 0));
const within = (number: number, message: Buffer) => Buffer.concat(bytesField(number, message));

describe('more fields than a message may have are refused before it is decoded', () => {
  it.each([
    ['of the message', empty(2)],
    ['of one in it', within(2, empty(5))],
    ['of one in that', within(1, within(5, empty(3)))],
  ])('%s', (_name, message) => {
    expect(() => assertFieldCount(message, 'trace')).toThrow(StreamFileError);
    expect(() => assertFieldCount(message, 'trace')).toThrow('trace: expected at most 262144 fields');
  });
});

it.each([
  ['large bytes', within(3, Buffer.alloc(many, 0xff))],
  ['bytes that begin as a message', within(3, Buffer.concat([empty(1).subarray(0, 1_000), Buffer.alloc(many, 0xff)]))],
  ['few fields', within(3, Buffer.alloc(many))],
])('a message with %s is no such message', (_name, message) => {
  expect(() => assertFieldCount(message, 'trace')).not.toThrow();
});

it('a block with such state changes is kept without them', () => {
  const items = [transaction({ cryptoTransfer: {} }), result(1), writeItem(itemKinds.stateChanges, empty(2))];
  const { transactions, doubts } = readBlockTransactions(items);
  expect(transactions).toHaveLength(1);
  const text = expect.stringMatching(/^state changes that cannot be decoded: 1 .*at most 262144 fields/);
  expect(doubts).toEqual([{ kind: 'stateChange', text, count: 1, place: 2 }]);
});
