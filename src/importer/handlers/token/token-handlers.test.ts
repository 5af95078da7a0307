import { expect, test } from 'vitest';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../../packages/test-support/streams/import-transactions.ts';

const t0 = timestampAt(0);
const range = { from: t0, to: null };
const account = (accountNum: number) => ({ accountNum });
const token = (tokenNum: number) => ({ tokenNum });
const key = (fill: number) => ({ ed25519: Buffer.alloc(32, fill) });
const keyBytes = (fill: number) => Buffer.concat([Buffer.from([0x12, 32]), Buffer.alloc(32, fill)]);

async function importOf(literals: TransactionLiteral[], hapiMinor = 70) {
  const imported = await importTransactions(literals, { hapiVersion: { major: 0, minor: hapiMinor, patch: 0 } });
  expect(imported.problems).toEqual([]);
  return imported;
}

const creation: TransactionLiteral = {
  body: {
    tokenCreation: {
      name: 'Töken\0',
      symbol: 'TOK',
      decimals: 8,
      initialSupply: 1000,
      treasury: account(5),
      adminKey: key(1),
      kycKey: key(2),
      freezeKey: key(3),
      wipeKey: key(4),
      supplyKey: key(5),
      feeScheduleKey: key(6),
      pauseKey: key(7),
      metadataKey: key(8),
      metadata: Buffer.from('meta'),
      freezeDefault: true,
      expiry: { seconds: 2_000_000_000 },
      autoRenewAccount: account(6),
      autoRenewPeriod: { seconds: 77 },
      memo: 'memo',
      supplyType: 1,
      maxSupply: 5000,
    },
  },
  record: { automaticTokenAssociations: [{ accountId: account(5), tokenId: token(70) }] },
  receipt: { tokenID: token(70) },
};

test('a new token: entity, token, fees and association of the treasury', async () => {
  const { rows } = await importOf([creation]);
  expect(rows('entity')).toMatchObject([
    {
      id: 70n,
      type: 'TOKEN',
      auto_renew_account_id: 6n,
      auto_renew_period: 77n,
      created_timestamp: t0,
      deleted: false,
      expiration_timestamp: 2_000_000_000_000_000_000n,
      key: keyBytes(1),
      memo: 'memo',
      public_key: '01'.repeat(32),
      timestamp_range: range,
    },
  ]);
  expect(rows('token')).toEqual([
    {
      created_timestamp: t0,
      decimals: 8n,
      fee_schedule_key: keyBytes(6),
      freeze_default: true,
      freeze_key: keyBytes(3),
      freeze_status: 1,
      initial_supply: 1000n,
      kyc_key: keyBytes(2),
      kyc_status: 2,
      max_supply: 5000n,
      metadata: Buffer.from('meta'),
      metadata_key: keyBytes(8),
      name: 'Töken\uFFFD',
      pause_key: keyBytes(7),
      pause_status: 'UNPAUSED',
      supply_key: keyBytes(5),
      supply_type: 'FINITE',
      symbol: 'TOK',
      timestamp_range: range,
      token_id: 70n,
      total_supply: 1000n,
      treasury_account_id: 5n,
      type: 'FUNGIBLE_COMMON',
      wipe_key: keyBytes(4),
    },
  ]);
  expect(rows('custom_fee')).toEqual([
    { entity_id: 70n, fixed_fees: null, fractional_fees: null, royalty_fees: null, timestamp_range: range },
  ]);
  expect(rows('token_account')).toEqual([
    {
      account_id: 5n,
      associated: true,
      automatic_association: false,
      balance: 0n,
      balance_timestamp: t0,
      created_timestamp: t0,
      freeze_status: 2,
      kyc_status: 1,
      timestamp_range: range,
      token_id: 70n,
    },
  ]);
});

test('a token without keys, before tokens had metadata', async () => {
  const tokenCreation = { treasury: account(5), tokenType: 1, metadata: Buffer.from('meta'), metadataKey: key(1) };
  const { rows } = await importOf([{ body: { tokenCreation }, receipt: { tokenID: token(70) } }], 48);
  expect(rows('token')).toMatchObject([
    {
      freeze_status: 0,
      kyc_status: 0,
      pause_status: 'NOT_APPLICABLE',
      metadata: null,
      metadata_key: null,
      type: 'NON_FUNGIBLE_UNIQUE',
      supply_type: 'INFINITE',
    },
  ]);
  expect(rows('token_account')).toMatchObject([{ account_id: 5n, freeze_status: 0, kyc_status: 0 }]);
});

const customFees = [
  { fixedFee: { amount: 1 }, feeCollectorAccountId: account(8) },
  { fixedFee: { amount: 2, denominatingTokenId: token(0) }, feeCollectorAccountId: account(9) },
  { fixedFee: { amount: 3, denominatingTokenId: token(69) }, feeCollectorAccountId: account(10) },
  {
    fractionalFee: { fractionalAmount: { numerator: 1, denominator: 3 }, minimumAmount: 4, netOfTransfers: true },
    feeCollectorAccountId: account(11),
    allCollectorsAreExempt: true,
  },
  {
    royaltyFee: { exchangeValueFraction: { numerator: 5, denominator: 6 }, fallbackFee: { amount: 7 } },
    feeCollectorAccountId: account(12),
  },
  { royaltyFee: { exchangeValueFraction: { numerator: 8, denominator: 9 } }, feeCollectorAccountId: account(12) },
];

