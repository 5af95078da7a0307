// The page of one transaction over a small ledger: every way to name it, what is told of it, hostile values in each
// place.

import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAbi } from '../../../packages/abi/read-abi.ts';
import { signatureHash } from '../../../packages/abi/selector.ts';
import { proto, toLong } from '../../../packages/protocol/hapi/hapi.ts';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { shownText } from '../../../packages/test-support/http/read-page.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { type ContractAbis, noContractAbis } from '../../contracts/abi/create-contract-abis.ts';
import type { Label } from '../parts/labels.ts';

const second = 1_000_000_000n;
const start = 1_700_000_000n * second;
const at = (seconds: number): bigint => start + BigInt(seconds) * second;
const time = (seconds: number): string => `${1_700_000_000 + seconds}.000000000`;
const hostile = `</dd><script>alert("x")</script>\u202e`;
const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const hashOf = (seconds: number): Buffer => Buffer.alloc(48, seconds + 1);

function transaction(seconds: number, unusual: object = {}) {
  const row = {
    consensus_timestamp: at(seconds),
    valid_start_ns: at(seconds - 5),
    payer_account_id: 1001n,
    node_account_id: 3n,
    type: 14n,
    result: 22n,
    nonce: 0n,
    scheduled: false,
    charged_tx_fee: 100n,
    max_fee: 500n,
    memo: Buffer.alloc(0),
    valid_duration_seconds: 120n,
    transaction_hash: hashOf(seconds),
    ...unusual,
  };
  const { consensus_timestamp, payer_account_id, transaction_hash: hash } = row;
  const named = { consensus_timestamp, payer_account_id, hash: hash.subarray(0, 32), hash_suffix: hash.subarray(32) };
  return [
    { table: 'transaction', row },
    { table: 'transaction_hash', row: named },
  ];
}

/** A file that is in force until it is replaced. */
function rates(centEquiv: number): Uint8Array {
  const rate = { hbarEquiv: 1, centEquiv, expirationTime: { seconds: toLong(4_000_000_000n) } };
  return proto.ExchangeRateSet.encode({ currentRate: rate, nextRate: rate }).finish();
}

const transfer = (seconds: number, entity_id: bigint, amount: bigint) => ({
  table: 'crypto_transfer',
  row: { consensus_timestamp: at(seconds), payer_account_id: 1001n, entity_id, amount, is_approval: false },
});
const tokenTransfer = (account_id: bigint, amount: bigint) => ({
  table: 'token_transfer',
  row: { consensus_timestamp: at(1), payer_account_id: 1001n, token_id: 5000n, account_id, amount, is_approval: true },
});
const token = (row: object) => ({
  table: 'token',
  row: {
    created_timestamp: at(0),
    freeze_status: 0n,
    kyc_status: 0n,
    initial_supply: 0n,
    treasury_account_id: 2n,
    timestamp_range: `[${at(0)},)`,
    ...row,
  },
});

/** A transfer as it was sent, with text of an attacker. */
const sent = proto.Transaction.encode({
  signedTransactionBytes: proto.SignedTransaction.encode({
    bodyBytes: proto.TransactionBody.encode({
      memo: hostile,
      transactionFee: toLong(500n),
      cryptoTransfer: {
        transfers: { accountAmounts: [{ accountID: { accountNum: toLong(1002n) }, amount: toLong(1000n) }] },
      },
    }).finish(),
    sigMap: { sigPair: [{ pubKeyPrefix: Buffer.of(0xca, 0xfe), ed25519: Buffer.alloc(64, 0x5a) }] },
  }).finish(),
}).finish();

const abi = readAbi([
  {
    type: 'function',
    name: 'give',
    stateMutability: 'payable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'note', type: 'string' },
    ],
    outputs: [{ name: 'left', type: 'uint256' }],
  },
  {
    type: 'event',
    name: 'Given',
    inputs: [
      { name: 'to', type: 'address', indexed: true },
      { name: 'amount', type: 'uint256', indexed: false },
    ],
  },
  {
    type: 'event',
    name: 'Said',
    inputs: [
      ...['a', 'b', 'c'].map((name) => ({ name, type: 'uint256', indexed: true })),
      { name: 'words', type: 'string', indexed: false },
    ],
  },
]);
const give = abi.functions[0]!;
const note = Buffer.from(hostile);
const input = Buffer.concat([
  Buffer.from(give.selector, 'hex'),
  word(0x1234n),
  word(64n),
  word(BigInt(note.length)),
  Buffer.concat([note, Buffer.alloc(64)]).subarray(0, Math.ceil(note.length / 32) * 32),
]);
const checked = { name: 'Giver', abi, match: 'perfect', similarTo: null } as const;
const abis: ContractAbis = {
  ...noContractAbis,
  find: async (id) => (id === 7001n ? { abi, own: checked, proxy: null } : null),
};

