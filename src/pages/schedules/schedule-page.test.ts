// The page of one schedule: what is in it, who signed, and what became of it in each case.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proto, toLong } from '../../../packages/protocol/hapi/hapi.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const second = 1_000_000_000n;
const start = 1_700_000_000n * second;
const now = start + 86_400n * second;
const hostile = '<script>alert(1)</script>\u202e';

const body = proto.SchedulableTransactionBody.encode({
  memo: hostile,
  tokenMint: { token: { tokenNum: toLong(5000n) }, amount: toLong(12_345n) },
}).finish();

const schedule = (schedule_id: bigint, unusual: object = {}, entity: object = {}) => [
  {
    table: 'schedule',
    row: {
      schedule_id,
      consensus_timestamp: start + schedule_id,
      creator_account_id: 1001n,
      payer_account_id: 1002n,
      transaction_body: body,
      ...unusual,
    },
  },
  {
    table: 'entity',
    row: {
      id: schedule_id,
      num: schedule_id,
      shard: 0n,
      realm: 0n,
      memo: hostile,
      type: 'SCHEDULE',
      timestamp_range: `[${start},)`,
      ...entity,
    },
  },
];
const transaction = (consensus_timestamp: bigint, result: bigint, scheduled: boolean) => ({
  table: 'transaction',
  row: { consensus_timestamp, valid_start_ns: start, payer_account_id: 1001n, type: 42n, result, scheduled },
});
const signatures = Array.from({ length: 30 }, (_, at) => ({
  table: 'transaction_signature',
  row: {
    consensus_timestamp: start + BigInt(at),
    entity_id: 1n,
    public_key_prefix: Buffer.of(0xab, at),
    signature: Buffer.alloc(64, at),
    type: 3n,
  },
}));

let stored: StoredRows;
let app: FastifyInstance;
beforeAll(async () => {
  const key = proto.Key.encode({ ed25519: Buffer.alloc(32, 7) }).finish();
  stored = await storeRows([
    ...schedule(1n, { executed_timestamp: start + 500n }, { key }),
    ...schedule(2n, {}, { deleted: true }),
    ...schedule(3n),
    ...schedule(4n, { expiration_time: now + second, wait_for_expiry: true }),
    ...schedule(5n, { transaction_body: Buffer.alloc(3000, 0xff) }),
    ...[transaction(start + 1n, 22n, false), transaction(start + 500n, 9n, true)],
    ...signatures,
  ]);
  app = openServer(stored.db, 'spec', { settings: { clock: () => now } });
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

async function visit(path: string, status = 200): Promise<string> {
  const { statusCode, body: text } = await app.inject(`/demo/schedule/${path}`);
  expect(statusCode).toBe(status);
  expect(text).not.toMatch(/<script>alert|\u202e| style=|undefined|NaN/);
  expect(text.length).toBeLessThan(80_000);
  return text;
}

it.each([
  ['0.0.1', 'Executed', 'It was executed at'],
  ['2', 'Deleted', 'It was deleted before it was executed.'],
  ['0.0.3', 'Expired', 'without being executed.'],
  ['0.0.4', 'Pending', 'It waits for signatures until'],
])('%s is %s', async (id, word, sentence) => {
  const text = await visit(id);
  expect(text).toContain(`">${word}</span></h1>`);
  expect(text).toContain(sentence);
  expect(text).toContain('scheduled a transaction: token mint.');
});

it('its content, its key, its transactions and its signatures', async () => {
  const text = await visit('0.0.1');
  for (const part of [
    '<a href="/demo/token/0.0.5000">0.0.5000</a>',
    '12,345',
    '07'.repeat(32),
    `href="/demo/transaction/1700000000.000000500"`,
    'Insufficient tx fee',
    '/api/v1/schedules/0.0.1',
    '/proof?of=0.0.1001-1700000000-000000000',
    '1 to 25 of 30',
  ]) {
    expect(text).toContain(part);
  }
  expect(await visit('0.0.1?signatures=25')).toContain('0xab1d');
});

it('bytes that are no body are shown as bytes', async () => {
  expect(await visit('0.0.5')).toContain('These bytes are no transaction that can be read.');
});

it.each([
  ['0.0.99', 404],
  ['x', 400],
  ['0.0.1?signatures=-1', 400],
])('%s is %i', async (path, status) => {
  await visit(path, status);
});
