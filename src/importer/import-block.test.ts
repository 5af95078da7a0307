import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { proto } from '../../packages/protocol/hapi/hapi.ts';
import {
  accountId,
  firstTimestamp,
  importTestBlock,
  rowsOf,
  type TestTransaction,
  tokenId,
  toLong,
  transfers,
} from '../../packages/test-support/streams/stream-blocks.ts';
import { createEntityNames } from './block/entity-lookup.ts';

const t0 = firstTimestamp;
const insufficientPayerBalance = 10;
const failInvalid = 23;

function transfer(amounts: Record<number, number>, more: Partial<TestTransaction> = {}): TestTransaction {
  return { body: { cryptoTransfer: {} }, record: { transferList: { accountAmounts: transfers(amounts) } }, ...more };
}

test('every item makes a transaction row and its hash, whatever its type and status', async () => {
  const imported = await importTestBlock([
    transfer({ 1001: -1, 98: 1 }),
    { body: {}, status: insufficientPayerBalance },
    { body: { consensusSubmitMessage: {} }, status: insufficientPayerBalance },
  ]);
  expect(rowsOf(imported, 'transaction').map((row) => [row.index, row.type, row.result, row.entity_id])).toEqual([
    [0, 14, 22, null],
    [1, -1, 10, null],
    [2, 27, 10, null],
  ]);
  expect(rowsOf(imported, 'transaction_hash').map((row) => [row.consensus_timestamp, row.hash?.length])).toEqual([
    [t0, 32],
    [t0 + 1n, 32],
  ]);
});

test('the columns of a transaction come from body and record', async () => {
  const body: proto.ITransactionBody = {
    cryptoCreateAccount: { initialBalance: toLong(77n) },
    memo: 'zażółć',
    nodeAccountID: accountId(3),
    transactionFee: toLong(500n),
    transactionValidDuration: { seconds: toLong(120n) },
    batchKey: { ed25519: Buffer.alloc(32, 9) },
    maxCustomFees: [{ accountId: accountId(8), fees: [{ amount: toLong(4n) }] }],
  };
  const record = { receipt: { accountID: accountId(2000) }, transactionFee: toLong(499n), scheduleRef: {} };
  const imported = await importTestBlock([{ body, record, nonce: 2 }]);
  expect(rowsOf(imported, 'transaction')[0]).toMatchObject({
    batch_key: Buffer.concat([Buffer.from([0x12, 32]), Buffer.alloc(32, 9)]),
    charged_tx_fee: 499n,
    consensus_timestamp: t0,
    entity_id: 2000n,
    initial_balance: 77n,
    max_fee: 500n,
    memo: Buffer.from('zażółć'),
    node_account_id: 3n,
    nonce: 2,
    payer_account_id: 1001n,
    scheduled: true,
    type: 11,
    valid_duration_seconds: 120n,
    valid_start_ns: t0 - 1_000_000_000n,
    transaction_bytes: null,
  });
  expect(rowsOf(imported, 'transaction')[0]?.max_custom_fees).toHaveLength(1);
});

test('transaction and record bytes are kept for node changes, and for all others on request', async () => {
  const items: TestTransaction[] = [{ body: { nodeDelete: {} }, status: insufficientPayerBalance }, { body: {} }];
  const byDefault = rowsOf(await importTestBlock(items), 'transaction');
  expect(byDefault.map((row) => row.transaction_bytes !== null)).toEqual([true, false]);
  const options = { row: { transactionBytes: true, transactionRecordBytes: true } };
  const onRequest = rowsOf(await importTestBlock(items, {}, options), 'transaction');
  expect(onRequest.every((row) => row.transaction_bytes && row.transaction_record_bytes)).toBe(true);
});

test('fees move also when the transaction fails; tokens only when it succeeds or is FAIL_INVALID', async () => {
  const record = {
    transferList: { accountAmounts: transfers({ 1001: -5, 98: 5 }) },
    tokenTransferLists: [{ token: tokenId(70), transfers: transfers({ 1001: -2, 1002: 2 }) }],
  };
  for (const [status, tokenRows] of [
    [22, 2],
    [insufficientPayerBalance, 0],
    [failInvalid, 2],
  ] as const) {
    const imported = await importTestBlock([{ body: { cryptoTransfer: {} }, record, status }]);
    expect(rowsOf(imported, 'crypto_transfer')).toHaveLength(2);
    expect(rowsOf(imported, 'token_transfer')).toHaveLength(tokenRows);
    expect(rowsOf(imported, 'token_account')).toHaveLength(tokenRows);
  }
});

