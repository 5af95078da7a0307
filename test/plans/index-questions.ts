// Questions whose statements two indexes could serve: each with the one index of a table that must.

import { anyRange, type Range } from '../../packages/kit/range.ts';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { nftToken } from '../../packages/test-support/rows/fill-accounts.ts';
import { hotAccount, hotContract, lastTimestamp, quietAccount } from '../../packages/test-support/rows/fill-ledger.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { stateQuestions } from './state-questions.ts';

/**
 * `index`: as PostgreSQL writes it; its table is asked through no other one, but what is found is looked up again by
 * `also`.
 */
export type IndexQuestion = { name: string; ask: (db: Database) => Promise<unknown>; index: string; also?: string };

const page = { order: 'asc', limit: 25 } as const;
const of = (value: bigint): Range => ({ ...anyRange, equals: [value] });
const from = (value: bigint): Range => ({ ...anyRange, from: value });
const until = (value: bigint): Range => ({ ...anyRange, to: value });

export function indexQuestions(middle: bigint): IndexQuestion[] {
  // Within a partition: at its beginning the planner knows that there is one row.
  const time = middle + 1_234_000_000_000n;
  return [
    ...ofAccounts(time),
    ...ofTokens(time),
    ...ofAllowances(),
    ...ofAirdrops(),
    ...ofStorage(time),
    ...stateQuestions(time)
      .filter(([name]) => name.startsWith('facts of tokens'))
      .flatMap(([name, ask]) => [
        { name, ask, index: 'crypto_allowance (owner, spender)' },
        { name, ask, index: 'token_allowance (owner, spender, token_id)' },
      ]),
  ];
}

const byLedger = (ask: (ledger: Ledger) => Promise<unknown>) => (db: Database) =>
  ask(createLedger({ db, clock: () => lastTimestamp, system: usualRealm }));

function ofAccounts(time: bigint): IndexQuestion[] {
  const balances = { ...page, balance: anyRange, publicKey: [], timestamp: anyRange, tokenBalanceLimit: 50 };
  const held = 'token_balance (account_id, token_id, consensus_timestamp)';
  const associated = 'token_account (account_id, token_id)';
  return [
    ...[hotAccount, quietAccount].flatMap((id): IndexQuestion[] => [
      {
        name: `account ${id} as of T`,
        ask: byLedger((ledger) => ledger.accounts.find({ id, timestamp: until(time), tokenBalanceLimit: 100 })),
        index: held,
      },
      {
        name: `account ${id}`,
        ask: byLedger((ledger) => ledger.accounts.find({ id, timestamp: null, tokenBalanceLimit: 100 })),
        index: associated,
      },
      ...[anyRange, from(100_500n), until(100_500n)].flatMap((token, which): IndexQuestion[] => [
        {
          name: `associations of ${id}, ${which}`,
          ask: byLedger((ledger) =>
            ledger.holdings.listOfAccount({ ...page, accountId: id, token, members: ['balance'] }),
          ),
          index: associated,
        },
        {
          name: `tokens of ${id}, ${which}`,
          ask: byLedger((ledger) =>
            ledger.tokens.list({
              ...page,
              ...{ accountId: id, id: token, names: [], publicKey: [], type: [], members: ['symbol'] },
            }),
          ),
          index: associated,
        },
        ...[anyRange, of(7n)].map((serialNumber, serials) => ({
          name: `NFTs of ${id}, ${which}, ${serials}`,
          ask: byLedger((ledger) =>
            ledger.nfts.listOfAccount({
              ...page,
              ...{ accountId: id, token, serialNumber, spender: anyRange, members: ['metadata'] },
            }),
          ),
          index: 'nft (account_id, token_id, serial_number)',
        })),
      ]),
    ]),
    ...(['asc', 'desc'] as const).flatMap((order): IndexQuestion[] => [
      {
        name: `balances as of T, ${order}`,
        ask: byLedger((ledger) => ledger.balances.list({ ...balances, order, id: anyRange, timestamp: until(time) })),
        index: held,
      },
      {
        name: `balances, ${order}`,
        ask: byLedger((ledger) => ledger.balances.list({ ...balances, order, id: anyRange })),
        index: associated,
      },
    ]),
  ];
}