const feeColumns = {
  entity_id: 70n,
  fixed_fees: [
    { all_collectors_are_exempt: false, amount: 1n, collector_account_id: 8n, denominating_token_id: null },
    { all_collectors_are_exempt: false, amount: 2n, collector_account_id: 9n, denominating_token_id: 70n },
    { all_collectors_are_exempt: false, amount: 3n, collector_account_id: 10n, denominating_token_id: 69n },
  ],
  fractional_fees: [
    {
      all_collectors_are_exempt: true,
      collector_account_id: 11n,
      denominator: 3n,
      maximum_amount: null,
      minimum_amount: 4n,
      net_of_transfers: true,
      numerator: 1n,
    },
  ],
  royalty_fees: [
    {
      all_collectors_are_exempt: false,
      collector_account_id: 12n,
      denominator: 6n,
      fallback_fee: { amount: 7n, denominating_token_id: null },
      numerator: 5n,
    },
    {
      all_collectors_are_exempt: false,
      collector_account_id: 12n,
      denominator: 9n,
      fallback_fee: null,
      numerator: 8n,
    },
  ],
};

test('custom fees of a new token, and who is associated where the record does not say', async () => {
  const tokenCreation = { treasury: account(5), customFees };
  const { rows } = await importOf([{ body: { tokenCreation }, receipt: { tokenID: token(70) } }], 17);
  expect(rows('custom_fee')).toEqual([{ ...feeColumns, timestamp_range: range }]);
  expect(rows('token_account').map((row) => row.account_id)).toEqual([5n, 9n, 11n]);
});

test('a new fee schedule replaces the old one; an empty one says since when there are no fees', async () => {
  const { rows } = await importOf([
    { body: { tokenFeeScheduleUpdate: { tokenId: token(70), customFees } } },
    { body: { tokenFeeScheduleUpdate: { tokenId: token(70) } } },
  ]);
  expect(rows('custom_fee')).toEqual([
    { ...feeColumns, timestamp_range: { from: t0, to: timestampAt(1) } },
    { entity_id: 70n, timestamp_range: { from: timestampAt(1), to: null } },
  ]);
});

test('an update says only what the transaction mentions', async () => {
  const { rows } = await importOf([{ body: { tokenUpdate: { token: token(70) } } }]);
  const said = Object.entries(rows('token')[0]!).filter(([, value]) => value !== null && value !== undefined);
  expect(Object.fromEntries(said)).toEqual({ token_id: 70n, timestamp_range: range });
  const body = {
    token: token(70),
    name: 'n',
    treasury: account(9),
    supplyKey: { keyList: {} },
    metadata: { value: Buffer.from('m') },
    adminKey: key(9),
    memo: { value: '' },
  };
  const changed = await importOf([{ body: { tokenUpdate: body } }]);
  expect(changed.rows('token')).toMatchObject([
    { name: 'n', treasury_account_id: 9n, supply_key: Buffer.from([0x32, 0]), metadata: Buffer.from('m') },
  ]);
  expect(changed.rows('entity')).toMatchObject([{ id: 70n, key: keyBytes(9), memo: '', deleted: false }]);
});

test('supply changes make no version of the token', async () => {
  const { rows } = await importOf([
    {
      body: { tokenMint: { token: token(70), metadata: [Buffer.from('a'), Buffer.from('b')] } },
      receipt: { newTotalSupply: 12, serialNumbers: [11, 12] },
    },
    { body: { tokenBurn: { token: token(70), serialNumbers: [11] } }, receipt: { newTotalSupply: 11 } },
    { body: { tokenWipe: { token: token(70), account: account(5), amount: 4 } }, receipt: { newTotalSupply: 7 } },
  ]);
  expect(rows('token')).toEqual([{ token_id: 70n, total_supply: 7n }]);
  expect(rows('transaction').map((row) => row.entity_id)).toEqual([70n, 70n, 70n]);
  expect(rows('nft')).toMatchObject([
    {
      serial_number: 11n,
      created_timestamp: t0,
      deleted: false,
      metadata: Buffer.from('a'),
      timestamp_range: { from: t0, to: timestampAt(1) },
    },
    { serial_number: 11n, created_timestamp: t0, deleted: true, timestamp_range: { from: timestampAt(1), to: null } },
    { serial_number: 12n, metadata: Buffer.from('b'), deleted: false, timestamp_range: range },
  ]);
});

test('the owner of a minted NFT comes from the transfers of the same record', async () => {
  const nftTransfers = [{ senderAccountID: account(0), receiverAccountID: account(5), serialNumber: 1 }];
  const { rows } = await importOf([
    {
      body: { tokenMint: { token: token(70), metadata: [Buffer.from('a')] } },
      receipt: { newTotalSupply: 1, serialNumbers: [1] },
      record: { tokenTransferLists: [{ token: token(70), nftTransfers }] },
    },
  ]);
  expect(rows('nft')).toMatchObject([{ account_id: 5n, created_timestamp: t0, timestamp_range: range }]);
  expect(rows('token_account')).toMatchObject([{ account_id: 5n, balance: 1n }]);
});