test('a child of a failed parent has failed, whatever its own status says', async () => {
  const create = { cryptoCreateAccount: {} };
  const child = { body: create, record: { receipt: { accountID: accountId(2000) } }, parentTimestamp: t0, nonce: 1 };
  for (const [parentStatus, entities] of [
    [22, 1],
    [33, 0],
  ]) {
    const imported = await importTestBlock([{ body: { contractCall: {} }, status: parentStatus }, child]);
    expect(rowsOf(imported, 'entity')).toHaveLength(entities!);
  }
});

test('siblings and grandchildren find their parent; a parent that stands later is none', async () => {
  const create = (num: number, parentTimestamp: bigint): TestTransaction => ({
    body: { cryptoCreateAccount: {} },
    record: { receipt: { accountID: accountId(num) } },
    parentTimestamp,
    nonce: 1,
  });
  const imported = await importTestBlock([
    create(2000, t0 + 1n),
    { body: { contractCall: {} }, status: 33 },
    create(2001, t0 + 1n),
    create(2002, t0 + 1n),
    create(2003, t0 + 3n),
    create(2004, t0 + 3n),
    create(2005, t0 + 1n),
  ]);
  expect(rowsOf(imported, 'entity').map((row) => row.id)).toEqual([2000n]);
});

test('a batch lists payer and valid start of its inner transactions', async () => {
  const imported = await importTestBlock([
    { body: { atomicBatch: {} } },
    transfer({ 1001: -1, 98: 1 }, { parentTimestamp: t0 }),
    transfer({ 1001: -1, 98: 1 }, { parentTimestamp: t0 + 1n, nonce: 1 }),
    transfer({ 1001: -1, 98: 1 }, { parentTimestamp: t0 }),
  ]);
  const validStart = (index: bigint) => t0 + index - 1_000_000_000n;
  expect(rowsOf(imported, 'transaction')[0]?.inner_transactions).toEqual([
    1001n,
    validStart(1n),
    1001n,
    validStart(3n),
  ]);
});

test('what balances gain is the sum of the transfer rows, and rows are as many as entries', () => {
  const list = fc.dictionary(fc.integer({ min: 1, max: 9 }).map(String), fc.integer({ min: -1e9, max: 1e9 }), {
    maxKeys: 6,
  });
  return fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(list, fc.constantFrom(22, 10, 23)), { maxLength: 20 }), async (lists) => {
      const imported = await importTestBlock(lists.map(([amounts, status]) => transfer(amounts, { status })));
      const expected = new Map<bigint, bigint>();
      for (const [amounts] of lists) {
        for (const [num, amount] of Object.entries(amounts)) {
          expected.set(BigInt(num), (expected.get(BigInt(num)) ?? 0n) + BigInt(amount));
        }
      }
      expect(new Map(rowsOf(imported, 'entity').map((row) => [row.id, row.balance]))).toEqual(expected);
      const entries = lists.flatMap(([amounts]) => Object.values(amounts));
      expect(rowsOf(imported, 'crypto_transfer').map((row) => row.amount)).toEqual(entries.map(BigInt));
    }),
    { numRuns: 50 },
  );
});

test('approved debits are marked and taken from the allowance; the same amount of another account is not', async () => {
  const bodyTransfers = transfers({ 1002: -10, 1003: -10, 1004: 20 });
  bodyTransfers[0]!.isApproval = true;
  const tokenTransfers = transfers({ 1002: -7, 1004: 7 });
  tokenTransfers[0]!.isApproval = true;
  const body = {
    cryptoTransfer: {
      transfers: { accountAmounts: bodyTransfers },
      tokenTransfers: [{ token: tokenId(70), transfers: tokenTransfers }],
    },
  };
  const record = {
    transferList: { accountAmounts: transfers({ 1001: -3, 98: 3, 1002: -10, 1003: -10, 1004: 20 }) },
    tokenTransferLists: [{ token: tokenId(70), transfers: transfers({ 1002: -8, 1004: 8 }) }],
  };
  const imported = await importTestBlock([{ body, record }]);
  const approved = rowsOf(imported, 'crypto_transfer').filter((row) => row.is_approval);
  expect(approved.map((row) => row.entity_id)).toEqual([1002n]);
  expect(rowsOf(imported, 'token_transfer').map((row) => row.is_approval)).toEqual([true, false]);
  expect(rowsOf(imported, 'crypto_allowance')).toEqual([{ amount: -10n, owner: 1002n, spender: 1001n }]);
  expect(rowsOf(imported, 'token_allowance')).toEqual([{ amount: -7n, owner: 1002n, spender: 1001n, token_id: 70n }]);
  const failed = await importTestBlock([{ body, record, status: insufficientPayerBalance }]);
  expect(rowsOf(failed, 'crypto_allowance')).toEqual([]);
});

