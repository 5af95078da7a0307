// Answers from the cache are, to the byte, those of a server without one, and cost no query.

import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import type { BlockState } from '../../packages/store/notify/block-watch.ts';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { loadRows } from '../../packages/test-support/rows/load-rows.ts';
import { toSetupRows } from '../../packages/test-support/rows/setup-rows.ts';
import type { JsonObject } from '../../packages/test-support/rows/spec-file.ts';
import type { DialectName } from '../api/frame/asked-dialect.ts';
import type { HttpSettings } from '../api/frame/http-settings.ts';

const start = 1_600_000_000_000_000_000n;
const second = 1_000_000_000n;
const users = [{ username: 'ann', password: 'secret', limit: 20 }];
const settings: HttpSettings = { ...defaultHttpSettings, users, clock: () => start + 100n * second };
const credentials = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

let scratch: ScratchDatabase;
let db: Database;
let queries = 0;
const state: BlockState = { turn: 0, epoch: 0, newestEnd: null, confirmedMs: Number.NEGATIVE_INFINITY };
const apps: FastifyInstance[] = [];
const ports: Record<string, number> = {};

beforeAll(async () => {
  scratch = await createScratchDatabase();
  const rows: JsonObject = {
    accounts: [
      { num: 1001n, balance: 7n, balance_timestamp: start, created_timestamp: start, memo: 'hi 👩\u200d🚀' },
      { num: 1002n, alias: 'KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ' },
    ],
    cryptotransfers: Array.from({ length: 30 }, (_, index) => ({
      consensus_timestamp: start + BigInt(index) * second,
      payerAccountId: '0.0.1001',
      recipientAccountId: '0.0.1002',
      nodeAccountId: '0.0.3',
      treasuryAccountId: '0.0.98',
      valid_start_timestamp: start + BigInt(index) * second - 1n,
    })),
    entities: [{ num: 3001n, type: 'TOKEN', memo: '' }],
    tokens: [{ token_id: '0.0.3001', created_timestamp: start, symbol: 'T', name: 'Token' }],
    topicmessages: [1n, 2n, 3n].map((number) => ({
      topic_id: 7001n,
      sequence_number: number,
      consensus_timestamp: start + number * second,
      message: 'hello',
      running_hash: 'ab',
      running_hash_version: 2,
    })),
    schedules: [
      { schedule_id: '0.0.4001', consensus_timestamp: start, executed_timestamp: start + 1n },
      { schedule_id: '0.0.4002', consensus_timestamp: start + 2n },
    ],
  };
  await loadRows(scratch.connectionString, toSetupRows(rows, { shard: 0n, realm: 0n }));
  db = openDatabase({
    ...scratch,
    // The end of a snapshot comes after the answer.
    onQuery(name) {
      if (!name.endsWith('-snapshot')) queries += 1;
    },
  });
  for (const dialect of ['spec', 'hiero'] as const) {
    ports[`${dialect} with`] = await startServer(dialect, true);
    ports[`${dialect} without`] = await startServer(dialect, false);
  }
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await db.close();
  await scratch.close();
});
beforeEach(() => {
  state.turn += 1;
});

