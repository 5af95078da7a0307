// Hooks of accounts and what their storage holds, in both dialects: in `hiero` as the mirror node's Java answers.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const dialects = ['spec', 'hiero'] as const;
let stored: StoredRows;
const apps = {} as Record<(typeof dialects)[number], FastifyInstance>;

const word = (byte: number) => Buffer.concat([Buffer.alloc(31), Buffer.of(byte)]);
const hexWord = (byte: number) => `0x${word(byte).toString('hex')}`;
const address = Buffer.alloc(20, 0xab);

beforeAll(async () => {
  const entity = (id: bigint, more: object) => ({
    table: 'entity',
    row: { id, num: id, shard: 0n, realm: 0n, type: 'ACCOUNT', memo: '', timestamp_range: '[1,)', ...more },
  });
  const hook = (hookId: bigint, more: object = {}) => ({
    table: 'hook',
    row: {
      ...{ owner_id: 1001n, hook_id: hookId, contract_id: 5000n, created_timestamp: 1_000_000_007n, deleted: false },
      ...{ timestamp_range: '[1000000007,)', ...more },
    },
  });
  const slot = (key: number, value: number, deleted = false) => ({
    table: 'hook_storage',
    row: {
      ...{ owner_id: 1001n, hook_id: 7n, key: word(key), deleted, created_timestamp: 5n },
      ...{ modified_timestamp: 30_000_000_000n, value: deleted ? Buffer.alloc(0) : Buffer.of(value) },
    },
  });
  const change = (key: number, seconds: bigint, written: Buffer | null) => ({
    table: 'hook_storage_change',
    row: {
      ...{ owner_id: 1001n, hook_id: 7n, key: word(key), consensus_timestamp: seconds * 1_000_000_000n + 5n },
      ...{ deleted: written?.length === 0, value_read: Buffer.of(1), value_written: written },
    },
  });
  stored = await storeRows([
    entity(1001n, { deleted: false, evm_address: address }),
    entity(1002n, { deleted: false, evm_address: Buffer.concat([Buffer.alloc(18), Buffer.of(3, 0xff)]) }),
    entity(1003n, { deleted: true, alias: Buffer.alloc(35, 7) }),
    hook(7n, { admin_key: Buffer.concat([Buffer.of(0x12, 32), word(9)]) }),
    hook(8n, { deleted: true, timestamp_range: '[1000000007,2000000008)' }),
    hook(9n),
    { ...hook(1n), row: { ...hook(1n).row, owner_id: 1002n } },
    ...[1, 2, 3, 4].map((key) => slot(key, key * 16)),
    slot(5, 0, true),
    change(1, 10n, Buffer.of(1)),
    change(1, 20n, Buffer.of(2)),
    change(2, 20n, null),
    change(3, 20n, Buffer.alloc(0)),
    change(4, 40n, Buffer.of(4)),
  ]);
  for (const name of dialects) {
    apps[name] = openServer(stored.db, name);
  }
});
afterAll(async () => {
  for (const app of Object.values(apps)) await app.close();
  await stored?.close();
});

type Hooks = { hooks: { hook_id: number }[]; links: { next: string | null } };
type Storage = { storage: { key: string; value: string | null }[]; links: { next: string | null } };

async function ask<Body>(dialect: (typeof dialects)[number], url: string): Promise<Body> {
  const { body, statusCode } = await apps[dialect].inject(`/api/v1/accounts/${url}`);
  expect([statusCode, url]).toEqual([200, url]);
  return JSON.parse(body) as Body;
}

