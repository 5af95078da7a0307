import { expect, test } from 'vitest';
import { keyToEvmAddress } from '../../../../packages/protocol/hapi/evm-address.ts';
import { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import { importTransactions, timestampAt } from '../../../../packages/test-support/streams/import-transactions.ts';

const t0 = timestampAt(0);
const today = t0 / 86_400_000_000_000n;
const account = (accountNum: number) => ({ accountNum });
const token = (tokenNum: number) => ({ tokenNum });
/** A point of secp256k1: its generator. */
const ecdsaKey = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex');
const ed25519Key = Buffer.alloc(32, 5);

async function entityOf(body: Record<string, unknown>, more: Record<string, unknown> = {}, hapiMinor = 70) {
  const version = { major: 0, minor: hapiMinor, patch: 0 };
  const { rows, problems } = await importTransactions([{ body, ...more }], { hapiVersion: version });
  expect(problems).toEqual([]);
  return rows('entity')[0];
}

const created = { receipt: { accountID: account(2000) } };

test('a new account', async () => {
  const body = {
    cryptoCreateAccount: {
      key: { ed25519: ed25519Key },
      autoRenewPeriod: { seconds: 7_776_000 },
      maxAutomaticTokenAssociations: -1,
      memo: 'nul\0',
      receiverSigRequired: true,
      proxyAccountID: account(9),
    },
  };
  const record = { transferList: { accountAmounts: [{ accountID: account(2000), amount: 500 }] } };
  expect(await entityOf(body, { ...created, record })).toEqual({
    alias: null,
    auto_renew_period: 7_776_000n,
    balance: 500n,
    balance_timestamp: t0,
    created_timestamp: t0,
    decline_reward: false,
    delegation_address: null,
    deleted: false,
    evm_address: null,
    id: 2000n,
    key: Buffer.concat([Buffer.from([0x12, 32]), ed25519Key]),
    max_automatic_token_associations: -1,
    memo: 'nul\uFFFD',
    num: 2000n,
    proxy_account_id: 9n,
    public_key: ed25519Key.toString('hex'),
    realm: 0n,
    receiver_sig_required: true,
    shard: 0n,
    timestamp_range: { from: t0, to: null },
    type: 'ACCOUNT',
  });
});

const ecdsaAlias = Buffer.from(proto.Key.encode({ ECDSASecp256k1: ecdsaKey }).finish());
const ed25519Alias = Buffer.from(proto.Key.encode({ ed25519: ed25519Key }).finish());
const addressAlias = Buffer.alloc(20, 3);

test.each([
  ['an ECDSA key alias', { alias: ecdsaAlias }, {}, keyToEvmAddress(ecdsaKey), ecdsaAlias, ecdsaAlias],
  ['an ED25519 key alias', { alias: ed25519Alias }, {}, null, ed25519Alias, ed25519Alias],
  ['an EVM address as alias', { alias: addressAlias }, {}, addressAlias, addressAlias, undefined],
  ['an address in the record', {}, { evmAddress: addressAlias }, addressAlias, null, undefined],
  ['an alias in the record', {}, { alias: ecdsaAlias }, keyToEvmAddress(ecdsaKey), ecdsaAlias, ecdsaAlias],
  ['an ECDSA key, no alias', { key: { ECDSASecp256k1: ecdsaKey } }, {}, null, null, ecdsaAlias],
])('address and key with %s', async (_name, body, record, evmAddress, alias, key) => {
  const row = await entityOf({ cryptoCreateAccount: body }, { ...created, record });
  expect(row?.evm_address).toEqual(evmAddress);
  expect(row?.alias).toEqual(alias);
  expect(row?.key && Buffer.from(row.key)).toEqual(key);
});

test('a key that is not a single one clears the public key', async () => {
  const keys = [{ ed25519: ed25519Key }, { ECDSASecp256k1: ecdsaKey }];
  const row = await entityOf({ cryptoCreateAccount: { key: { keyList: { keys } } } }, created);
  expect(row?.public_key).toBe('');
});

test.each([
  ['node 0', { stakedNodeId: 0 }, { staked_node_id: 0n, stake_period_start: today, decline_reward: false }],
  [
    'an account, declining',
    { stakedAccountId: account(7), declineReward: true },
    { staked_account_id: 7n, stake_period_start: today, decline_reward: true },
  ],
  ['nothing', {}, { decline_reward: false }],
])('a new account that stakes to %s', async (_name, staking, expected) => {
  const row = await entityOf({ cryptoCreateAccount: staking }, created);
  expect(row).toMatchObject(expected);
  expect(row && 'stake_period_start' in row).toBe('stake_period_start' in expected);
  expect(await entityOf({ cryptoCreateAccount: staking }, created, 26)).not.toHaveProperty('decline_reward');
});

test.each([
  ['node 3', { stakedNodeId: 3 }, { staked_node_id: 3n, staked_account_id: 0n, stake_period_start: today }],
  ['no node', { stakedNodeId: -1 }, { staked_node_id: -1n, staked_account_id: 0n, stake_period_start: today }],
  [
    'account 7',
    { stakedAccountId: account(7) },
    { staked_account_id: 7n, staked_node_id: -1n, stake_period_start: today },
  ],
  ['no account', { stakedAccountId: account(0) }, { staked_account_id: 0n, staked_node_id: -1n }],
  ['the same, declining', { declineReward: { value: true } }, { decline_reward: true, stake_period_start: today }],
])('an update that stakes to %s', async (_name, staking, expected) => {
  const body = { cryptoUpdateAccount: { accountIDToUpdate: account(2000), ...staking } };
  expect(await entityOf(body)).toMatchObject(expected);
  expect(await entityOf(body, {}, 26)).not.toHaveProperty('stake_period_start');
});

test('an update says only what the transaction mentions', async () => {
  const said = (row: Record<string, unknown> | undefined) =>
    Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== null && value !== undefined));
  const common = {
    deleted: false,
    id: 2000n,
    num: 2000n,
    realm: 0n,
    shard: 0n,
    timestamp_range: { from: t0, to: null },
    type: 'ACCOUNT',
  };
  const accountIDToUpdate = account(2000);
  expect(said(await entityOf({ cryptoUpdateAccount: { accountIDToUpdate } }))).toEqual(common);
  const body = {
    accountIDToUpdate,
    autoRenewPeriod: { seconds: 5 },
    expirationTime: { seconds: 9_999_999_999_999 },
    key: { keyList: {} },
    maxAutomaticTokenAssociations: { value: 0 },
    memo: { value: '' },
    receiverSigRequiredWrapper: { value: false },
  };
  expect(said(await entityOf({ cryptoUpdateAccount: body }))).toEqual({
    ...common,
    auto_renew_period: 5n,
    expiration_timestamp: 9_223_372_036_854_775_807n,
    key: Buffer.from([0x32, 0]),
    max_automatic_token_associations: 0,
    memo: '',
    public_key: '',
    receiver_sig_required: false,
  });
});

