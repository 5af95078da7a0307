// Messages of topics: one by number or time, and pages of them; what is refused, and in which order.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const start = 1_700_000_000_000_000_000n;
const transactionId = (id: object) => Buffer.from(proto.TransactionID.encode(id as proto.ITransactionID).finish());

/** Messages 1 to 5 of topic 0.0.7 at seconds 1 to 5, one of topic 0.0.8 at second 9. */
const rows = [
  { message: Buffer.from('héllo') },
  { message: Buffer.from([0xff, 0x41]), chunk_num: 1n, chunk_total: 2n, valid_start_timestamp: start },
  {
    chunk_num: 2n,
    chunk_total: 2n,
    initial_transaction_id: transactionId({ accountID: { accountNum: 9 }, nonce: 4, scheduled: true }),
  },
  { chunk_num: 1n, chunk_total: 1n, initial_transaction_id: Buffer.from('ff', 'hex'), payer_account_id: null },
  { payer_account_id: null, running_hash: null, running_hash_version: null },
  { topic_id: 8n, sequence_number: 1n, consensus_timestamp: start + 9_000_000_000n },
].map((row, index) => ({
  table: 'topic_message',
  row: {
    consensus_timestamp: start + BigInt(index + 1) * 1_000_000_000n,
    topic_id: 7n,
    sequence_number: BigInt(index + 1),
    message: Buffer.from('text'),
    payer_account_id: 3n,
    running_hash: Buffer.from('hash'),
    running_hash_version: 2n,
    ...row,
  },
}));
const submitted = { payer_account_id: 3n, valid_start_ns: start, type: 27n };
const transactions = [
  { ...submitted, consensus_timestamp: start + 1_000_000_000n, entity_id: 7n, result: 22n },
  { ...submitted, consensus_timestamp: start + 2_000_000_000n, entity_id: 7n, result: 10n },
  { ...submitted, consensus_timestamp: start + 3_000_000_000n, entity_id: 7n, result: 22n, type: 14n },
].map((row) => ({ table: 'transaction', row }));