describe.each(dialects)('in dialect %s', (dialect) => {
  it('a hook with everything that it has', async () => {
    const { hooks } = await ask<Hooks>(dialect, '0.0.1001/hooks?hook.id=7');
    expect(hooks).toEqual([
      {
        admin_key: { _type: 'ED25519', key: word(9).toString('hex') },
        contract_id: '0.0.5000',
        created_timestamp: '1.000000007',
        deleted: false,
        extension_point: 'ACCOUNT_ALLOWANCE_HOOK',
        hook_id: 7,
        owner_id: '0.0.1001',
        timestamp_range: { from: '1.000000007', to: null },
        type: 'EVM',
      },
    ]);
  });

  it.each([
    ['1001/hooks', [9, 8, 7]],
    ['1001/hooks?order=asc', [7, 8, 9]],
    ['1001/hooks?hook.id=7&hook.id=9', [9, 7]],
    ['1001/hooks?hook.id=7&hook.id=9&hook.id=lt:9', [7]],
    ['1001/hooks?hook.id=gte:8&hook.id=gt:7', [9, 8]],
    ['1001/hooks?hook.id=gt:8&hook.id=lt:9', []],
    ['1001/hooks?hook.id=ne:8', [9, 7]],
    [`0x${address.toString('hex')}/hooks`, [9, 8, 7]],
    ['00000000000000000000000000000000000003ff/hooks', [1]],
    ['00000000000000000000000000000000000003e9/hooks', [9, 8, 7]],
    ['4242/hooks', []],
  ])('%s', async (url, ids) => {
    const { hooks } = await ask<Hooks>(dialect, url);
    expect(hooks.map(({ hook_id }) => hook_id)).toEqual(ids);
  });

  it.each(['asc', 'desc'])('pages of hooks in order %s lead through all of them', async (order) => {
    const seen: number[] = [];
    let next: string | null = `/api/v1/accounts/1001/hooks?limit=1&order=${order}`;
    while (next !== null) {
      const { hooks, links }: Hooks = await ask<Hooks>(dialect, next.replace('/api/v1/accounts/', ''));
      seen.push(...hooks.map(({ hook_id }) => hook_id));
      next = links.next;
    }
    expect(seen).toEqual(order === 'asc' ? [7, 8, 9] : [9, 8, 7]);
  });

  it('what a hook stores now', async () => {
    const body = await ask<Storage>(dialect, '1001/hooks/7/storage?limit=1');
    expect(body).toEqual({
      hook_id: 7,
      links: { next: `/api/v1/accounts/1001/hooks/7/storage?limit=1&key=gt:${hexWord(1)}` },
      owner_id: '0.0.1001',
      storage: [{ key: hexWord(1), timestamp: '30.000000000', value: hexWord(16) }],
    });
  });

  it.each([
    ['1001/hooks/7/storage', [1, 2, 3, 4]],
    ['1001/hooks/7/storage?order=desc', [4, 3, 2, 1]],
    ['1001/hooks/7/storage?key=0x2&key=03', [2, 3]],
    ['1001/hooks/7/storage?key=gt:1&key=lt:4', [2, 3]],
    [`1001/hooks/7/storage?key=gte:${hexWord(3)}`, [3, 4]],
    ['1001/hooks/7/storage?key=lt:0', []],
    [`1001/hooks/7/storage?key=gt:${'f'.repeat(64)}`, []],
    ['1001/hooks/6/storage', []],
    ['1001/hooks/7/storage?timestamp=lt:20.000000005', [1]],
    ['1001/hooks/7/storage?timestamp=20.000000005', [1, 2, 3]],
    ['1001/hooks/7/storage?timestamp=gt:20.000000005', [4]],
    ['1001/hooks/7/storage?timestamp=gte:50', []],
    ['1001/hooks/7/storage?timestamp=gt:50&timestamp=lt:40', []],
  ])('%s', async (url, keys) => {
    const { storage } = await ask<Storage>(dialect, url);
    expect(storage.map(({ key }) => key)).toEqual(keys.map(hexWord));
  });

  it('the last change of each slot within a time: written, only read, taken away', async () => {
    const { storage } = await ask<Storage>(dialect, '1001/hooks/7/storage?timestamp=lte:30');
    expect(storage).toEqual([
      { key: hexWord(1), timestamp: '20.000000005', value: hexWord(2) },
      { key: hexWord(2), timestamp: '20.000000005', value: null },
      { key: hexWord(3), timestamp: '20.000000005', value: hexWord(0) },
    ]);
  });

  it.each(['asc', 'desc'])('pages of slots in order %s lead through all of them', async (order) => {
    for (const time of ['', '&timestamp=lte:50']) {
      const seen: string[] = [];
      let next: string | null = `/api/v1/accounts/1001/hooks/7/storage?limit=1&order=${order}${time}`;
      while (next !== null) {
        const { storage, links }: Storage = await ask<Storage>(dialect, next.replace('/api/v1/accounts/', ''));
        seen.push(...storage.map(({ key }) => key));
        next = links.next;
      }
      const keys = [1, 2, 3, 4].map(hexWord);
      expect(seen).toEqual(order === 'asc' ? keys : keys.reverse());
    }
  });
});