test.each<[string, 'cryptoTransfer' | 'tokenAirdrop', boolean[]]>([
  ['the body of a transfer', 'cryptoTransfer', [true, false, false, false]],
  ['no airdrop', 'tokenAirdrop', [false, false, false, false]],
])(
  '%s says which NFTs were moved by an approval, between the accounts that it names',
  async (_what, type, expected) => {
    const nft = (serial: number, isApproval: boolean, receiver = 1002): proto.INftTransfer => ({
      senderAccountID: accountId(1001),
      receiverAccountID: accountId(receiver),
      serialNumber: toLong(BigInt(serial)),
      isApproval,
    });
    const lists = (first: proto.INftTransfer[]) => [
      { token: tokenId(80), nftTransfers: first },
      { token: tokenId(81), nftTransfers: [nft(1, false)] },
    ];
    const imported = await importTestBlock([
      {
        body: { [type]: { tokenTransfers: lists([nft(1, true), nft(2, false)]) } },
        // The third goes on to another account than the body says.
        record: { tokenTransferLists: lists([nft(1, false), nft(2, true), nft(1, true, 1003)]) },
      },
    ]);
    const [{ nft_transfer: elements }] = rowsOf(imported, 'transaction') as [
      { nft_transfer: { is_approval: boolean }[] },
    ];
    expect(elements.map(({ is_approval }) => is_approval)).toEqual(expected);
  },
);

test('NFT transfers, also of the whole class, and what they change', async () => {
  const nft = (sender: number, receiver: number, serial: number): proto.INftTransfer => ({
    senderAccountID: accountId(sender),
    receiverAccountID: accountId(receiver),
    serialNumber: toLong(BigInt(serial)),
  });
  const imported = await importTestBlock([
    {
      body: { cryptoTransfer: {} },
      record: {
        tokenTransferLists: [{ token: tokenId(70), nftTransfers: [nft(0, 5, 1), nft(5, 6, 2), nft(6, 0, 3)] }],
      },
    },
    {
      body: { tokenUpdate: { token: tokenId(70), treasury: accountId(9) } },
      record: { tokenTransferLists: [{ token: tokenId(70), nftTransfers: [nft(5, 9, -1)] }] },
    },
  ]);
  expect(rowsOf(imported, 'transaction').map((row) => (row.nft_transfer as unknown[]).length)).toEqual([3, 1]);
  expect(rowsOf(imported, 'transaction')[0]?.nft_transfer).toMatchObject([
    { is_approval: false, receiver_account_id: 5n, sender_account_id: null, serial_number: 1n, token_id: 70n },
    { receiver_account_id: 6n, sender_account_id: 5n },
    { receiver_account_id: null, sender_account_id: 6n },
  ]);
  expect(rowsOf(imported, 'nft').map((row) => [row.serial_number, row.account_id])).toEqual([
    [1n, 5n],
    [2n, 6n],
  ]);
  expect(rowsOf(imported, 'token_account').map((row) => [row.account_id, row.balance])).toEqual([
    [5n, 0n],
    [6n, 0n],
  ]);
  expect(imported.changes.parts.map((part) => ('operation' in part ? part.operation : 'rows'))).toEqual([
    'rows',
    'moveNfts',
    'rows',
  ]);
});

test('leaving a deleted NFT class ends the NFTs; leaving a deleted fungible token is a transfer', async () => {
  const items: TestTransaction[] = [
    {
      body: { tokenDissociate: { account: accountId(5), tokens: [tokenId(70)] } },
      record: { tokenTransferLists: [{ token: tokenId(70), transfers: transfers({ 5: -2 }) }] },
    },
  ];
  const importWith = (nonFungible: boolean) =>
    importTestBlock(
      items,
      {},
      {
        selectHolding: async () => ({ associated: true, nonFungible, serialNumbers: nonFungible ? [3n, 4n] : [] }),
      },
    );
  const nfts = await importWith(true);
  expect(rowsOf(nfts, 'token_transfer')).toEqual([]);
  expect(rowsOf(nfts, 'transaction')[0]?.nft_transfer).toMatchObject([
    { sender_account_id: 5n, receiver_account_id: null, serial_number: 3n },
    { serial_number: 4n },
  ]);
  expect(rowsOf(nfts, 'nft').map((row) => row.deleted)).toEqual([true, true]);
  const fungible = await importWith(false);
  expect(rowsOf(fungible, 'token_transfer').map((row) => row.amount)).toEqual([-2n]);
  for (const imported of [nfts, fungible]) {
    expect(rowsOf(imported, 'token')).toEqual([{ token_id: 70n, total_supply: -2n }]);
    expect(rowsOf(imported, 'token_account')).toMatchObject([{ associated: false, balance: -2n }]);
  }
});