const accountAndToken = { account: account(5), token: token(70) };

test.each([
  ['tokenFreeze', { freeze_status: 1 }],
  ['tokenUnfreeze', { freeze_status: 2 }],
  ['tokenGrantKyc', { kyc_status: 1 }],
  ['tokenRevokeKyc', { kyc_status: 2 }],
])('%s changes one status of one account', async (field, status) => {
  const { rows } = await importOf([{ body: { [field]: accountAndToken } }]);
  expect(rows('token_account')).toEqual([{ account_id: 5n, token_id: 70n, ...status, timestamp_range: range }]);
  expect(rows('transaction')).toMatchObject([{ entity_id: 5n }]);
});

test.each([
  ['tokenPause', 'PAUSED'],
  ['tokenUnpause', 'UNPAUSED'],
])('%s', async (field, pause_status) => {
  const { rows } = await importOf([{ body: { [field]: { token: token(70) } } }]);
  expect(rows('token')).toEqual([{ token_id: 70n, pause_status, timestamp_range: range }]);
});

test('associating again starts from nothing', async () => {
  const tokens = [token(70), token(71)];
  const { rows } = await importOf([
    { body: { tokenAssociate: { account: account(5), tokens } } },
    { body: { tokenFreeze: accountAndToken } },
    { body: { tokenDissociate: { account: account(5), tokens: [token(70)] } } },
    { body: { tokenAssociate: { account: account(5), tokens: [token(70)] } } },
  ]);
  const of70 = rows('token_account').filter((row) => row.token_id === 70n);
  expect(of70.map((row) => [row.associated, row.freeze_status, row.created_timestamp])).toEqual([
    [true, undefined, t0],
    [true, 1, t0],
    [false, 1, t0],
    [true, undefined, timestampAt(3)],
  ]);
  expect(rows('token_account').filter((row) => row.token_id === 71n)).toHaveLength(1);
});

test('a deleted token is a deleted entity and no version of the token', async () => {
  const { rows } = await importOf([{ body: { tokenDeletion: { token: token(70) } } }]);
  expect(rows('entity')).toMatchObject([{ id: 70n, deleted: true, type: 'TOKEN' }]);
  expect(rows('token')).toEqual([]);
});

test('new metadata of NFTs leaves owner and spender alone', async () => {
  const body = { tokenUpdateNfts: { token: token(70), serialNumbers: [3], metadata: { value: Buffer.from('x') } } };
  const { rows } = await importOf([{ body }]);
  expect(rows('nft')).toEqual([
    {
      delegating_spender: -1n,
      metadata: Buffer.from('x'),
      serial_number: 3n,
      spender: -1n,
      timestamp_range: range,
      token_id: 70n,
    },
  ]);
});

test('airdrops wait, are cancelled or claimed; a claim associates the receiver', async () => {
  const fungible = { senderId: account(1), receiverId: account(2), fungibleTokenType: token(70) };
  const nft = {
    senderId: account(1),
    receiverId: account(2),
    nonFungibleToken: { token_ID: token(71), serialNumber: 9 },
  };
  const newPendingAirdrops = [
    { pendingAirdropId: fungible, pendingAirdropValue: { amount: 15 } },
    { pendingAirdropId: nft },
  ];
  const { rows } = await importOf([
    { body: { tokenAirdrop: {} }, record: { newPendingAirdrops } },
    { body: { tokenCancelAirdrop: { pendingAirdrops: [fungible] } } },
    { body: { tokenClaimAirdrop: { pendingAirdrops: [nft] } } },
    { body: { tokenClaimAirdrop: { pendingAirdrops: [nft] } } },
  ]);
  const ids = { sender_account_id: 1n, receiver_account_id: 2n };
  expect(rows('token_airdrop').slice(0, 4)).toMatchObject([
    { ...ids, token_id: 70n, serial_number: 0n, state: 'PENDING', amount: 15n },
    { ...ids, token_id: 70n, serial_number: 0n, state: 'CANCELLED', amount: 15n, timestamp_range: { to: null } },
    { ...ids, token_id: 71n, serial_number: 9n, state: 'PENDING' },
    { ...ids, token_id: 71n, serial_number: 9n, state: 'CLAIMED' },
  ]);
  expect(rows('token_account')).toEqual([
    {
      account_id: 2n,
      associated: true,
      automatic_association: false,
      balance: 0n,
      balance_timestamp: timestampAt(2),
      created_timestamp: timestampAt(2),
      timestamp_range: { from: timestampAt(2), to: null },
      token_id: 71n,
    },
  ]);
});

test.each([
  [{ owner: account(9) }, 9n],
  [{}, 1000n],
])('a rejection is about its owner, or the payer', async (tokenReject, entityId) => {
  const { rows } = await importOf([{ body: { tokenReject } }]);
  expect(rows('transaction')).toMatchObject([{ entity_id: entityId }]);
});
