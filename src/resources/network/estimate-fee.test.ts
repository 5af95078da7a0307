// What a transaction costs, by the schedule in file 0.0.113: prices that can be computed exactly, and refusals of all
// others.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { encodeFeeSchedule } from '../../../packages/simulated-network/formats/encode-fee-schedule.ts';
import { simpleFees } from '../../../packages/simulated-network/ledger/simple-fees.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { toLong } from '../../../packages/test-support/streams/stream-blocks.ts';

let stored: StoredRows;
const apps = {} as Record<'spec' | 'hiero', FastifyInstance>;
beforeAll(async () => {
  const file_data = Buffer.from(encodeFeeSchedule(simpleFees));
  const row = { entity_id: 113n, consensus_timestamp: 5n, transaction_type: 17, file_data };
  stored = await storeRows([{ table: 'file_data', row }]);
  for (const name of ['spec', 'hiero'] as const) {
    apps[name] = openServer(stored.db, name);
  }
});
afterAll(async () => {
  for (const app of Object.values(apps)) await app.close();
  await stored?.close();
});

function transactionOf(data: proto.ITransactionBody, signatureCount = 1): Buffer {
  const bodyBytes = proto.TransactionBody.encode(data).finish();
  const sigPair = Array.from({ length: signatureCount }, (_, byte) => ({ ed25519: Buffer.alloc(64, byte) }));
  const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes, sigMap: { sigPair } }).finish();
  return Buffer.from(proto.Transaction.encode({ signedTransactionBytes }).finish());
}

