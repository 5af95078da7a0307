// Questions about accounts and tokens for plans: each list in both directions, about the account or token with most
// rows and one with few, with the conditions of a page.

import { anyRange, type Range } from '../../packages/kit/range.ts';
import { busySerial, nftToken } from '../../packages/test-support/rows/fill-accounts.ts';
import { hotAccount, quietAccount } from '../../packages/test-support/rows/fill-ledger.ts';
import type { PlanQuestion } from './plan-question.ts';

const exactly = (...equals: bigint[]): Range => ({ ...anyRange, equals });
const from = (bound: bigint): Range => ({ ...anyRange, from: bound });
const until = (bound: bigint): Range => ({ ...anyRange, to: bound });
const between = (low: bigint, high: bigint): Range => ({ ...anyRange, from: low, to: high });

export function accountQuestions(middle: bigint): PlanQuestion[] {
  return (['asc', 'desc'] as const).flatMap((order) => [
    ...[hotAccount, quietAccount].flatMap((id) => listsOf(id, order, middle)),
    ...listsOfTokens(order, middle),
    ...listsOfAll(order, middle),
  ]);
}

function listsOf(id: bigint, order: 'asc' | 'desc', middle: bigint): PlanQuestion[] {
  const page = { order, limit: 25 };
  const ids = [anyRange, exactly(100_500n), exactly(100_500n, 100_501n), from(101_000n), until(101_000n)];
  const spenders = [anyRange, exactly(1_050n), from(2_000n), until(2_000n)];
  const serials = [anyRange, exactly(7n), from(3_000n), until(3_000n)];
  return [
    [`balance of ${id} over time, ${order}`, (ledger) => ledger.accounts.balanceHistory(id)],
    [`balance of ${id} after T, ${order}`, (ledger) => ledger.accounts.balanceAt(id, middle)],
    ...(['sender', 'receiver'] as const).flatMap((by) =>
      [anyRange, exactly(1_110n), from(1_120n)].flatMap((other, index) =>
        [null, [1_115n, 100_100n, 0n]].map((after): PlanQuestion => {
          const keys = { other, token: from(100_100n), serialNumber: anyRange, after };
          return [
            `airdrops by ${by} ${id}, ${order}, ${index}${after ? ', after one' : ''}`,
            (ledger) => ledger.airdrops.list({ ...page, members: ['amount'], by, accountId: id, ...keys }),
          ];
        }),
      ),
    ),
    ...(['owner', 'spender'] as const).flatMap((by) =>
      [anyRange, exactly(1_110n), from(1_120n)].map(
        (other, index): PlanQuestion => [
          `NFT allowances by ${by} ${id}, ${order}, ${index}`,
          (ledger) =>
            ledger.allowances.listNfts({
              ...page,
              members: ['timestamp'],
              by,
              accountId: id,
              other,
              token: from(100_100n),
            }),
        ],
      ),
    ),
    [`is ${id} known`, (ledger) => ledger.accounts.isKnown(id)],
    ...ids.map(
      (token, index): PlanQuestion => [
        `tokens of ${id}, ${order}, ${index}`,
        (ledger) => ledger.holdings.listOfAccount({ ...page, members: ['balance'], accountId: id, token }),
      ],
    ),
    ...spenders.flatMap((spender, index): PlanQuestion[] => [
      [
        `hbar allowances of ${id}, ${order}, ${index}`,
        (ledger) => ledger.allowances.listCrypto({ ...page, members: ['amount'], owner: id, spender }),
      ],
      [
        `token allowances of ${id}, ${order}, ${index}`,
        (ledger) => ledger.allowances.listTokens({ ...page, members: ['amount'], owner: id, spender, token: anyRange }),
      ],
    ]),
    [
      `token allowances of ${id} from pair to pair, ${order}`,
      (ledger) =>
        ledger.allowances.listTokens({
          ...page,
          members: ['amount'],
          owner: id,
          spender: between(1_010n, 1_040n),
          token: between(100_100n, 102_000n),
        }),
    ],
    ...serials.map(
      (serialNumber, index): PlanQuestion => [
        `NFTs of ${id} and a token, ${order}, ${index}`,
        (ledger) =>
          ledger.nfts.listOfAccount({
            ...page,
            members: ['metadata'],
            accountId: id,
            token: exactly(nftToken),
            serialNumber,
            spender: anyRange,
          }),
      ],
    ),
    [
      `NFTs of ${id}, ${order}`,
      (ledger) =>
        ledger.nfts.listOfAccount({
          ...page,
          members: ['metadata'],
          accountId: id,
          token: anyRange,
          serialNumber: anyRange,
          spender: anyRange,
        }),
    ],
    [
      `NFTs of ${id} from pair to pair, ${order}`,
      (ledger) =>
        ledger.nfts.listOfAccount({
          ...page,
          members: ['metadata'],
          accountId: id,
          token: between(nftToken, 101_500n),
          serialNumber: between(100n, 30_000n),
          spender: exactly(1_100n, 1_103n),
        }),
    ],
    ...[anyRange, from(middle), until(middle), exactly(middle)].map(
      (timestamp, index): PlanQuestion => [
        `rewards of ${id}, ${order}, ${index}`,
        (ledger) => ledger.stakingRewards.list({ ...page, members: ['amount'], accountId: id, timestamp }),
      ],
    ),
  ];
}

