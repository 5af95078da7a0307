import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyRange, type Range } from '../../../packages/kit/range.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import type { JsonObject } from '../../../packages/test-support/rows/spec-file.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { startOfMonth } from '../balances/snapshot-search.ts';
import { createLedger } from '../create-ledger.ts';

const at = (text: string) => BigInt(Date.parse(text)) * 1_000_000n;
const stake = (id: number, pending: number) => ({
  id: BigInt(id),
  end_stake_period: 100n,
  pending_reward: BigInt(pending),
  timestamp_range: '[5,)',
});

const setup: JsonObject = {
  accounts: [
    { num: 10n, balance: 70n, balance_timestamp: 9n, staked_node_id: 2n, stake_period_start: 99n },
    { num: 11n, staked_node_id: 2n, stake_period_start: 100n },
    { num: 12n, staked_node_id: 2n, stake_period_start: 1n, decline_reward: true },
    { num: 13n, stake_period_start: 1n },
    { num: 14n, staked_node_id: 2n, stake_period_start: 1n },
    { num: 15n, staked_node_id: 0n, stake_period_start: -1n },
    { num: 2n, memo: 'Mirror node created synthetic treasury account' },
    { num: 16n, created_timestamp: 7n, auto_renew_period: 3n, alias: 'AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT' },
    { num: 17n, created_timestamp: 7n, auto_renew_period: 3n, expiration_timestamp: 8n, evm_address: '01'.repeat(20) },
  ],
  entities: [
    { num: 20n, timestamp_range: `[${at('2024-03-06T00:00:00Z')},)` },
    { num: 18n, type: 'TOPIC' },
  ],
  entityStakes: [stake(10, 1), stake(11, 2), stake(12, 3), stake(13, 4), stake(15, 5)],
  tokenaccounts: [
    { account_id: 10n, token_id: 300n, balance: 3n, created_timestamp: 5n },
    { account_id: 10n, token_id: 100n, balance: 1n, created_timestamp: 5n },
    { account_id: 10n, token_id: 200n, balance: 2n, created_timestamp: 5n, associated: false },
    { account_id: 10n, token_id: 400n, balance: 4n, created_timestamp: 5n },
  ],
  balances: [
    { timestamp: at('2024-03-01T00:00:00Z'), id: 2n, balance: 1n },
    { timestamp: at('2024-03-01T00:00:00Z'), id: 10n, balance: 31n, tokens: [{ token_num: 9n, balance: 1n }] },
    { timestamp: at('2024-03-05T00:00:00Z'), id: 2n, balance: 1n },
    { timestamp: at('2024-03-05T00:00:00Z'), id: 10n, balance: 35n, tokens: [{ token_num: 8n, balance: 0n }] },
    { timestamp: at('2024-03-31T23:00:00Z'), id: 2n, balance: 1n },
    { timestamp: at('2024-04-02T00:00:00Z'), id: 2n, balance: 1n },
  ],
};

let stored: StoredRows;

beforeAll(async () => {
  stored = await storeRows(toSetupRows(setup, { shard: 0n, realm: 0n }));
});

afterAll(async () => {
  await stored?.close();
});

function ask(id: bigint, timestamp: Range | null, now = at('2024-04-20T00:00:00Z')) {
  const ledger = createLedger({ db: stored.db, clock: () => now, system: usualRealm });
  return ledger.accounts.find({ id, timestamp, tokenBalanceLimit: 2 });
}

