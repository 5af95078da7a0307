// Transactions in lists and by name over HTTP: what is found, how long it may be kept, what is refused and in which
// order.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import type { DialectName } from '../../api/frame/asked-dialect.ts';
import type { HttpSettings } from '../../api/frame/http-settings.ts';

const start = 1_700_000_000_000_000_000n;
const second = 1_000_000_000n;
const day = 86_400n * second;
const now = start + 100n * day;
const ethereumHash = Buffer.alloc(32, 0xee);

const hashOf = (at: bigint) => Buffer.alloc(48, Number(at / second) % 256);

/** Consensus time in seconds after the start, and what is unusual. */
function toRows(at: bigint, unusual: object = {}) {
  const row = {
    consensus_timestamp: start + at,
    valid_start_ns: start + at - second,
    payer_account_id: 1001n,
    node_account_id: 3n,
    type: 14n,
    result: 22n,
    nonce: 0n,
    scheduled: false,
    transaction_hash: hashOf(at),
    ...unusual,
  };
  const { consensus_timestamp, payer_account_id } = row;
  const hash = {
    consensus_timestamp,
    payer_account_id,
    hash: row.transaction_hash.subarray(0, 32),
    hash_suffix: row.transaction_hash.subarray(32),
  };
  return [
    { table: 'transaction', row },
    { table: 'transaction_hash', row: hash },
  ];
}

const transfer = (at: bigint, entity_id: bigint, amount: bigint) => ({
  table: 'crypto_transfer',
  row: { consensus_timestamp: start + at, payer_account_id: 1001n, entity_id, amount, is_approval: false },
});
const fee = (collector_account_id: bigint, amount: bigint, token_id: bigint | null) => ({
  table: 'assessed_custom_fee',
  row: {
    consensus_timestamp: start + second,
    payer_account_id: 1001n,
    collector_account_id,
    amount,
    token_id,
    effective_payer_account_ids: [1001n],
  },
});

const scheduling = { type: 42n, valid_start_ns: start + 10n * second };
const early = {
  transaction_hash: Buffer.alloc(48, 0xdd),
  type: 42n,
  valid_start_ns: start - 80n * day,
  payer_account_id: 1003n,
};
const rows = [
  // At second 1 a transfer with a child, and fees.
  ...toRows(second, { valid_start_ns: start }),
  ...toRows(second + 1n, { valid_start_ns: start, nonce: 1n, parent_consensus_timestamp: start + second }),
  transfer(second, 1001n, -5n),
  transfer(second, 98n, 2n),
  transfer(second, 1002n, 3n),
  fee(1005n, 2n, null),
  fee(1004n, 9n, 7n),
  fee(1004n, 1n, 7n),
  // A failure of another payer, and what moved tokens to 1002.
  ...toRows(3n * second, { payer_account_id: 1002n, result: 10n }),
  ...toRows(4n * second, { type: 37n }),
  {
    table: 'token_transfer',
    row: {
      consensus_timestamp: start + 4n * second,
      payer_account_id: 1001n,
      token_id: 7n,
      account_id: 1002n,
      amount: -4n,
    },
  },
  // Scheduled at second 11, carried out 30 days later; scheduled at second 21, and not yet; scheduled long ago.
  ...toRows(11n * second, scheduling),
  ...toRows(30n * day, { ...scheduling, type: 14n, scheduled: true }),
  ...toRows(21n * second, { type: 42n }),
  ...toRows(99n * day, { type: 42n, payer_account_id: 1004n }),
  ...toRows(-80n * day + second, early),
  // A batch with two transactions inside, one of which failed.
  ...toRows(40n * second, {
    type: 74n,
    inner_transactions: [1002n, start + 38n * second, 1003n, start + 37n * second],
  }),
  ...toRows(40n * second + 1n, {
    payer_account_id: 1002n,
    valid_start_ns: start + 38n * second,
    batch_key: Buffer.alloc(1),
  }),
  ...toRows(40n * second + 2n, { payer_account_id: 1003n, valid_start_ns: start + 37n * second, result: 10n }),
  // An Ethereum transaction.
  ...toRows(50n * second, { type: 50n }),
  {
    table: 'contract_transaction_hash',
    row: {
      consensus_timestamp: start + 50n * second,
      entity_id: 1010n,
      payer_account_id: 1001n,
      hash: ethereumHash,
      transaction_result: 22n,
    },
  },
];

let stored: StoredRows;
const servers: FastifyInstance[] = [];

function serve(dialect: DialectName, more: Partial<HttpSettings> = {}) {
  const settings = { ...defaultHttpSettings, clock: () => now, ...more };
  const server = openServer(stored.db, dialect, { settings });
  servers.push(server);
  return server;
}

let app: FastifyInstance;
beforeAll(async () => {
  stored = await storeRows(rows);
  app = serve('hiero');
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await stored?.close();
});

type Item = { consensus_timestamp: string; name: string } & Record<string, unknown>;
type Body = { transactions: Item[]; links?: { next: string | null } };
const path = '/api/v1/transactions';

