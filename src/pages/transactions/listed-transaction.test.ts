// What a list says that a transaction moved: never its fee, and never what a failed one did not move.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { toBriefMovement } from './listed-transaction.ts';

type Source = Parameters<typeof toBriefMovement>[0];

const [payer, node, other, token] = [1001n, 3n, 1002n, 1500n];
const nothing: Source = {
  ...{ chargedTxFee: 100n, nodeAccountId: node, payerAccountId: payer, result: responseCode.SUCCESS },
  ...{ nftTransfers: [], stakingRewardTransfers: [], tokenTransfers: [], transfers: [] },
};
const transfer = (accountId: bigint, amount: bigint) => ({ accountId, amount, isApproval: false });
const ofToken = (accountId: bigint, amount: bigint) => ({ ...transfer(accountId, amount), tokenId: token });
const fee = [transfer(node, 5n), transfer(98n, 80n), transfer(800n, 15n), transfer(payer, -100n)];
const sent = [transfer(other, 7000n), transfer(1003n, 3000n), transfer(payer, -10_000n)];
const nft = {
  ...{ isApproval: false, receiverAccountId: other, senderAccountId: payer },
  ...{ serialNumber: 9n, tokenId: token },
};

it.each<[string, Partial<Source>, object | null]>([
  ['nothing but its fee', { transfers: fee }, null],
  [
    'hbar, beside its fee',
    { transfers: [...fee, ...sent] },
    { kind: 'hbar', amount: 10_000n, from: [payer, 0], to: [other, 1], others: 0 },
  ],
  ['hbar of a transaction that failed', { transfers: [...fee, ...sent], result: responseCode.INVALID_SIGNATURE }, null],
  [
    'a token that was sent',
    { transfers: fee, tokenTransfers: [ofToken(payer, -5n), ofToken(other, 5n)] },
    { kind: 'token', amount: 5n, from: [payer, 0], to: [other, 0], others: 0 },
  ],
  [
    'a token that was minted',
    { transfers: fee, tokenTransfers: [ofToken(other, 5n)] },
    { kind: 'token', amount: 5n, from: [null, 0], to: [other, 0], others: 0 },
  ],
  [
    'a token that was burnt',
    { transfers: fee, tokenTransfers: [ofToken(other, -5n)] },
    { kind: 'token', amount: 5n, from: [other, 0], to: [null, 0], others: 0 },
  ],
  [
    'an NFT beside hbar',
    { transfers: [...fee, ...sent], nftTransfers: [nft] },
    { kind: 'hbar', amount: 10_000n, from: [payer, 0], to: [other, 1], others: 1 },
  ],
  [
    'an NFT',
    { transfers: fee, nftTransfers: [nft] },
    { kind: 'nft', amount: 1n, from: [payer, 0], to: [other, 0], others: 0 },
  ],
  [
    'what may be its fee, at another node: the fee of a transaction in a batch',
    {
      nodeAccountId: null,
      transfers: [transfer(4n, 5n), transfer(98n, 80n), transfer(800n, 15n), transfer(payer, -100n)],
    },
    null,
  ],
])('%s', (_what, source, expected) => {
  const brief = toBriefMovement({ ...nothing, ...source }, usualRealm);
  const found = brief && {
    ...{ kind: brief.movement.kind, amount: brief.amount, others: brief.others },
    ...{ from: [brief.from.accountId, brief.from.others], to: [brief.to.accountId, brief.to.others] },
  };
  expect(found).toEqual(expected);
});

it('says no more than was given, by accounts that gave and got', () => {
  const amounts = fc.array(fc.tuple(fc.bigInt(1001n, 1005n), fc.bigInt(1n, 1_000_000n)), { maxLength: 5 });
  fc.assert(
    fc.property(amounts, amounts, (gave, got) => {
      const given = gave.reduce((sum, [, amount]) => sum + amount, 0n);
      const spread = got.map(([id, amount]) => transfer(id, amount));
      const balance = transfer(1999n, given - got.reduce((sum, [, amount]) => sum + amount, 0n));
      const transfers = [...fee, ...gave.map(([id, amount]) => transfer(id, -amount)), ...spread, balance];
      const brief = toBriefMovement({ ...nothing, transfers }, usualRealm);
      if (brief === null) return;
      const net = new Map<bigint, bigint>();
      for (const { accountId, amount } of transfers) net.set(accountId, (net.get(accountId) ?? 0n) + amount);
      const gained = [...net.values()].filter((amount) => amount > 0n).reduce((sum, amount) => sum + amount, 0n);
      expect(brief.amount <= gained).toBe(true);
      expect(net.get(brief.to.accountId!)! > 0n).toBe(true);
    }),
  );
});