const publicKey = [{ operator: 'eq' as const, text: 'ab'.repeat(32) }];
const members = ['adminKey', 'name'] as const;

function listsOfAll(order: 'asc' | 'desc', middle: bigint): PlanQuestion[] {
  const page = { order, limit: 25, balance: anyRange, publicKey: [], tokenBalanceLimit: 50 };
  const ids = [anyRange, exactly(hotAccount), exactly(hotAccount, quietAccount), from(5_000n), until(5_000n)];
  const tokens = { members, order, limit: 25, accountId: null, id: anyRange, names: [], publicKey: [], type: [] };
  return [
    ...ids.flatMap((id, index): PlanQuestion[] => [
      [`accounts, ${order}, ${index}`, (ledger) => ledger.accounts.list({ ...page, id, withBalance: true })],
      [`balances, ${order}, ${index}`, (ledger) => ledger.balances.list({ ...page, id, timestamp: anyRange })],
      [
        `balances as of T, ${order}, ${index}`,
        (ledger) => ledger.balances.list({ ...page, id, timestamp: until(middle) }),
      ],
      ...[nftToken, 100_001n].flatMap((tokenId): PlanQuestion[] => [
        [
          `balances of ${tokenId}, ${order}, ${index}`,
          (ledger) =>
            ledger.balances.listOfToken({ ...page, tokenId, account: id, publicKey: null, timestamp: anyRange }),
        ],
        [
          `balances of ${tokenId} as of T, ${order}, ${index}`,
          (ledger) =>
            ledger.balances.listOfToken({ ...page, tokenId, account: id, publicKey: null, timestamp: until(middle) }),
        ],
      ]),
    ]),
    [
      `accounts of a key, ${order}`,
      (ledger) => ledger.accounts.list({ ...page, id: anyRange, publicKey, withBalance: true }),
    ],
    [
      `balances of a key, ${order}`,
      (ledger) => ledger.balances.list({ ...page, id: anyRange, publicKey, timestamp: anyRange }),
    ],
    [
      `balances of a key as of T, ${order}`,
      (ledger) => ledger.balances.list({ ...page, id: anyRange, publicKey, timestamp: until(middle) }),
    ],
    ...[anyRange, until(middle)].map(
      (timestamp, index): PlanQuestion => [
        `balances of a token and a key, ${order}, ${index}`,
        (ledger) =>
          ledger.balances.listOfToken({
            ...page,
            tokenId: nftToken,
            account: anyRange,
            publicKey: publicKey[0]!,
            timestamp,
          }),
      ],
    ),
    ...[anyRange, exactly(100_500n, 100_501n), from(101_000n)].flatMap((id, index): PlanQuestion[] => [
      [`tokens, ${order}, ${index}`, (ledger) => ledger.tokens.list({ ...tokens, id })],
      [
        `tokens of the hot account, ${order}, ${index}`,
        (ledger) => ledger.tokens.list({ ...tokens, id, accountId: hotAccount }),
      ],
    ]),
    [`tokens of a key, ${order}`, (ledger) => ledger.tokens.list({ ...tokens, publicKey })],
  ];
}

function listsOfTokens(order: 'asc' | 'desc', middle: bigint): PlanQuestion[] {
  const page = { order, limit: 25 };
  const serials = [anyRange, exactly(7n), from(3_000n), until(3_000n)];
  return [
    ...serials.flatMap((serialNumber, index): PlanQuestion[] =>
      [anyRange, exactly(hotAccount), exactly(1_101n)].map((account, owner) => [
        `NFTs of a token, ${order}, ${index}, owner ${owner}`,
        (ledger) =>
          ledger.nfts.listOfToken({ ...page, members: ['metadata'], tokenId: nftToken, serialNumber, account }),
      ]),
    ),
    ['an NFT', (ledger) => ledger.nfts.find({ tokenId: nftToken, serialNumber: busySerial, members: ['metadata'] })],
    ...[anyRange, from(middle), until(middle), exactly(middle)].flatMap((timestamp, index) =>
      [true, false].map(
        (movesOfAll): PlanQuestion => [
          `transactions of an NFT, ${order}, ${index}, ${movesOfAll}`,
          (ledger) =>
            ledger.nfts.listEvents({ ...page, tokenId: nftToken, serialNumber: busySerial, timestamp, movesOfAll }),
        ],
      ),
    ),
  ];
}