const result = (seconds: number, row: object) => ({
  table: 'contract_result',
  row: {
    consensus_timestamp: at(seconds),
    contract_id: 7001n,
    payer_account_id: 1001n,
    sender_id: 1001n,
    gas_limit: 90_000n,
    gas_used: 72_000n,
    function_parameters: input,
    transaction_result: 22n,
    transaction_hash: hashOf(seconds).subarray(0, 32),
    ...row,
  },
});
const log = (index: number, row: object = {}) => ({
  table: 'contract_log',
  row: {
    consensus_timestamp: at(2),
    contract_id: 7001n,
    payer_account_id: 1001n,
    bloom: Buffer.alloc(0),
    index: BigInt(index),
    topic0: Buffer.from(abi.events[0]!.topic, 'hex'),
    topic1: word(0x1234n),
    data: word(1_000_000n),
    ...row,
  },
});
const action = (index: number, call_depth: bigint, row: object = {}) => ({
  table: 'contract_action',
  row: {
    consensus_timestamp: at(2),
    payer_account_id: 1001n,
    index: BigInt(index),
    call_depth,
    call_operation_type: 1n,
    call_type: 1n,
    caller: 1001n,
    caller_type: 'ACCOUNT',
    gas: 9n,
    gas_used: 8n,
    recipient_contract: 7001n,
    result_data_type: 11n,
    value: 0n,
    input,
    ...row,
  },
});
const reverted = Buffer.concat([
  Buffer.from('08c379a0', 'hex'),
  word(32n),
  word(BigInt(note.length)),
  Buffer.concat([note, Buffer.alloc(64)]).subarray(0, 64),
]);

const selectorText = (signature: string): string => signatureHash(signature).toString('hex', 0, 4);
const topicOf = (signature: string): Buffer => signatureHash(signature);
const usualCall = Buffer.concat([
  Buffer.from(selectorText('transfer(address,uint256)'), 'hex'),
  word(0x1234n),
  word(7000n),
]);
const mintCall = Buffer.concat([
  Buffer.from(selectorText('mintToken(address,int64,bytes[])'), 'hex'),
  ...[word(5000n), word(1n), word(96n), word(0n)],
]);
const calling = (functionParameters: Buffer): Uint8Array =>
  proto.Transaction.encode({
    bodyBytes: proto.TransactionBody.encode({ contractCall: { functionParameters } }).finish(),
  }).finish();