function ofTokens(time: bigint): IndexQuestion[] {
  const asked = { ...page, tokenId: nftToken, account: anyRange, balance: anyRange, publicKey: null };
  return [
    {
      name: 'holders of a token',
      ask: byLedger((ledger) => ledger.balances.listOfToken({ ...asked, timestamp: anyRange })),
      index: 'token_account (token_id, account_id)',
    },
    {
      name: 'holders of a token as of T',
      ask: byLedger((ledger) => ledger.balances.listOfToken({ ...asked, timestamp: until(time) })),
      index: 'token_balance (token_id, account_id, consensus_timestamp)',
    },
    {
      name: 'tokens by name',
      ask: byLedger((ledger) =>
        ledger.tokens.list({
          ...page,
          ...{ accountId: null, id: anyRange, names: ['oken'], publicKey: [], type: [], members: ['symbol'] },
        }),
      ),
      index: 'token (name gin_trgm_ops)',
      also: 'token (token_id)',
    },
  ];
}

function ofAllowances(): IndexQuestion[] {
  const spenders = [anyRange, of(1050n), from(1050n), until(1050n)];
  return [hotAccount, quietAccount].flatMap((owner) =>
    spenders.flatMap((spender, which): IndexQuestion[] => [
      {
        name: `allowances of hbar of ${owner}, ${which}`,
        ask: byLedger((ledger) => ledger.allowances.listCrypto({ ...page, owner, spender, members: ['amount'] })),
        index: 'crypto_allowance (owner, spender)',
      },
      {
        name: `allowances of tokens of ${owner}, ${which}`,
        ask: byLedger((ledger) =>
          ledger.allowances.listTokens({ ...page, owner, spender, token: anyRange, members: ['amount'] }),
        ),
        index: 'token_allowance (owner, spender, token_id)',
      },
      ...(spender.equals.length > 0 ? [] : ofNftAllowances(owner, spender, which)),
    ]),
  );
}

/** With both parties given, or bounds of the other one and one token, either index leads to few rows. */
function ofNftAllowances(accountId: bigint, other: Range, which: number): IndexQuestion[] {
  return (['owner', 'spender'] as const).flatMap((by) =>
    [anyRange, from(100_500n), ...(which === 0 ? [of(100_500n)] : [])].map((token, tokens) => ({
      name: `allowances of NFTs of ${by} ${accountId}, ${which}, ${tokens}`,
      ask: byLedger((ledger) =>
        ledger.allowances.listNfts({ ...page, by, accountId, other, token, members: ['timestamp'] }),
      ),
      index: by === 'owner' ? 'nft_allowance (owner, spender, token_id)' : 'nft_allowance (spender, owner, token_id)',
    })),
  );
}

function ofAirdrops(): IndexQuestion[] {
  return (['sender', 'receiver'] as const).flatMap((by) =>
    [hotAccount, quietAccount].flatMap((accountId) =>
      [anyRange, from(100_500n), of(100_500n)].map((token, which) => ({
        name: `airdrops of ${by} ${accountId}, ${which}`,
        ask: byLedger((ledger) =>
          ledger.airdrops.list({
            ...page,
            ...{ by, accountId, other: anyRange, token, serialNumber: anyRange, after: null, members: ['amount'] },
          }),
        ),
        index: `token_airdrop (${by === 'sender' ? 'sender_account_id, receiver' : 'receiver_account_id, sender'}_account_id, token_id, serial_number)`,
      })),
    ),
  );
}

function ofStorage(time: bigint): IndexQuestion[] {
  const state = { ...page, contractId: hotContract, byBytes: null, timestamp: until(time) };
  return [anyRange, of(5n), { ...anyRange, equals: [5n, 2n ** 255n] }, from(2n ** 255n)].map((slot, which) => ({
    name: `storage as of T, ${which}`,
    ask: byLedger((ledger) => ledger.contracts.listState({ ...state, slot })),
    index: 'contract_state_change (contract_id, slot, consensus_timestamp)',
  }));
}
