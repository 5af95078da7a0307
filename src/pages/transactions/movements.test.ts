// What was moved, told apart by its reason: the parts add up to what the ledger lists, whatever that is.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { type Movement, toMovements } from './movements.ts';

const payer = 1001n;
const node = 3n;

type Source = Parameters<typeof toMovements>[0];

const nothing: Source = {
  chargedTxFee: 0n,
  nftTransfers: [],
  nodeAccountId: node,
  payerAccountId: payer,
  senderAccountId: null,
  stakingRewardTransfers: [],
  tokenTransfers: [],
  transfers: [],
};

const transfer = (accountId: bigint, amount: bigint) => ({ accountId, amount, isApproval: false });
const tell = (source: Partial<Source>) => toMovements({ ...nothing, ...source }, usualRealm);
const kindsOf = ({ movements }: ReturnType<typeof tell>) => movements.map(({ kind }) => kind);
const fee = [transfer(node, 5n), transfer(98n, 80n), transfer(800n, 15n)];

it('a fee is told from what was sent', () => {
  const transfers = [...fee, transfer(payer, -1100n), transfer(1002n, 1000n)];
  const moved = tell({ chargedTxFee: 100n, transfers });
  expect(moved.isFeeKnown).toBe(true);
  expect(moved.movements).toEqual([
    { kind: 'hbar', givers: [{ accountId: payer, amount: 1000n }], receivers: [{ accountId: 1002n, amount: 1000n }] },
    {
      kind: 'fee',
      givers: [{ accountId: payer, amount: 100n }],
      receivers: fee.map(({ accountId, amount }) => ({ accountId, amount })),
    },
  ]);
});

it('a fee that is collected in one account is told, too', () => {
  const moved = tell({ chargedTxFee: 100n, transfers: [transfer(802n, 100n), transfer(payer, -100n)] });
  expect(kindsOf(moved)).toEqual(['fee']);
});

it('the sender of an Ethereum transaction pays what the payer does not', () => {
  const transfers = [...fee, transfer(payer, -30n), transfer(1005n, -170n), transfer(1002n, 100n)];
  const moved = tell({ chargedTxFee: 100n, transfers, senderAccountId: 1005n });
  expect(moved.movements.at(-1)).toMatchObject({
    kind: 'fee',
    givers: [
      { accountId: payer, amount: 30n },
      { accountId: 1005n, amount: 70n },
    ],
  });
});

it.each<[string, Partial<Source>]>([
  ['somebody sent hbar to an account for fees', { transfers: [...fee, transfer(98n, 7n), transfer(payer, -107n)] }],
  ['another account paid a part', { transfers: [...fee, transfer(payer, -30n), transfer(1005n, -70n)] }],
  [
    'the sender paid too little',
    { transfers: [...fee, transfer(payer, -30n), transfer(1005n, -60n), transfer(7n, -10n)], senderAccountId: 1005n },
  ],
])('a fee is not told where %s', (_, source) => {
  const moved = tell({ chargedTxFee: 100n, ...source });
  expect(moved.isFeeKnown).toBe(false);
  expect(kindsOf(moved)).toEqual(['hbar']);
});

it('what is minted comes from nobody, what is burned goes to nobody', () => {
  const tokenTransfers = [
    { tokenId: 7n, accountId: 2n, amount: 10n, isApproval: false },
    { tokenId: 8n, accountId: 2n, amount: -4n, isApproval: false },
  ];
  const nft = { isApproval: false, tokenId: 9n, senderAccountId: null, receiverAccountId: 2n };
  const nftTransfers = [1n, 2n].map((serialNumber) => ({ ...nft, serialNumber }));
  expect(tell({ tokenTransfers, nftTransfers }).movements).toEqual([
    {
      kind: 'token',
      tokenId: 7n,
      givers: [{ accountId: null, amount: 10n }],
      receivers: [{ accountId: 2n, amount: 10n }],
    },
    {
      kind: 'token',
      tokenId: 8n,
      givers: [{ accountId: 2n, amount: 4n }],
      receivers: [{ accountId: null, amount: 4n }],
    },
    {
      kind: 'nft',
      tokenId: 9n,
      serials: [{ from: null, to: 2n, serialNumbers: [1n, 2n] }],
      givers: [{ accountId: null, amount: 2n }],
      receivers: [{ accountId: 2n, amount: 2n }],
    },
  ]);
});

const accounts = fc.constantFrom(payer, node, 98n, 800n, 801n, 1002n, 1003n);
const lines = fc.array(fc.record({ accountId: accounts, amount: fc.bigInt(-1000n, 1000n), isApproval: fc.boolean() }), {
  maxLength: 9,
});

it('the parts add up to the list, and each side to the other', () => {
  fc.assert(
    fc.property(
      lines,
      lines,
      fc.bigInt(0n, 900n),
      fc.option(accounts),
      (transfers, stakingRewardTransfers, chargedTxFee, senderAccountId) => {
        const { movements } = tell({ transfers, stakingRewardTransfers, chargedTxFee, senderAccountId });
        const expected = new Map<bigint, bigint>();
        for (const { accountId, amount } of transfers)
          expected.set(accountId, (expected.get(accountId) ?? 0n) + amount);
        expect(balancesOf(movements)).toEqual(new Map([...expected].filter(([, amount]) => amount !== 0n)));
        for (const { givers, receivers } of movements) expect(sumOf(givers)).toBe(sumOf(receivers));
      },
    ),
    { numRuns: 300 },
  );
});

function balancesOf(movements: readonly Movement[]): Map<bigint, bigint> {
  const found = new Map<bigint, bigint>();
  for (const { givers, receivers } of movements) {
    for (const [side, sign] of [
      [givers, -1n],
      [receivers, 1n],
    ] as const) {
      for (const { accountId, amount } of side) {
        if (accountId !== null) found.set(accountId, (found.get(accountId) ?? 0n) + sign * amount);
      }
    }
  }
  return new Map([...found].filter(([, amount]) => amount !== 0n));
}

function sumOf(movers: readonly { amount: bigint }[]): bigint {
  return movers.reduce((sum, { amount }) => sum + amount, 0n);
}