const rows = [
  {
    table: 'record_file',
    row: {
      index: 9n,
      hash: 'ab'.repeat(48),
      prev_hash: 'cd',
      file_hash: '',
      consensus_start: at(0),
      consensus_end: at(60),
      load_start: 0n,
      load_end: 0n,
      count: 1n,
      digest_algorithm: 0n,
      name: 'x',
      version: 6n,
    },
  },
  ...transaction(1, {
    memo: Buffer.from(hostile),
    transaction_bytes: sent,
    nft_transfer: JSON.stringify([
      { is_approval: false, receiver_account_id: 1002, sender_account_id: 1001, serial_number: 4, token_id: 5001 },
    ]),
  }),
  ...[transfer(1, 1001n, -1100n), transfer(1, 1002n, 1000n), transfer(1, 3n, 10n), transfer(1, 98n, 90n)],
  ...[tokenTransfer(1001n, -500n), tokenTransfer(1002n, 500n)],
  {
    table: 'entity',
    row: {
      ...{ id: 1010n, num: 1010n, shard: 0n, realm: 0n, type: 'ACCOUNT' },
      ...{ created_timestamp: at(0), balance: 1n, timestamp_range: `[${at(0)},)` },
    },
  },
  ...[5000n, 5001n].map((id) => ({
    table: 'entity',
    row: { id, num: id, shard: 0n, realm: 0n, type: 'TOKEN', timestamp_range: `[${at(0)},)` },
  })),
  token({ token_id: 5000n, name: hostile, symbol: hostile, decimals: 2n }),
  token({ token_id: 5001n, name: 'Cats', symbol: 'CAT', decimals: 0n, type: 'NON_FUNGIBLE_UNIQUE' }),
  {
    table: 'assessed_custom_fee',
    row: {
      consensus_timestamp: at(1),
      payer_account_id: 1001n,
      collector_account_id: 1009n,
      amount: 25n,
      token_id: 5000n,
      effective_payer_account_ids: [1001n],
    },
  },
  ...transaction(2, { type: 7n, entity_id: 7001n }),
  result(2, { call_result: word(12_345n) }),
  ...Array.from({ length: 12 }, (_, at) => log(at)),
  ...[
    action(0, 0n),
    action(1, 1n, { input: Buffer.from('deadbeef', 'hex'), recipient_contract: 7002n }),
    action(2, 1n, { result_data_type: 12n, result_data: reverted }),
  ],
  ...transaction(3, {
    type: 7n,
    entity_id: 7001n,
    valid_start_ns: at(-3),
    nonce: 1n,
    parent_consensus_timestamp: at(2),
  }),
  {
    table: 'contract_transaction_hash',
    row: {
      hash: Buffer.alloc(32, 0xee),
      consensus_timestamp: at(2),
      payer_account_id: 1001n,
      entity_id: 7001n,
      transaction_result: 22n,
    },
  },
  {
    table: 'contract_state_change',
    row: {
      consensus_timestamp: at(2),
      contract_id: 7001n,
      payer_account_id: 1001n,
      slot: word(1n),
      value_read: word(0n),
      value_written: word(255n),
    },
  },
  ...transaction(10, { type: 42n, entity_id: 6001n }),
  ...transaction(11, { valid_start_ns: at(5), scheduled: true, charged_tx_fee: 0n }),
  ...transaction(20, { type: 74n, inner_transactions: [1002n, at(14)] }),
  ...transaction(21, {
    payer_account_id: 1002n,
    valid_start_ns: at(14),
    parent_consensus_timestamp: at(20),
    node_account_id: null,
    batch_key: Buffer.of(1),
  }),
  // A batch that failed, and what it undid.
  ...transaction(22, {
    type: 74n,
    result: BigInt(responseCode.INNER_TRANSACTION_FAILED),
    inner_transactions: [1002n, at(15), 1002n, at(16)],
  }),
  ...(
    [
      [23, 15, 'REVERTED_SUCCESS', 14n],
      [24, 16, 'INSUFFICIENT_TOKEN_BALANCE', 37n],
    ] as const
  ).flatMap(([seconds, valid, name, type]) =>
    transaction(seconds, {
      payer_account_id: 1002n,
      valid_start_ns: at(valid),
      parent_consensus_timestamp: at(22),
      result: BigInt(responseCode[name]),
      type,
    }),
  ),
  {
    table: 'schedule',
    row: {
      schedule_id: 6001n,
      consensus_timestamp: at(10),
      creator_account_id: 1001n,
      payer_account_id: 1001n,
      executed_timestamp: at(11),
      transaction_body: proto.SchedulableTransactionBody.encode({ cryptoTransfer: {} }).finish(),
    },
  },
  ...transaction(12, { type: 44n, entity_id: 6001n, charged_tx_fee: 600n }),
  ...[
    [5, 1_200_000],
    [45, 2_400_000],
  ].map(([seconds, centEquiv]) => ({
    table: 'file_data',
    row: { consensus_timestamp: at(seconds!), entity_id: 112n, transaction_type: 19n, file_data: rates(centEquiv!) },
  })),
  ...transaction(46, {}),
  ...transaction(30, { type: 7n, result: 33n, entity_id: 7001n }),
  result(30, { transaction_result: 33n, error_message: `0x${reverted.toString('hex')}` }),
  // Of a contract that nobody checked, and of the token service.
  ...transaction(35, { type: 7n, entity_id: 7009n, transaction_bytes: calling(usualCall) }),
  result(35, { contract_id: 7009n, function_parameters: usualCall, call_result: word(1n) }),
  log(0, {
    consensus_timestamp: at(35),
    contract_id: 7009n,
    topic0: topicOf('Transfer(address,address,uint256)'),
    topic2: word(9n),
  }),
  action(0, 0n, { consensus_timestamp: at(35), recipient_contract: 7009n, input: usualCall }),
  action(1, 1n, { consensus_timestamp: at(35), recipient_contract: 0x167n, input: mintCall }),
  action(2, 1n, { consensus_timestamp: at(35), call_operation_type: 5n, recipient_contract: 7009n, input: usualCall }),
  ...transaction(36, { type: 7n, result: 33n, entity_id: 7009n, transaction_bytes: calling(Buffer.alloc(3)) }),
  result(36, {
    contract_id: 7009n,
    transaction_result: 33n,
    error_message: `0x${selectorText('OwnableUnauthorizedAccount(address)')}${word(1001n).toString('hex')}`,
  }),
  ...transaction(40, {
    type: 999n,
    result: 9999n,
    memo: Buffer.of(0xff, 0xfe),
    transaction_bytes: Buffer.alloc(5000, 0xff),
  }),
];
// The second has the id of the first.
const child = rows.find(({ table, row }) => table === 'transaction' && (row as { nonce?: bigint }).nonce === 1n)!;