test('a staking reward moves the period start to yesterday, unless this block put it at today', async () => {
  const today = t0 / 86_400_000_000_000n;
  const reward: TestTransaction = {
    body: { cryptoTransfer: {} },
    record: { paidStakingRewards: transfers({ 5: 12, 6: 13 }) },
  };
  const stake: TestTransaction = {
    body: { cryptoUpdateAccount: { accountIDToUpdate: accountId(6), stakedNodeId: toLong(0n) } },
  };
  const imported = await importTestBlock([stake, reward]);
  expect(rowsOf(imported, 'staking_reward_transfer').map((row) => [row.account_id, row.amount])).toEqual([
    [5n, 12n],
    [6n, 13n],
  ]);
  const starts = rowsOf(imported, 'entity').map((row) => [row.id, row.stake_period_start]);
  expect(new Map(starts as [bigint, bigint][])).toEqual(
    new Map([
      [5n, today - 1n],
      [6n, today],
    ]),
  );
});

test('assessed custom fees and automatic associations', async () => {
  const imported = await importTestBlock([
    {
      body: { cryptoTransfer: {} },
      record: {
        assessedCustomFees: [
          { amount: toLong(3n), feeCollectorAccountId: accountId(7), effectivePayerAccountId: [accountId(8)] },
          { amount: toLong(4n), feeCollectorAccountId: accountId(7), tokenId: tokenId(70) },
        ],
        automaticTokenAssociations: [{ accountId: accountId(8), tokenId: tokenId(70) }],
      },
    },
  ]);
  expect(rowsOf(imported, 'assessed_custom_fee')).toMatchObject([
    { amount: 3n, collector_account_id: 7n, effective_payer_account_ids: [8n], token_id: null },
    { amount: 4n, effective_payer_account_ids: [], token_id: 70n },
  ]);
  expect(rowsOf(imported, 'token_account')).toMatchObject([
    { account_id: 8n, associated: true, automatic_association: true, balance: 0n, created_timestamp: t0 },
  ]);
});

test('a malformed part is reported and the rest of the block is imported', async () => {
  const bad = { accountNum: toLong(-5n) };
  const imported = await importTestBlock([
    { body: { cryptoDelete: { deleteAccountID: bad } } },
    transfer({ 1001: -1, 98: 1 }),
  ]);
  expect(imported.problems).toMatchObject([
    { consensusTimestamp: t0, type: 12, problem: expect.stringContaining('-5') },
  ]);
  expect(rowsOf(imported, 'transaction')).toHaveLength(2);
});

test('names that only the database knows are fetched and the block is gone through again', async () => {
  const evmAddress = Buffer.alloc(20, 7);
  const alias = Buffer.alloc(34, 8);
  const asked: string[] = [];
  const names = createEntityNames({
    selectByEvmAddress: async (addresses) => {
      asked.push(...addresses.map((name) => Buffer.from(name).toString('hex')));
      return addresses.map((name) => ({ id: 55n, name }));
    },
    selectByAlias: async (aliases) => aliases.map((name) => ({ id: 66n, name })),
  });
  const accountAmounts = [
    { accountID: { alias: evmAddress }, amount: toLong(1n) },
    { accountID: { alias }, amount: toLong(2n) },
    { accountID: { alias: Buffer.concat([Buffer.alloc(19), Buffer.from([9])]) }, amount: toLong(3n) },
  ];
  const items = [{ body: { cryptoTransfer: {} }, record: { transferList: { accountAmounts } } }];
  for (let round = 0; round < 2; round += 1) {
    const imported = await importTestBlock(items, {}, { names });
    expect(rowsOf(imported, 'crypto_transfer').map((row) => row.entity_id)).toEqual([55n, 66n, 9n]);
  }
  expect(asked).toEqual([evmAddress.toString('hex')]);
});

test('an account made in a block is found by its address in the same block and in the next', async () => {
  const evmAddress = Buffer.alloc(20, 7);
  let questions = 0;
  const names = createEntityNames({
    selectByEvmAddress: async () => {
      questions += 1;
      return [];
    },
    selectByAlias: async () => [],
  });
  const pay: TestTransaction = {
    body: { cryptoTransfer: {} },
    record: { transferList: { accountAmounts: [{ accountID: { alias: evmAddress }, amount: toLong(1n) }] } },
  };
  const create = { body: { cryptoCreateAccount: {} }, record: { receipt: { accountID: accountId(2000) }, evmAddress } };
  const first = await importTestBlock([create, pay], {}, { names });
  const second = await importTestBlock([pay], {}, { names });
  for (const imported of [first, second]) {
    expect(rowsOf(imported, 'crypto_transfer').map((row) => row.entity_id)).toEqual([2000n]);
  }
  expect(questions).toBe(0);
});