/** Seconds after the start. */
const timesOf = ({ transactions }: Body) =>
  transactions.map((item) => Number(BigInt(item.consensus_timestamp.replace('.', '')) - start) / 1e9);

async function ask(url: string, server = app) {
  const { statusCode, headers, body } = await server.inject(url);
  return { status: statusCode, cache: headers['cache-control'], link: headers.link, body: JSON.parse(body) as Body };
}

describe('a list', () => {
  const since = `timestamp=gte:${start / second}&timestamp=lt:${start / second + 60n}&order=asc`;
  it.each([
    ['', [1, 1.000000001, 3, 4, 11, 21, 40, 40.000000001, 40.000000002, 50]],
    ['result=fail', [3, 40.000000002]],
    ['result=eq:FAIL&result=success&limit=2', [1, 1.000000001]],
    ['transactiontype=tokenmint&transactiontype=ATOMICBATCH', [4, 40]],
    ['transactiontype=cryptotransfer&result=fail', [3, 40.000000002]],
    ['account.id=1002', [1, 3, 4, 40.000000001]],
    ['account.id=0.0.1002&account.id=1003', [1, 3, 4, 40.000000001, 40.000000002]],
    ['account.id=0.0.1002&result=fail', [3]],
    ['account.id=98', [1]],
    ['account.id=98&account.id=1003&transactiontype=cryptotransfer', [1, 40.000000002]],
    ['account.id=gte:1002&account.id=lt:1003', [1, 3, 4, 40.000000001]],
    ['account.id=1002&account.id=ne:1002', []],
    ['account.id=1002&account.id=1003&account.id=gt:1002', [40.000000002]],
    [`account.id=0x${'ab'.repeat(20)}`, []],
    [`account.id=0x${'ab'.repeat(20)}&account.id=1003`, [40.000000002]],
    [`account.id=0x${1002n.toString(16).padStart(40, '0')}&type=CREDIT`, [1]],
    ['account.id=1002&type=debit', [4]],
    ['type=debit', [1, 4]],
    ['type=debit&transactiontype=TOKENMINT', [4]],
    ['type=debit&type=credit', []],
    ['timestamp=1700000001&timestamp=1700000003', []],
    ['timestamp=gt:1700000010&timestamp=lt:1700000010', []],
    ['timestamp=ne:1700000001&limit=1', [1.000000001]],
  ])('%s', async (query, times) => {
    const { body } = await ask(`${path}?${since}&${query}`);
    expect(timesOf(body)).toEqual(times);
  });

  it('is newest first, may be kept for two seconds, and leads on by time', async () => {
    const { body, cache, link } = await ask(`${path}?limit=2`);
    expect(body.transactions.map(({ name }) => name)).toEqual(['SCHEDULECREATE', 'CRYPTOTRANSFER']);
    expect(cache).toBe('public, max-age=2');
    const last = body.transactions[1]!.consensus_timestamp;
    expect(body.links!.next).toBe(`${path}?limit=2&timestamp=lt:${last}`);
    expect(link).toBe(`<${body.links!.next}>; rel="next"`);
    expect(body.transactions[0]).not.toHaveProperty('assessed_custom_fees');
  });

  it('takes percent-encoded lists of times', async () => {
    const { body } = await ask(`${path}?timestamp%5B%5D=gte%3A1700000003&timestamp%5B%5D=lte%3A1700000004`);
    expect(timesOf(body)).toEqual([4, 3]);
  });

  it('of bounded time is searched 60 days at once, and leads on where it was cut', async () => {
    const bound = serve('hiero', { bindTimestampRange: true });
    const { body } = await ask(`${path}?transactiontype=SCHEDULECREATE`, bound);
    expect(timesOf(body)).toEqual([99 * 86_400]);
    const cut = now - 60n * day + 1n;
    expect(body.links!.next).toBe(
      `${path}?transactiontype=SCHEDULECREATE&timestamp=lt:${cut / second}.${String(cut % second).padStart(9, '0')}`,
    );
    const next = await ask(body.links!.next!, bound);
    expect(timesOf(next.body)).toEqual([21, 11]);
  });

  it.each([
    [
      'timestamp=-1&account.id=0.0.x&type=good&foo=1&result=best&transactiontype=X',
      'Invalid parameter: timestamp; Invalid parameter: account.id; Invalid parameter: type; Invalid parameter: result; Invalid parameter: transactiontype; Unknown query parameter: foo',
    ],
    ['account.id=0.0.274877906944', 'Invalid entity ID "0.0.274877906944"'],
  ])('refuses %s', async (query, messages) => {
    expect(await refusalsOf(`${path}?${query}`)).toEqual([400, messages]);
  });
});

async function refusalsOf(url: string): Promise<[number, string]> {
  const { statusCode, body } = await app.inject(url);
  const { _status } = JSON.parse(body) as { _status: { messages: { message: string }[] } };
  return [statusCode, _status.messages.map(({ message }) => message).join('; ')];
}