/** Everything at once, and more of it than a page shows. */
const hugeTokens = Array.from({ length: 9 }, (_, at) => 8000n + BigInt(at));
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const wide = '<\u202e'.repeat(400);
const wideBytes = BigInt(Buffer.byteLength(wide));
const said = abi.events[1]!;
const atHuge = (table: string, row: object) => ({
  table,
  row: { consensus_timestamp: at(50), payer_account_id: 1001n, ...row },
});
const huge = [
  ...transaction(50, {
    type: 7n,
    entity_id: 7001n,
    memo: Buffer.from(wide),
    transaction_bytes: proto.Transaction.encode({
      bodyBytes: proto.TransactionBody.encode({
        memo: wide,
        tokenMint: { metadata: many(300, () => Buffer.alloc(300, 1)) },
      }).finish(),
      sigMap: { sigPair: many(90, () => ({ pubKeyPrefix: Buffer.alloc(33, 2), ed25519: Buffer.alloc(64, 3) })) },
    }).finish(),
    nft_transfer: JSON.stringify(
      many(80, (at) => ({
        is_approval: true,
        receiver_account_id: 1002 + at,
        sender_account_id: 1001 + at,
        serial_number: at,
        token_id: 8000 + (at % 9),
      })),
    ),
  }),
  ...hugeTokens.flatMap((token_id) => [
    {
      table: 'entity',
      row: { id: token_id, num: token_id, shard: 0n, realm: 0n, type: 'TOKEN', timestamp_range: `[${at(0)},)` },
    },
    token({ token_id, name: wide, symbol: wide, decimals: 3n }),
  ]),
  ...hugeTokens.flatMap((token_id) =>
    many(12, (place) =>
      atHuge('token_transfer', {
        token_id,
        account_id: 1001n + BigInt(place),
        amount: BigInt(place % 2 === 0 ? -place : place) * 1_000_000_000n,
        is_approval: true,
      }),
    ),
  ),
  ...many(40, (place) =>
    atHuge('crypto_transfer', { entity_id: 1001n + BigInt(place), amount: BigInt(place - 20), is_approval: false }),
  ),
  ...many(40, (place) =>
    atHuge('assessed_custom_fee', {
      collector_account_id: 1001n + BigInt(place),
      amount: 5n,
      token_id: 8000n,
      effective_payer_account_ids: many(9, (at) => 2000n + BigInt(at)),
    }),
  ),
  ...many(
    40,
    (place) =>
      transaction(50, {
        consensus_timestamp: at(50) + BigInt(place + 1),
        nonce: BigInt(place + 1),
        parent_consensus_timestamp: at(50),
      })[0]!,
  ),
  result(50, {
    call_result: Buffer.alloc(9000, 5),
    function_parameters: Buffer.concat([input.subarray(0, 68), word(wideBytes), Buffer.from(wide), Buffer.alloc(9000)]),
  }),
  ...many(40, (place) =>
    log(place, {
      consensus_timestamp: at(50),
      topic0: Buffer.from(said.topic, 'hex'),
      ...{ topic1: word(1n << 255n), topic2: word(1n << 254n), topic3: word(1n << 253n) },
      data: Buffer.concat([word(32n), word(wideBytes), Buffer.from(wide), Buffer.alloc(900)]),
    }),
  ),
  ...many(40, (place) =>
    action(place, BigInt(place), {
      consensus_timestamp: at(50),
      input: Buffer.alloc(3000, 8),
      result_data: Buffer.alloc(3000, 9),
    }),
  ),
  ...many(40, (place) =>
    atHuge('contract_state_change', {
      contract_id: 7001n,
      slot: word(BigInt(place) << 240n),
      value_read: word(1n << 255n),
      value_written: word(1n << 254n),
    }),
  ),
];