let stored: StoredRows;
let app: FastifyInstance;
beforeAll(async () => {
  stored = await storeRows([...rows, ...transactions]);
  app = openServer(stored.db, 'hiero');
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

type Message = { sequence_number: number; message: string; payer_account_id: string | null } & Record<string, unknown>;
type Page = { messages: Message[]; links: { next: string | null } };

const topics = '/api/v1/topics';
const messages = `${topics}/7/messages`;

async function list(url: string): Promise<Page> {
  return (await app.inject(url)).json<Page>();
}

async function refusalsOf(url: string): Promise<[number, string]> {
  const { statusCode, body } = await app.inject(url);
  const { _status } = JSON.parse(body) as { _status: { messages: { message: string }[] } };
  return [statusCode, _status.messages.map(({ message }) => message).join('; ')];
}

describe('a page', () => {
  it.each([
    ['', [1, 2, 3, 4, 5]],
    ['order=desc', [5, 4, 3, 2, 1]],
    ['sequencenumber=gte:2&sequenceNumber=lt:4', [2, 3]],
    ['sequencenumber=ne:2&sequencenumber=ne:4', [1, 3, 5]],
    ['sequencenumber=2&sequencenumber=3', []],
    ['sequencenumber=gt:9223372036854775806', []],
    ['sequencenumber=gt:2&sequencenumber=lt:3', []],
    ['timestamp=gt:1700000002&timestamp=lte:1700000004', [3, 4]],
    ['timestamp=ne:1700000002&limit=2', [1, 3]],
    ['timestamp=1700000002', [2]],
    ['timestamp=gt:9999999999', []],
    ['sequencenumber=gte:2&timestamp=lt:1700000003&order=desc', [2]],
  ])('%s', async (query, numbers) => {
    const page = await list(`${messages}?${query}`);
    expect(page.messages.map((message) => message.sequence_number)).toEqual(numbers);
  });

  it.each(['asc', 'desc'])('leads to the next in order %s, by time', async (order) => {
    const seen: number[] = [];
    let url: string | null = `${messages}?sequencenumber=gt:1&limit=2&order=${order}`;
    while (url !== null) {
      const page: Page = await list(url);
      seen.push(...page.messages.map((message) => message.sequence_number));
      url = page.links.next;
    }
    expect(seen).toEqual(order === 'asc' ? [2, 3, 4, 5] : [5, 4, 3, 2]);
  });

  it('names the next page in body and header, after the time of the last message', async () => {
    const { headers, body } = await app.inject(`${messages}?limit=1&sequencenumber=gte:2`);
    const next = '/api/v1/topics/7/messages?limit=1&sequencenumber=gte:2&timestamp=gt:1700000002.000000000';
    expect((JSON.parse(body) as Page).links.next).toBe(next);
    expect(headers).toMatchObject({ link: `<${next}>; rel="next"`, 'cache-control': 'public, max-age=1' });
  });

  it('of a topic that was never created is empty', async () => {
    expect(await list(`${topics}/0.0.99/messages`)).toEqual({ messages: [], links: { next: null } });
  });

  it.each([
    ['encoding=utf-8', ['héllo', '\ufffdA']],
    ['encoding=UTF8', ['héllo', '\ufffdA']],
    ['encoding=base64', ['aMOpbGxv', '/0E=']],
    ['encoding=eq:utf-8', ['aMOpbGxv', '/0E=']],
    ['encoding=base64&encoding=utf8', ['héllo', '\ufffdA']],
  ])('shows messages by %s', async (query, texts) => {
    const page = await list(`${messages}?limit=2&${query}`);
    expect(page.messages.map(({ message }) => message)).toEqual(texts);
  });
});

describe('a message', () => {
  const first = {
    chunk_info: null,
    consensus_timestamp: '1700000001.000000000',
    message: 'aMOpbGxv',
    payer_account_id: '0.0.3',
    running_hash: 'aGFzaA==',
    running_hash_version: 2,
    sequence_number: 1,
    topic_id: '0.0.7',
  };

  it('is found by its number and by its time, and kept for long', async () => {
    for (const url of [`${messages}/1`, `${topics}/0.0.7/messages/01`, `${topics}/messages/1700000001`]) {
      const answer = await app.inject(url);
      expect([url, answer.json<object>()]).toEqual([url, first]);
      expect(Object.keys(answer.json<object>())).toEqual(Object.keys(first));
      expect(answer.headers['cache-control']).toBe('public, max-age=600');
    }
  });

  it.each([
    [2, { account_id: '0.0.3', nonce: null, scheduled: null, transaction_valid_start: '1700000000.000000000' }],
    [3, { account_id: '0.0.9', nonce: 4, scheduled: true, transaction_valid_start: null }],
    [4, { account_id: null, nonce: null, scheduled: null, transaction_valid_start: null }],
  ])('%i says which transaction the first part came with', async (number, expected) => {
    const { chunk_info } = (await app.inject(`${messages}/${number}`)).json<{ chunk_info: object }>();
    expect(chunk_info).toMatchObject({ initial_transaction_id: expected });
  });

  it('without payer, hash and version has null, null and 3', async () => {
    const message = (await app.inject(`${messages}/5`)).json<object>();
    expect(message).toMatchObject({ payer_account_id: null, running_hash: null, running_hash_version: 3 });
  });
});

it.each([
  // The path before the query, but whether an entity can have the number after it.
  [`${topics}/x/messages?limit=0`, [400, 'Invalid parameter: topic.id']],
  [`${topics}/0x7/messages`, [400, 'Invalid parameter: topic.id']],
  [`${topics}/${'0'.repeat(39)}7/messages`, [400, 'Invalid parameter: topic.id']],
  [`${topics}/0.0.274877906944/messages?limit=0`, [400, 'Invalid parameter: limit']],
  [`${topics}/0.0.274877906944/messages`, [400, 'Invalid entity ID "0.0.274877906944"']],
  [`${topics}/-5/messages`, [400, 'Invalid entity ID "0.0.-5"']],
  [
    `${messages}?encoding=hex&sequencenumber=0&timestamp=x&_=1`,
    [
      400,
      'Invalid parameter: encoding; Invalid parameter: sequencenumber; Invalid parameter: timestamp; Unknown query parameter: _',
    ],
  ],
  // Without parameters: the query first, then all of the path.
  [`${topics}/x/messages/0?limit=1`, [400, 'Unknown query parameter: limit']],
  [`${topics}/x/messages/0`, [400, 'Invalid parameter: topic.id; Invalid parameter: sequencenumber']],
  [`${topics}/7/messages/9223372036854775808`, [400, 'Invalid parameter: sequencenumber']],
  [`${topics}/0.0.274877906944/messages/1`, [400, 'Invalid entity ID "0.0.274877906944"']],
  [`${messages}/6`, [404, 'Not found']],
  [`${topics}/messages/x?order=asc`, [400, 'Unknown query parameter: order']],
  [`${topics}/messages/1700000001.0000000001`, [400, 'Invalid parameter: consensus_timestamp']],
  [`${topics}/messages/9999999999.999999999`, [404, 'Not found']],
  // Failed, and no submission at all.
  [`${topics}/messages/1700000002`, [404, 'Not found']],
  [`${topics}/messages/1700000003`, [404, 'Not found']],
])('%s', async (url, expected) => {
  expect(await refusalsOf(url)).toEqual(expected);
});