const refusals: [url: string, status: number, detail: string, spec: string][] = [
  ['x/hooks', 400, "Failed to convert 'ownerId'", 'Invalid parameter: id'],
  [`${Buffer.alloc(20, 1).toString('hex')}/hooks`, 404, 'No account found for the given ID', 'Not found'],
  ['1001/hooks?hook.id=-1', 400, "Failed to convert 'hook.id'", 'Invalid parameter: hook.id'],
  ['1001/hooks?hook.id=x', 400, "Failed to convert 'hook.id'", 'Invalid parameter: hook.id'],
  ['1001/hooks?limit=0', 400, 'limit must be greater than 0', 'Invalid parameter: limit'],
  ['1001/hooks/x/storage', 400, "Failed to convert 'hookId'", 'Invalid parameter: hookId'],
  ['1001/hooks/-1/storage', 400, 'hookId must be greater than or equal to 0', 'Invalid parameter: hookId'],
  [`1001/hooks/7/storage?key=${'1'.repeat(65)}`, 400, "Failed to convert 'key'", 'Invalid parameter: key'],
  ['1001/hooks/7/storage?key=0x', 400, "Failed to convert 'key'", 'Invalid parameter: key'],
  ['1001/hooks/7/storage?timestamp=ne:5', 400, "Failed to convert 'timestamp'", 'Invalid parameter: timestamp'],
];

it.each(refusals)('refuses %s', async (url, status, detail, spec) => {
  const answers = await Promise.all(dialects.map((dialect) => apps[dialect].inject(`/api/v1/accounts/${url}`)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status]);
  expect(answers.map((answer) => answer.json<{ _status: { messages: object[] } }>()._status.messages[0])).toEqual([
    { message: spec },
    { detail, message: status === 404 ? 'Not Found' : 'Bad Request' },
  ]);
});

it('hiero takes an empty limit or order for none', async () => {
  const bodies = await Promise.all(
    ['', '?order=&limit='].map(async (query) => (await apps.hiero.inject(`/api/v1/accounts/1001/hooks${query}`)).body),
  );
  expect(bodies[1]).toBe(bodies[0]);
});

it('hiero refuses more conditions than the mirror node takes', async () => {
  const many = (name: string, count: number) => Array.from({ length: count }, () => `${name}=lt:1`).join('&');
  for (const [url, detail] of [
    [`hooks?${many('hook.id', 101)}`, 'hookId size must be between 0 and 100'],
    [`hooks/7/storage?${many('key', 101)}`, 'keys size must be between 0 and 100'],
    [`hooks/7/storage?${many('timestamp', 3)}`, 'timestamps size must be between 0 and 2'],
  ]) {
    const { statusCode, body } = await apps.hiero.inject(`/api/v1/accounts/1001/${url}`);
    expect([statusCode, JSON.parse(body)._status.messages[0].detail]).toEqual([400, detail]);
  }
});

it('an alias of a deleted account is not found', async () => {
  const alias = 'A4DQ'.padEnd(56, 'A');
  expect((await apps.hiero.inject(`/api/v1/accounts/${alias}/hooks`)).statusCode).toBe(404);
});