let stored: StoredRows;
let app: FastifyInstance;
beforeAll(async () => {
  stored = await storeRows(
    [...rows, ...huge].map((entry) =>
      entry === child ? { ...entry, row: { ...entry.row, valid_start_ns: at(-3) } } : entry,
    ),
  );
  app = openServer(stored.db, 'spec', { abis });
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

async function visit(path: string, status = 200): Promise<string> {
  const { statusCode, body, headers } = await app.inject(`/demo${path}`);
  expect(`${statusCode} ${path}`).toBe(`${status} ${path}`);
  expect(headers['content-type']).toContain('text/html');
  expect(body).not.toMatch(/<script>alert|\u202e| style=|undefined|NaN|\[object/);
  expect(Buffer.byteLength(body)).toBeLessThan(80_000);
  return body;
}

describe('names', () => {
  const id = '0.0.1001-1699999996-000000000';
  it.each([
    ['a consensus time', `/transaction/${time(1)}`],
    ['the same with a shorter fraction', '/transaction/1700000001.0'],
    ['an id', `/transaction/${id}`],
    ['an id as SDKs write it', '/transaction/0.0.1001@1699999996.000000000'],
    ['a hash in hex', `/transaction/0x${hashOf(1).toString('hex')}`],
    ['a hash in base64', `/transaction/${encodeURIComponent(hashOf(1).toString('base64').replaceAll('/', '_'))}`],
    ['the other path', `/tx/${time(1)}`],
    ['a link of another explorer', `/transaction/${time(1)}?tid=${id}`],
  ])('%s', async (_, path) => {
    expect(await visit(path)).toContain(`<title>Crypto transfer ${id}`);
  });

  it('the hash of a contract result', async () => {
    expect(await visit(`/transaction/0x${'ee'.repeat(32)}`)).toContain('<title>Contract call 0.0.1001-1699999997-');
  });

  it.each([
    [`/transaction/${time(59)}`, 404],
    ['/transaction/9999999999.999999999', 404],
    ['/transaction/0.0.1001-1-1', 404],
    [`/transaction/0x${'aa'.repeat(48)}`, 404],
    ['/transaction/nonsense', 400],
    ['/transaction/%3Cscript%3Ealert(1)', 400],
    [`/transaction/${time(2)}?logs=x`, 400],
    [`/transaction/${time(2)}?calls=-1`, 400],
    ['/transactionsById/0.0.1001-1-1', 404],
  ])('%s is %i', async (path, status) => {
    await visit(path, status);
  });

  it('several with one id are all shown', async () => {
    for (const path of ['transaction', 'transactionsById']) {
      const body = await visit(`/${path}/0.0.1001-1700000005-000000000`);
      expect(body).toContain('Transactions with this id');
      expect(body).toMatch(/Schedule create<\/a>.*<ul><li><a[^>]*>Crypto transfer<\/a>.*scheduled execution/s);
    }
  });
});

it.each([
  [
    22,
    '0.0.1001 tried to run a batch of 2 transactions: 1 × crypto transfer, 1 × token mint. It failed: inner transaction failed. The token mint inside failed: insufficient token balance. What one of them had done was undone.',
  ],
  [10, '0.0.1001 scheduled a transaction as 0.0.6001: crypto transfer. It was executed at 2023-11-14 22:13:31.'],
  [11, '0.0.1001 made a transfer. It had been scheduled at 2023-11-14 22:13:30.'],
  [12, '0.0.1001 signed the schedule 0.0.6001: crypto transfer. It was executed at 2023-11-14 22:13:31.'],
])('the transaction at %i says first what it did', async (seconds, sentence) => {
  expect(plain(await visit(`/transaction/${time(seconds)}`))).toContain(sentence);
});

// 100 tinybar at 12,000 and 24,000 dollars an hbar.
it.each([
  ['before the first rate', 1, 'Fee 0.000001 ℏ ($0.024 now) of at most 0.000005 ℏ'],
  ['by the rate of then', 20, 'Fee 0.000001 ℏ ($0.012 then, $0.024 now) of at most 0.000005 ℏ'],
  ['by a rate that has not changed since', 46, 'Fee 0.000001 ℏ ($0.024) of at most 0.000005 ℏ'],
  [
    'more than the maximum',
    12,
    'Fee 0.000006 ℏ ($0.072 then, $0.144 now), more than the maximum of the transaction, 0.000005 ℏ',
  ],
])('a fee in dollars, %s', async (_, seconds, words) => {
  expect(plain(await visit(`/transaction/${time(seconds)}`))).toContain(words);
});

it('what was moved is told, drawn and listed', async () => {
  const body = await visit(`/transaction/${time(1)}`);
  expect(plain(body)).toContain('0.0.1001 sent 0.00001 ℏ ($0.24 now), 5 </dd><script>alert(');
  expect(plain(body)).toMatch(/Hbar \(\$0\.24 now\) 0\.0\.1001 0\.00001 ℏ 0\.0\.1002 0\.00001 ℏ/);
  expect(plain(body)).toContain('Who got the fee 0.0000001 ℏ to 0.0.3 the node 0.0000009 ℏ to 0.0.98 network fees');
  // Once as a fact, and nowhere as a picture.
  expect(plain(body).match(/0\.000001 ℏ/g)).toHaveLength(1);
  expect(body).toContain('href="/demo/token/0.0.5001/4">#4</a>');
  expect(body).toContain('by allowance');
  expect(body.match(/id="custom-fees".*?<\/section>/s)![0]).toMatch(/0\.25 .*0\.0\.1009/s);
  expect(body).toContain('/demo/block/9');
  expect(body).toContain('/api/v1/transactions/0.0.1001-1699999996-000000000?nonce=0&#38;scheduled=false');
  expect(body).toContain('/proof?of=0.0.1001-1699999996-000000000');
});

it('bytes that are kept are shown as a tree, with who signed', async () => {
  const body = plain(await visit(`/transaction/${time(1)}`));
  expect(body).toMatch(/transaction fee 0\.000005 ℏ/);
  expect(body).toMatch(/account ID 0\.0\.1002, amount 1,000/);
  expect(body).toMatch(/0xcafe ED25519 0x5a5a/);
});

it('a call is read with the ABI of its contract', async () => {
  const body = await visit(`/transaction/${time(2)}`);
  const text = plain(body);
  expect(text).toContain('called the contract 0.0.7001 (give(address,string))');
  expect(text).toMatch(/to address 0x0{36}1234 0\.0\.4660 note string <\/dd><script>alert/);
  expect(text).toContain('left uint256 12,345');
  expect(text).toContain('#0 of 0.0.7001 Given(address,uint256)');
  expect(text).toContain('1 to 5 of 12');
  expect(text).toMatch(/72,000 of 90,000 80 %/);
  expect(text).toMatch(/static call|call 0\.0\.1001 → 0\.0\.7002 0xdeadbeef/);
  expect(text).toMatch(/reverted Data .*It said: <\/dd>/);
  expect(body).toContain(`/api/v1/contracts/0.0.7001/results/${time(2)}`);
  const later = plain(await visit(`/transaction/${time(2)}?logs=10`));
  expect(later).toContain('#11 of 0.0.7001');
  expect(later).not.toContain('#5 of 0.0.7001');
  expect(plain(await visit(`/transaction/${time(2)}?calls=8`))).toContain('There are no further calls.');
});

it('a call of an unchecked contract is read by usual names, which says so', async () => {
  const body = await visit(`/transaction/${time(35)}`);
  const text = plain(body);
  expect(text).toContain('called the contract 0.0.7009 (transfer(address,uint256) by its name only).');
  expect(text).toMatch(
    /Input transfer\(address,uint256\) by its name only to address 0x0{36}1234 .*value uint256 7,000/,
  );
  expect(text).toMatch(/Output .*bool true/);
  expect(text).toContain('#0 of 0.0.7009 Transfer(address,address,uint256) by its name only');
  expect(text).toMatch(/0\.0\.359 mintToken\(address,int64,bytes\[\]\) 8 gas/);
  expect(text).not.toContain('No checked source');
  expect(text.match(/transfer\(address,uint256\) by its name only/g)).toHaveLength(3);
  const failed = plain(await visit(`/transaction/${time(36)}`));
  expect(failed).toMatch(/Why it failed OwnableUnauthorizedAccount\(address\) by its name only account address/);
});

it('a list names the function of a call whose bytes are kept', async () => {
  const body = plain(await visit(`/transactions?timestamp=gte:${time(30)}&timestamp=lt:${time(40)}`));
  expect(body.match(/by its name only/g)).toHaveLength(1);
  expect(body).toMatch(/Contract call transfer by its name only/);
});

it('labels are text beside ids, and links at the head of a page', async () => {
  const label: Label = {
    ...{ name: hostile, url: 'https://example.org/"><script>alert(1)', icon: 'https://example.org/i.svg', logo: null },
  };
  const logo: Label['logo'] = {
    fileName: 'a1.png',
    bytes: Buffer.from([0x89, 0x50, 0, 255]),
    contentType: 'image/png',
  };
  const labelled = openServer(stored.db, 'spec', {
    abis,
    labels: new Map<bigint, Label>([
      [1001n, label],
      [1010n, { ...label, logo }],
      [7001n, { ...label, url: null, icon: null }],
    ]),
  });
  try {
    const shown = async (path: string) => (await labelled.inject(`/demo${path}`)).body;
    const body = await shown(`/transaction/${time(2)}`);
    expect(body).not.toMatch(/<script>alert|\u202e|<img src="https:/);
    expect(plain(body)).toContain('0.0.1001 </dd><script>alert("x")</script>');
    expect(body).toMatch(/0\.0\.7001<\/a> <span class="label"><bdi>&#60;\/dd/);
    const account = await shown('/account/0.0.1010');
    expect(plain(account)).toMatch(
      /Account 0\.0\.1010 Called <\/dd>.* by those who run this mirror\. Its site: https:/,
    );
    expect(account).not.toMatch(/<script>alert|src="https:/);
    const [, path] = /<p class="lead"><img class="logo" src="([^"]+)" alt="" loading="lazy">Called/.exec(account)!;
    const picture = await labelled.inject(path!);
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png']);
    expect(gunzipSync(picture.rawPayload)).toEqual(logo.bytes);
    expect((await labelled.inject('/assets/logos/other.png')).statusCode).toBe(404);
    expect(account).toMatch(/<a href="https:\/\/example\.org\/i\.svg" rel="noopener noreferrer nofollow ugc">/);
  } finally {
    await labelled.close();
  }
});

it('a call that failed says why', async () => {
  const text = plain(await visit(`/transaction/${time(30)}`));
  expect(text).toContain(
    'tried to call the contract 0.0.7001 (give(address,string)). It failed: contract revert executed.',
  );
  expect(text).toContain('Why it failed It said: </dd><script>');
});

it('a child is below its parent, and what is in a batch below the batch', async () => {
  const parent = await visit(`/transaction/${time(2)}`);
  expect(plain(parent)).toMatch(
    /Transactions that belong together Contract call this one Success 0\.0\.7001 .* Contract call Success 0\.0\.7001/,
  );
  expect(parent).toContain(`href="/demo/transaction/${time(3)}"`);
  const inner = await visit(`/transaction/${time(21)}`);
  expect(inner).toMatch(
    new RegExp(
      `<ul class="values"[^>]*><li><a href="/demo/transaction/${time(20)}">Atomic batch</a>.*<ul><li><span aria-current="true">Crypto transfer`,
      's',
    ),
  );
  expect(plain(await visit(`/transaction/${time(20)}`))).toContain(
    'ran a batch of 1 transaction: 1 × crypto transfer. All of them succeeded.',
  );
});

it('a transaction with too much of everything is still a page', async () => {
  const body = await visit(`/transaction/${time(50)}`);
  const text = plain(body);
  for (const part of [
    'left out here',
    '1 to 5 of 40',
    'Said(uint256,uint256,uint256,string)',
    'Next calls',
    'others',
    'more are in the tables',
  ]) {
    expect(text).toContain(part);
  }
});

it('what nobody knows is shown as it is', async () => {
  const text = plain(await visit(`/transaction/${time(40)}`));
  expect(text).toContain('Unknown type 999');
  expect(text).toContain('Memo 0xfffe');
  expect(text).toContain('These bytes are no transaction that can be read.');
});

/** The text that readers see. */
function plain(body: string): string {
  return shownText(body)
    .replace(/ (?=[,.)]|: )/g, '')
    .replaceAll('( ', '(');
}