async function startServer(dialect: DialectName, cached: boolean): Promise<number> {
  const cache = cached ? { maxBytes: 2 ** 24, blocks: state, clockReadings: () => 0 } : null;
  const app = openServer(db, dialect, { settings, cache });
  apps.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

type Sent = { path: string; method?: string; headers?: Record<string, string> };
type Received = { status: number; headers: string[]; body: string; queries: number };

/** All headers as they came, but the time of day. */
function send(port: number, { path, method = 'GET', headers = {} }: Sent): Promise<Received> {
  const before = queries;
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.rawHeaders.filter((_, index, all) => all[index - (index % 2)] !== 'Date'),
          body: Buffer.concat(chunks).toString('latin1'),
          queries: queries - before,
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const listed = '/api/v1/transactions?limit=5';
const kinds: readonly [string, Sent][] = [
  ['a point', { path: '/api/v1/accounts/0.0.1001?limit=2' }],
  ['text beyond ASCII, compressed', { path: '/api/v1/accounts/0.0.1001', headers: { 'accept-encoding': 'br' } }],
  ['a list with a link', { path: listed }],
  ['a head', { path: listed, method: 'HEAD' }],
  ['a list in gzip', { path: listed, headers: { 'accept-encoding': 'gzip' } }],
  ['a list in deflate', { path: listed, headers: { 'accept-encoding': 'gzip;q=0.1, deflate' } }],
  ['a body that the client has', { path: listed, headers: { 'if-none-match': '*' } }],
  [
    'a body that the client demands again',
    { path: listed, headers: { 'if-none-match': '*', 'cache-control': 'no-cache' } },
  ],
  ['another order of parameters', { path: '/api/v1/transactions?limit=2&order=asc' }],
  ['the same in the first order', { path: '/api/v1/transactions?order=asc&limit=2' }],
  ['an escaped path', { path: '/api/v1/accounts/0.0.%31001?limit=2' }],
  ['a path in capitals', { path: '/API/v1/Accounts/0.0.1001?limit=2' }],
  ['a cache time by the clock', { path: '/api/v1/schedules/0.0.4001' }],
  ['strong tags of Java', { path: '/api/v1/accounts/0.0.1001/rewards' }],
];
const refused: readonly [string, Sent][] = [
  ['wrong credentials', { path: listed, headers: credentials('ann:wrong') }],
  ['an unknown account', { path: '/api/v1/accounts/0.0.5' }],
  ['a bad parameter', { path: '/api/v1/transactions?limit=x' }],
];

/** Whether it is still answered from the cache after further blocks, where a block ended 25 s after the start. */
const pasts: readonly [string, boolean][] = [
  ['/api/v1/transactions?timestamp=lte:1600000024', true],
  ['/api/v1/transactions?timestamp=lte:1600000025', false],
  ['/api/v1/transactions?timestamp=1600000003', true],
  ['/api/v1/transactions?limit=3&order=asc', true],
  ['/api/v1/transactions?limit=28&order=asc', false],
  ['/api/v1/transactions?limit=3', false],
  ['/api/v1/transactions/0.0.1001-1600000002-999999999', false],
  ['/api/v1/tokens/0.0.3001?timestamp=1600000024', true],
  ['/api/v1/tokens/0.0.3001?timestamp=1600000026', false],
  ['/api/v1/tokens/0.0.3001', false],
  ['/api/v1/topics/0.0.7001/messages/2', true],
  ['/api/v1/topics/0.0.7001/messages?limit=2', true],
  ['/api/v1/topics/0.0.7001/messages?limit=3&timestamp=gte:1600000002', false],
  ['/api/v1/accounts/0.0.1001?timestamp=1600000002', false],
];

it.each(pasts)('%s is kept forever: %s', async (path, isKept) => {
  const port = ports['spec with']!;
  state.epoch += 1;
  state.newestEnd = start + 25n * second;
  const first = await send(port, { path });
  expect([first.status, first.queries > 0]).toEqual([200, true]);
  state.turn += 1;
  state.newestEnd += 10n * second;
  expect((await send(port, { path })).queries === 0).toBe(isKept);
  state.turn += 1;
  state.epoch += 1;
  expect((await send(port, { path })).queries).toBeGreaterThan(0);
});

it('a transaction is past when nothing can follow of it any more', async () => {
  const path = '/api/v1/transactions/0.0.1001-1600000002-999999999';
  state.epoch += 1;
  state.newestEnd = start + (3n + 35n * 60n) * second;
  await send(ports['spec with']!, { path });
  state.turn += 1;
  expect((await send(ports['spec with']!, { path })).queries).toBe(0);
});

describe.each(['spec', 'hiero'])('in the dialect %s', (dialect) => {
  it.each(kinds)('%s is answered from the cache as without one', async (_case, sent) => {
    const { queries: asked, ...expected } = await send(ports[`${dialect} without`]!, sent);
    expect(await send(ports[`${dialect} with`]!, sent)).toEqual({ ...expected, queries: asked });
    expect(await send(ports[`${dialect} with`]!, sent)).toEqual({ ...expected, queries: 0 });
    expect(expected.status).toBeLessThan(400);
    expect(asked).toBeGreaterThan(0);
  });

  it.each(refused)('%s is refused each time as without a cache', async (_case, sent) => {
    for (const [, good] of kinds) await send(ports[`${dialect} with`]!, good);
    const { queries: _, ...expected } = await send(ports[`${dialect} without`]!, sent);
    expect(await send(ports[`${dialect} with`]!, sent)).toMatchObject(expected);
    expect(await send(ports[`${dialect} with`]!, sent)).toMatchObject(expected);
    expect(expected.status).toBeGreaterThanOrEqual(400);
  });

  it('who may have other pages gets them', async () => {
    const path = '/api/v1/transactions?limit=25';
    const askers: Sent[] = [{ path }, { path, headers: credentials('ann:secret') }];
    for (const sent of [...askers, ...askers]) {
      const { queries: _, ...expected } = await send(ports[`${dialect} without`]!, sent);
      expect(await send(ports[`${dialect} with`]!, sent)).toMatchObject(expected);
    }
  });

  it('a new block makes every answer be asked again', async () => {
    const sent = { path: listed };
    await send(ports[`${dialect} with`]!, sent);
    state.turn += 1;
    const { queries } = await send(ports[`${dialect} without`]!, sent);
    expect(queries).not.toBe(0);
    expect((await send(ports[`${dialect} with`]!, sent)).queries).toBe(queries);
  });
});