describe('account', () => {
  it.each([
    [10n, 1n, 'staked before the period'],
    [11n, 0n, 'staked in the period'],
    [12n, 0n, 'declines'],
    [13n, 0n, 'staked to no node'],
    [14n, 0n, 'without a staking state'],
    [15n, 5n, 'staked to node 0'],
  ])('%s has a pending reward of %s: %s', async (id, reward) => {
    expect((await ask(id, null))!.pendingReward).toBe(reward);
    expect((await ask(id, { ...anyRange, to: 6n }))!.pendingReward).toBe(reward);
    expect((await ask(id, { ...anyRange, to: 4n }))!.pendingReward).toBe(0n);
  });

  it('shows associated tokens, ascending, up to the limit', async () => {
    expect((await ask(10n, null))!.balance).toEqual({
      balance: 70n,
      timestamp: 9n,
      tokens: [
        { tokenId: 100n, balance: 1n },
        { tokenId: 300n, balance: 3n },
      ],
    });
  });

  it('counts days of staking in UTC', async () => {
    expect((await ask(10n, null))!.stakePeriodStart).toBe(99n * 86_400_000_000_000n);
    expect((await ask(15n, null))!.stakePeriodStart).toBeNull();
    expect((await ask(13n, null))!.stakedNodeId).toBeNull();
  });

  it('expires at its expiration time, else after its auto-renew period', async () => {
    expect((await ask(16n, null))!.expiryTimestamp).toBe(3_000_000_007n);
    expect((await ask(17n, null))!.expiryTimestamp).toBe(8n);
    expect((await ask(10n, null))!.expiryTimestamp).toBeNull();
  });

  it('has its 20-byte alias as EVM address', async () => {
    const { alias, evmAddress } = (await ask(16n, null))!;
    expect(evmAddress).toEqual(alias);
    expect((await ask(17n, null))!.evmAddress).toEqual(Buffer.alloc(20, 1));
    expect((await ask(10n, null))!.evmAddress).toBeNull();
  });

  it.each([[2n], [18n], [19n]])('%s is no account', async (id) => {
    expect(await ask(id, null)).toBeNull();
    expect(await ask(id, { ...anyRange, to: 100n })).toBeNull();
  });
});

const inMarch = { ...anyRange, to: at('2024-03-10T00:00:00Z') };

describe('balance as of T', () => {
  it.each([
    ['the snapshot before T', inMarch, '2024-03-05T00:00:00Z', 35n, [8n, 9n]],
    [
      'changes of the month count',
      { ...anyRange, to: at('2024-04-01T00:00:00Z') },
      '2024-03-31T23:00:00Z',
      35n,
      [8n, 9n],
    ],
    ['a month without a row is zero', anyRange, '2024-04-02T00:00:00Z', 0n, []],
    ['eq means until', { ...anyRange, equals: [at('2024-03-04T00:00:00Z')] }, '2024-03-01T00:00:00Z', 31n, [9n]],
  ])('%s', async (_name, timestamp, snapshot, balance, tokens) => {
    const answer = (await ask(10n, timestamp))!.balance;
    expect(answer).toMatchObject({ balance, timestamp: at(snapshot) });
    expect(answer.tokens.map((token) => token.tokenId)).toEqual(tokens);
  });

  it.each([
    ['nothing before the first snapshot', { ...anyRange, to: at('2024-02-01T00:00:00Z') }, at('2024-04-20T00:00:00Z')],
    ['snapshots older than last month do not count', anyRange, at('2024-06-01T00:00:00Z')],
    ['nor those before the lower bound', { ...anyRange, from: at('2024-04-03T00:00:00Z') }, at('2024-04-20T00:00:00Z')],
  ])('%s: the row speaks', async (_name, timestamp, now) => {
    expect((await ask(10n, timestamp, now))!.balance).toEqual({ balance: 70n, timestamp: 9n, tokens: [] });
  });
});

describe('an excluded moment', () => {
  it('excludes its snapshot and the versions that held it', async () => {
    const timestamp = { ...inMarch, notEquals: [at('2024-03-05T00:00:00Z')] };
    expect((await ask(20n, timestamp))!.balance).toMatchObject({ balance: 0n, timestamp: at('2024-03-01T00:00:00Z') });
    expect(await ask(10n, timestamp)).toBeNull();
  });
});

describe('startOfMonth', () => {
  it.each([
    ['2024-01-31T23:59:59.999Z', 0, '2024-01-01T00:00:00Z'],
    ['2024-01-01T00:00:00Z', -1, '2023-12-01T00:00:00Z'],
    ['2024-03-31T00:00:00Z', -1, '2024-02-01T00:00:00Z'],
  ])('of %s, %i', (moment, months, expected) => {
    expect(startOfMonth(at(moment), months)).toBe(at(expected));
  });
});