test('a deleted account leaves its balance to another', async () => {
  const body = { cryptoDelete: { deleteAccountID: account(2000), transferAccountID: account(9) } };
  expect(await entityOf(body)).toMatchObject({ id: 2000n, deleted: true, obtainer_id: 9n, type: 'ACCOUNT' });
});

test('create, update and delete in one block are three versions that meet', async () => {
  const { rows } = await importTransactions([
    { body: { cryptoCreateAccount: { memo: 'a' } }, ...created },
    { body: { cryptoUpdateAccount: { accountIDToUpdate: account(2000), memo: { value: 'b' } } } },
    { body: { cryptoDelete: { deleteAccountID: account(2000) } } },
  ]);
  expect(rows('entity').map((row) => [row.timestamp_range, row.memo, row.deleted, row.created_timestamp])).toEqual([
    [{ from: t0, to: timestampAt(1) }, 'a', false, t0],
    [{ from: timestampAt(1), to: timestampAt(2) }, 'b', false, t0],
    [{ from: timestampAt(2), to: null }, 'b', true, t0],
  ]);
});

test('a failed transaction changes no entity', async () => {
  expect(await entityOf({ cryptoCreateAccount: {} }, { ...created, status: 10 })).toBeUndefined();
});

test('allowances: the owner is the payer unless named, and the last entry of a key counts', async () => {
  const { rows } = await importTransactions([
    {
      body: {
        cryptoApproveAllowance: {
          cryptoAllowances: [
            { spender: account(5), amount: 10 },
            { owner: account(8), spender: account(5), amount: 20 },
            { spender: account(5), amount: 0 },
          ],
          tokenAllowances: [{ tokenId: token(70), owner: account(8), spender: account(5), amount: 30 }],
          nftAllowances: [
            { tokenId: token(71), owner: account(8), spender: account(5), approvedForAll: { value: true } },
            {
              tokenId: token(71),
              owner: account(8),
              spender: account(6),
              serialNumbers: [3],
              delegatingSpender: account(4),
            },
          ],
        },
      },
    },
    {
      body: {
        cryptoDeleteAllowance: { nftAllowances: [{ tokenId: token(71), owner: account(8), serialNumbers: [3] }] },
      },
    },
  ]);
  const range = { from: t0, to: null };
  const granted = { payer_account_id: 1000n, timestamp_range: range };
  expect(rows('crypto_allowance')).toEqual([
    { owner: 1000n, spender: 5n, amount: 0n, amount_granted: 0n, ...granted },
    { owner: 8n, spender: 5n, amount: 20n, amount_granted: 20n, ...granted },
  ]);
  expect(rows('token_allowance')).toEqual([
    { owner: 8n, spender: 5n, token_id: 70n, amount: 30n, amount_granted: 30n, ...granted },
  ]);
  expect(rows('nft_allowance')).toEqual([
    { owner: 8n, spender: 5n, token_id: 71n, approved_for_all: true, ...granted },
  ]);
  expect(rows('nft')).toMatchObject([
    { account_id: 8n, spender: 6n, delegating_spender: 4n, timestamp_range: { from: t0, to: timestampAt(1) } },
    { account_id: 8n, spender: undefined, delegating_spender: undefined },
  ]);
});

test('live hashes are about their account, and change nothing of it', async () => {
  const { rows, problems } = await importTransactions([
    { body: { cryptoAddLiveHash: { liveHash: { accountId: account(2000), hash: Buffer.alloc(48, 1) } } } },
    { body: { cryptoDeleteLiveHash: { accountOfLiveHash: account(2000), liveHashToDelete: Buffer.alloc(48, 1) } } },
  ]);
  expect(problems).toEqual([]);
  expect(rows('transaction').map(({ entity_id }) => entity_id)).toEqual([2000n, 2000n]);
  expect(rows('entity')).toEqual([]);
});