async function post(payload: Buffer, options: { name?: 'spec' | 'hiero'; query?: string; type?: string } = {}) {
  const { name = 'hiero', query = '', type = 'application/protobuf' } = options;
  const url = `/api/v1/network/fees${query}`;
  const answer = await apps[name].inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

const deletion: proto.ITransactionBody = { cryptoDelete: {} };
const key = { ed25519: Buffer.alloc(32, 7) };
const threeKeys = { keyList: { keys: [key, { thresholdKey: { keys: { keys: [key, key] } } }] } };
const transferTo = (...accountIDs: proto.IAccountID[]) => ({
  transfers: { accountAmounts: accountIDs.map((accountID) => ({ accountID, amount: toLong(0n) })) },
});
const account = (num: bigint) => ({ accountNum: toLong(num) });

type ChargedExtra = [name: string, count: number, charged: number];

// With one signature and few bytes, node and network cost 1 000 000.
it.each<[string, proto.ITransactionBody, service: number, ChargedExtra[]]>([
  ['a transfer between two', { cryptoTransfer: transferTo(account(3n), account(4n), account(3n)) }, 0, []],
  [
    'a transfer to two',
    { cryptoTransfer: transferTo(account(3n), account(4n), account(5n)) },
    1_000_000,
    [['ACCOUNTS', 3, 1]],
  ],
  [
    'an account with keys and hooks',
    { cryptoCreateAccount: { key: threeKeys, hookCreationDetails: [{}] } },
    499_000_000 + 2 * 100_000_000 + 10_000_000_000,
    [
      ['KEYS', 3, 2],
      ['HOOK_UPDATES', 1, 1],
    ],
  ],
  ['an account that is changed', { cryptoUpdateAccount: {} }, 1_200_000, []],
  ['a file', { fileCreate: { contents: Buffer.alloc(1001) } }, 500_000_000, [['STATE_BYTES', 1001, 1]]],
  [
    'a topic with keys',
    { consensusCreateTopic: { adminKey: key, submitKey: key } },
    99_000_000 + 2 * 100_000_000,
    [['KEYS', 2, 2]],
  ],
  [
    'a token with custom fees',
    { tokenCreation: { adminKey: key, supplyKey: key, customFees: [{}] } },
    9_999_000_000 + 100_000_000 + 10_000_000_000,
    [
      ['KEYS', 2, 1],
      ['TOKEN_CREATE_WITH_CUSTOM_FEE', 1, 1],
    ],
  ],
  ['new units of a token', { tokenMint: { amount: toLong(5n) } }, 9_000_000, []],
  [
    'two new NFTs',
    { tokenMint: { metadata: [Buffer.of(1), Buffer.of(2)] } },
    9_000_000 + 190_000_000 + 200_000_000,
    [
      ['TOKEN_MINT_NFT_BASE', 1, 1],
      ['TOKEN_MINT_NFT', 2, 1],
    ],
  ],
  [
    'two tokens that are associated',
    { tokenAssociate: { tokens: [{}, {}] } },
    499_000_000 + 500_000_000,
    [['TOKEN_ASSOCIATE', 2, 1]],
  ],
  [
    'a contract call that is scheduled',
    { scheduleCreate: { scheduledTransactionBody: { contractCall: {} } } },
    99_000_000 + 900_000_000,
    [['SCHEDULE_CREATE_CONTRACT_CALL_BASE', 1, 1]],
  ],
])('prices %s', async (_, data, service, charged) => {
  const { status, body } = await post(transactionOf(data));
  expect([status, body.total]).toEqual([200, 1_000_000 + service]);
  type Extra = { name: string; count: number; charged: number; fee_per_unit: number; subtotal: number };
  const extras = body.service.extras as Extra[];
  expect(extras.filter((item) => item.charged > 0).map((item) => [item.name, item.count, item.charged])).toEqual(
    charged,
  );
  for (const item of extras) expect(item.subtotal).toBe(item.charged * item.fee_per_unit);
});

describe.each(['spec', 'hiero'] as const)('%s', (name) => {
  it('adds up node, network and service', async () => {
    const payload = transactionOf(deletion, 3);
    const { status, body, headers } = await post(payload, { name });
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=1']);
    expect(body).toEqual({
      high_volume_multiplier: 1,
      network: { multiplier: 9, subtotal: 2_700_000 },
      node: {
        base: 100_000,
        extras: [
          {
            charged: 0,
            count: payload.length,
            fee_per_unit: 10_000,
            included: 1350,
            name: 'PROCESSING_BYTES',
            subtotal: 0,
          },
          { charged: 2, count: 3, fee_per_unit: 100_000, included: 1, name: 'SIGNATURES', subtotal: 200_000 },
        ],
      },
      service: { base: 49_000_000, extras: [] },
      total: 300_000 + 2_700_000 + 49_000_000,
    });
  });

  it('charges bytes beyond those included', async () => {
    const payload = transactionOf({ ...deletion, memo: 'x'.repeat(1400) });
    const { body } = await post(payload, { name, query: '?mode=state', type: 'application/x-protobuf; charset=x' });
    const node = 100_000 + (payload.length - 1350) * 10_000;
    expect([body.network.subtotal, body.total]).toEqual([9 * node, 10 * node + 49_000_000]);
  });

  it.each<[string, proto.ITransactionBody]>([
    ['CONTRACTCALL', { contractCall: {} }],
    ['CONSENSUSSUBMITMESSAGE', { consensusSubmitMessage: {} }],
    ['CRYPTOCREATEACCOUNT', { cryptoCreateAccount: { key: { contractID: { contractNum: toLong(5n) } } } }],
    ['CRYPTOTRANSFER', { cryptoTransfer: { tokenTransfers: [{}] } }],
    ['CRYPTOTRANSFER', { cryptoTransfer: transferTo({ alias: Buffer.of(1) }) }],
  ])('does not guess the price of %s', async (type, data) => {
    const { status, body } = await post(transactionOf(data), { name });
    const text = `The price of a transaction of the type ${type} cannot be computed exactly here`;
    const message = name === 'spec' ? { message: text } : { detail: text, message: 'Not Implemented' };
    expect([status, body]).toEqual([501, { _status: { messages: [message] } }]);
  });
});

const badRequests: [string, Buffer, object, number, string][] = [
  ['no body', Buffer.alloc(0), {}, 400, 'Failed to read request'],
  ['no transaction', Buffer.from([255]), {}, 400, 'Unable to parse transaction'],
  ['no body bytes', Buffer.from([0x1a, 0]), {}, 400, 'Transaction must contain body bytes or signed transaction bytes'],
  ['no type', transactionOf({ memo: 'x' }), {}, 400, 'Unknown transaction type'],
  ['mode', transactionOf(deletion), { query: '?mode=x' }, 400, "Failed to convert 'mode'"],
  [
    'throttle',
    transactionOf(deletion),
    { query: '?high_volume_throttle=10001' },
    400,
    'highVolumeThrottle must be less than or equal to 10000',
  ],
  [
    'type',
    transactionOf(deletion),
    { type: 'application/json' },
    415,
    "Content-Type 'application/json' is not supported",
  ],
  ['an empty type', transactionOf(deletion), { type: '' }, 415, "Content-Type '' is not supported"],
  ['size', Buffer.alloc(300_000), {}, 413, 'The body is larger than any transaction'],
];
it.each(badRequests)('refused: %s', async (_, payload, options, status, detail) => {
  const answer = await post(payload, options);
  expect([answer.status, answer.body._status.messages[0].detail]).toEqual([status, detail]);
});

it('other methods are still refused as such', async () => {
  const answer = await apps.hiero.inject({ method: 'PUT', url: '/api/v1/network/fees' });
  expect(answer.statusCode).toBe(405);
});