describe('by name', () => {
  const first = '0.0.1001-1700000000-000000000';
  it.each([
    [first, [1, 1.000000001]],
    // A number of nanoseconds, not a fraction.
    ['0.0.1001-1700000000-0', [1, 1.000000001]],
    ['00.00.01001-1700000000-0', [1, 1.000000001]],
    [`${first}?nonce=1`, [1.000000001]],
    [`${first}?nonce=1&nonce=0&scheduled=false`, [1]],
    [hashOf(second).toString('hex'), [1, 1.000000001]],
    [
      `0x${hashOf(3n * second)
        .toString('hex')
        .toUpperCase()}`,
      [3],
    ],
    [hashOf(4n * second).toString('base64url'), [4]],
    [encodeURIComponent(hashOf(255n * second).toString('base64')), null],
    [`${hashOf(second).toString('hex')}?nonce=0`, [1]],
    [ethereumHash.toString('hex'), [50]],
    [`0x${ethereumHash.toString('hex').toUpperCase()}`, [50]],
    [`0x${'ab'.repeat(32)}`, null],
    [`${ethereumHash.toString('hex')}?nonce=1`, null],
    // Scheduled: what follows within 62 days belongs to it.
    ['0.0.1001-1700000010-0', [11, 30 * 86_400]],
    ['0.0.1001-1700000010-0?scheduled=true', [30 * 86_400]],
    ['0.0.1001-1700000010-0?scheduled=false', [11]],
    ['0.0.1001-1700000010-0?nonce=7&scheduled=true', null],
    // A batch, and behind it what is inside.
    ['0.0.1001-1700000039-0', [40, 40.000000001, 40.000000002]],
    ['0.0.1002-1700000038-0', [40.000000001]],
    ['0.0.1001-9223372036-854775807', null],
    ['0.0.1001-9223372036-854775808', null],
    ['0.0.1001-9223372036854775807-0', null],
    ['0.0.1001-0-0', null],
  ])('%s', async (name, times) => {
    const { status, body } = await ask(`${path}/${name}`);
    expect([status, times && timesOf(body)]).toEqual([times ? 200 : 404, times]);
    expect(body).not.toHaveProperty('links');
  });

  it.each([
    // Its execution may still follow.
    ['0.0.1004-1708553599-0', 'public, max-age=5'],
    ['0.0.1004-1708553599-0?scheduled=false', 'public, max-age=600'],
    [hashOf(99n * day).toString('hex'), 'public, max-age=600'],
    // Not any more, not without a new name, it has come.
    ['0.0.1003-1693088000-0', 'public, max-age=600'],
    ['0.0.1001-1700000020-0', 'public, max-age=600'],
    ['0.0.1001-1700000010-0', 'public, max-age=600'],
    [first, 'public, max-age=600'],
  ])('%s may be kept: %s', async (name, cache) => {
    expect((await ask(`${path}/${name}`)).cache).toBe(cache);
  });

  it('comes with the fees that were paid, first and in order', async () => {
    const [parent, child] = (await ask(`${path}/${first}`)).body.transactions;
    expect(Object.keys(parent!).slice(0, 2)).toEqual(['assessed_custom_fees', 'batch_key']);
    const payers = { effective_payer_account_ids: ['0.0.1001'] };
    expect(parent!.assessed_custom_fees).toEqual([
      { amount: 1, collector_account_id: '0.0.1004', token_id: '0.0.7', ...payers },
      { amount: 9, collector_account_id: '0.0.1004', token_id: '0.0.7', ...payers },
      { amount: 2, collector_account_id: '0.0.1005', token_id: null, ...payers },
    ]);
    expect(child).not.toHaveProperty('assessed_custom_fees');
  });

  const badId =
    'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds';
  it.each([
    [
      'x?foo=1&nonce=x&scheduled=1',
      'Invalid parameter: nonce; Invalid parameter: scheduled; Unknown query parameter: foo',
    ],
    [`${first}?nonce=2147483648`, 'Invalid parameter: nonce'],
    [`${first}?nonce=gt:1&scheduled=ne:true`, 'Invalid parameter: nonce; Invalid parameter: scheduled'],
    ['x', badId],
    ['0.0.1001@1700000000.000000000', badId],
    ['1001-1700000000-000000000', badId],
    ['0.0.1001-1700000000-0000000000', badId],
    ['0.0.1001-9223372036854775808-0', badId],
    [`0x${'ab'.repeat(30)}`, badId],
    [`0X${'ab'.repeat(32)}`, badId],
    ['0.0.274877906944-1700000000-000000000', 'Invalid entity ID "0.0.274877906944"'],
  ])('refuses %s', async (name, messages) => {
    expect(await refusalsOf(`${path}/${name}`)).toEqual([400, messages]);
  });

  it('is the same in the other dialect', async () => {
    const spec = serve('spec');
    const hash = ethereumHash.toString('hex');
    for (const name of [first, '0.0.1001-1700000039-0', hash, `0x${hash}`]) {
      expect(await ask(`${path}/${name}`, spec)).toEqual(await ask(`${path}/${name}`));
    }
  });
});
