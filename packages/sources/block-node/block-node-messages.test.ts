import { describe, expect, it } from 'vitest';
import { bytesField, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import { decodeStatusDetailResponse, decodeStatusResponse, decodeSubscribeResponse } from './block-node-messages.ts';

const maxUint64 = 2n ** 64n - 1n;
const message = (...fields: WireField[]): Buffer => Buffer.concat(fields.flat());
const later = messageField(99, [intField(1, 5)]);

describe('the status', () => {
  it.each([
    ['of a node with blocks', [intField(2, 9), intField(4, 10)], { first: 0n, last: 9n, nextExpected: 10n }],
    ['of an earlier version', [intField(1, 3), intField(2, 9)], { first: 3n, last: 9n, nextExpected: null }],
    [
      'of a node without blocks',
      [intField(1, maxUint64), intField(2, maxUint64), intField(4, maxUint64)],
      { first: null, last: null, nextExpected: null },
    ],
    [
      'that leaves the last block to the detail',
      [intField(1, 3), intField(2, maxUint64), intField(3, 1), intField(4, 12), later],
      { first: 3n, last: null, nextExpected: 12n },
    ],
  ])('%s', (_name, fields, status) => {
    expect(decodeStatusResponse(message(...fields))).toEqual(status);
  });
});

describe('the detail of the status', () => {
  const range = (first: number, last: number): WireField => messageField(2, [intField(1, first), intField(2, last)]);

  it('gives the available ranges and passes over the rest', () => {
    const bytes = message(messageField(1, [intField(2, 1)]), range(0, 0), range(7, 9), messageField(5, []), later);
    expect(decodeStatusDetailResponse(bytes)).toEqual([
      { first: 0n, last: 0n },
      { first: 7n, last: 9n },
    ]);
    expect(decodeStatusDetailResponse(Buffer.alloc(0))).toEqual([]);
  });

  it('is refused when it has more ranges than can be', () => {
    const bytes = Buffer.concat(Array.from({ length: 100_001 }, () => message(bytesField(2, Buffer.alloc(0)))));
    expect(() => decodeStatusDetailResponse(bytes)).toThrow('more than 100000 ranges of blocks');
  });
});

it.each([
  [0, 'UNKNOWN'],
  [1, 'SUCCESS'],
  [2, 'INVALID_REQUEST'],
  [3, 'ERROR'],
  [4, 'INVALID_START_BLOCK_NUMBER'],
  [5, 'INVALID_END_BLOCK_NUMBER'],
  [6, 'NOT_AVAILABLE'],
  [7, 'code 7'],
])('the code %d that ends a stream is %s', (number, code) => {
  expect(decodeSubscribeResponse(Buffer.of(8, number))).toEqual({ kind: 'status', code });
});
