import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packTransfers, unpackTransfers } from './packed-transfers.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const rows = fc.record({
  transfers: fc.array(fc.record({ accountId: int64, amount: int64, isApproval: fc.boolean() })),
  tokenTransfers: fc.array(fc.record({ tokenId: int64, accountId: int64, amount: int64, isApproval: fc.boolean() })),
  stakingRewardTransfers: fc.array(fc.record({ accountId: int64, amount: int64 })),
});
const texts = (list: readonly object[]): string[] =>
  list.map((row) => JSON.stringify(row, (_name, value) => (typeof value === 'bigint' ? String(value) : value))).sort();

it('gives back every row, exact, in the order of answers', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const read = unpackTransfers(packTransfers(given)!);
      for (const list of ['transfers', 'tokenTransfers', 'stakingRewardTransfers'] as const) {
        expect(texts(read[list])).toEqual(texts(given[list]));
      }
      for (const list of [read.transfers, read.stakingRewardTransfers]) {
        for (const [index, row] of list.slice(1).entries()) {
          const before = list[index]!;
          expect(
            before.accountId < row.accountId || (before.accountId === row.accountId && before.amount <= row.amount),
          ).toBe(true);
        }
      }
      for (const [index, row] of read.tokenTransfers.slice(1).entries()) {
        const before = read.tokenTransfers[index]!;
        expect(
          before.tokenId < row.tokenId || (before.tokenId === row.tokenId && before.accountId <= row.accountId),
        ).toBe(true);
      }
    }),
  );
});

it('reads from anywhere within other bytes', () => {
  const packed = packTransfers({
    transfers: [{ accountId: 98n, amount: -5n, isApproval: true }],
    tokenTransfers: [],
    stakingRewardTransfers: [{ accountId: 2n ** 40n, amount: 1n }],
  })!;
  const within = Buffer.concat([Buffer.alloc(3), packed, Buffer.alloc(3)]).subarray(3, 3 + packed.length);
  expect(unpackTransfers(within)).toEqual(unpackTransfers(packed));
});

it('leaves to the tables what it cannot count', () => {
  const transfers = Array.from({ length: 0x10000 }, (_, i) => ({
    accountId: BigInt(i),
    amount: 0n,
    isApproval: false,
  }));
  expect(packTransfers({ transfers, tokenTransfers: [], stakingRewardTransfers: [] })).toBeNull();
});

it.each(['', '01', '03000000000000', '0100010000000000', '010000000000000000'])('refuses %j', (hex) => {
  expect(() => unpackTransfers(Buffer.from(hex, 'hex'))).toThrow(/packed_transfers.*set it to null/);
});
