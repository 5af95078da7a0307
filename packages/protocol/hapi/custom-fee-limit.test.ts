import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCustomFeeLimit } from './custom-fee-limit.ts';
import { proto } from './hapi.ts';

// Plain numbers stand for int64 fields.
const encode = (message: object): Buffer => Buffer.from(proto.CustomFeeLimit.encode(message).finish());

it.each([
  [
    'of two fees',
    {
      accountId: { shardNum: 1, realmNum: 2, accountNum: 3 },
      fees: [{ amount: 10 }, { amount: 20, denominatingTokenId: { tokenNum: 9 } }],
    },
    [
      { accountId: { shard: 1n, realm: 2n, num: 3n }, amount: 10n, denominatingTokenId: null },
      {
        accountId: { shard: 1n, realm: 2n, num: 3n },
        amount: 20n,
        denominatingTokenId: { shard: 0n, realm: 0n, num: 9n },
      },
    ],
  ],
  [
    'of an account by its alias, in a token without an id',
    { accountId: { alias: Buffer.from('ab') }, fees: [{ amount: 30, denominatingTokenId: {} }] },
    [{ accountId: null, amount: 30n, denominatingTokenId: { shard: 0n, realm: 0n, num: 0n } }],
  ],
  ['of no fee', { accountId: { accountNum: 3 } }, []],
])('a limit %s', (_name, message, expected) => {
  expect(decodeCustomFeeLimit(encode(message))).toEqual(expected);
});

it('any bytes are limits or an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        expect(Array.isArray(decodeCustomFeeLimit(bytes))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
  );
});
