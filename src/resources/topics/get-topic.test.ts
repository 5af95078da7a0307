// A topic as it is asked for in both dialects: in `hiero` read, refused and sent as the mirror node's Java does it.

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const key = (byte: number) => Buffer.from(proto.Key.encode({ ed25519: Buffer.alloc(32, byte) }).finish());
const shownKey = (byte: number) => ({ _type: 'ED25519', key: Buffer.alloc(32, byte).toString('hex') });

let stored: StoredRows;
const apps = {} as Record<'spec' | 'hiero', FastifyInstance>;
beforeAll(async () => {
  stored = await storeRows([
    ...topicRows(1001n, ['topic', 'entity', 'custom_fee']),
    ...topicRows(1002n, ['entity', 'custom_fee']),
    ...topicRows(1003n, ['topic', 'custom_fee']),
    ...topicRows(1004n, ['topic', 'entity']),
  ]);
  for (const name of ['spec', 'hiero'] as const) {
    apps[name] = openServer(stored.db, name);
  }
});
afterAll(async () => {
  for (const app of Object.values(apps)) await app.close();
  await stored?.close();
});

function topicRows(id: bigint, tables: string[]) {
  const exempt = Buffer.from(proto.FeeExemptKeyList.encode({ keys: [{ ed25519: Buffer.alloc(32, 3) }] }).finish());
  const rows: Record<string, Record<string, unknown>> = {
    topic: { id, admin_key: key(1), submit_key: key(2), fee_exempt_key_list: exempt, timestamp_range: '[5,)' },
    entity: {
      ...{
        id,
        num: id,
        shard: 0n,
        realm: 0n,
        type: 'TOPIC',
        memo: 'm',
        deleted: false,
        timestamp_range: '[1500000007,)',
      },
      ...{ auto_renew_period: 7776000n, auto_renew_account_id: 98n, created_timestamp: 1000000005n },
    },
    custom_fee: {
      entity_id: id,
      fixed_fees: JSON.stringify([{ amount: 9, collector_account_id: 800, denominating_token_id: null }]),
      timestamp_range: '[1000000006,)',
    },
  };
  return tables.map((table) => ({ table, row: rows[table]! }));
}

const body = {
  admin_key: shownKey(1),
  auto_renew_account: '0.0.98',
  auto_renew_period: 7776000,
  created_timestamp: '1.000000005',
  custom_fees: {
    created_timestamp: '1.000000006',
    fixed_fees: [{ amount: 9, collector_account_id: '0.0.800', denominating_token_id: null }],
  },
  deleted: false,
  fee_exempt_key_list: [shownKey(3)],
  fee_schedule_key: null,
  memo: 'm',
  submit_key: shownKey(2),
  timestamp: { from: '1.500000007', to: null },
  topic_id: '0.0.1001',
};

describe('in both dialects', () => {
  it.each(['spec', 'hiero'] as const)('%s: what is found', async (name) => {
    for (const id of ['0.0.1001', '0.1001', '1001', '0.0.1001/', '1001?_=1795305543123']) {
      const answer = await apps[name].inject(`/api/v1/topics/${id}`);
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'public, max-age=5']);
      expect(answer.json()).toEqual(body);
      expect(Object.keys(answer.json<object>())).toEqual(Object.keys(body));
    }
  });
});

describe('as Java answers', () => {
  const path = '/api/v1/topics/0.0.1001';

  it('names its type and a strong tag, and knows it again', async () => {
    const { headers, payload } = await apps.hiero.inject(path);
    const tag = `"0${createHash('md5').update(payload).digest('hex')}"`;
    expect([headers['content-type'], headers.etag]).toEqual(['application/json;charset=UTF-8', tag]);
    const again = await apps.hiero.inject({ url: path, headers: { 'if-none-match': tag } });
    expect([again.statusCode, again.payload, again.headers.etag]).toEqual([304, '', tag]);
    expect((await apps.hiero.inject({ url: path, method: 'HEAD' })).statusCode).toBe(200);
  });

  it.each(['?_=1795305543', '?x', '?a[b][c]=1', `?${'x=1&'.repeat(200)}`])('ignores %s', async (query) => {
    expect((await apps.hiero.inject(path + query)).statusCode).toBe(200);
  });

  it.each([
    ['abc', 400, "Failed to convert 'id'", 'Bad Request'],
    ['0.0.', 400, "Failed to convert 'id'", 'Bad Request'],
    ['0.65537.1001', 400, "Failed to convert 'id'", 'Bad Request'],
    ['0.0.-1001', 400, "Failed to convert 'id'", 'Bad Request'],
    ['9223372036854775807', 400, "Failed to convert 'id'", 'Bad Request'],
    ['274877906944', 400, "Failed to convert 'id'", 'Bad Request'],
    ['0x00000000000000000000000000000000000003e9', 400, "Failed to convert 'id'", 'Bad Request'],
    ['%', 400, "Failed to convert 'id'", 'Bad Request'],
    ['1002', 404, 'Topic not found', 'Not Found'],
    ['1003', 404, 'Entity not found', 'Not Found'],
    ['1004', 404, 'Custom fee for entity not found', 'Not Found'],
  ])('%s: %i %s', async (id, status, detail, message) => {
    const { statusCode, payload, headers } = await apps.hiero.inject(`/api/v1/topics/${id}`);
    expect([statusCode, payload]).toEqual([status, JSON.stringify({ _status: { messages: [{ detail, message }] } })]);
    expect([headers['cache-control'], headers.etag]).toEqual(['public, max-age=5', undefined]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s is not a method of it', async (method) => {
    const answer = await apps.hiero.inject({ url: path, method, headers: { 'content-type': 'a/b' }, payload: '{' });
    const detail = `Request method '${method}' is not supported`;
    expect([answer.statusCode, answer.json()]).toEqual([
      405,
      { _status: { messages: [{ detail, message: 'Method Not Allowed' }] } },
    ]);
  });
});

describe('like all others, in `spec`', () => {
  it.each([
    ['abc', 400, 'Invalid parameter: topic.id'],
    ['%', 400, 'Invalid parameter: topic.id'],
    ['1001?x=1', 400, 'Unknown query parameter: x'],
    ['1002', 404, 'Not found'],
    ['1004', 404, 'Not found'],
  ])('%s: %i %s', async (id, status, message) => {
    const { statusCode, payload, headers } = await apps.spec.inject(`/api/v1/topics/${id}`);
    expect([statusCode, payload]).toEqual([status, JSON.stringify({ _status: { messages: [{ message }] } })]);
    expect([headers['cache-control'], headers.etag?.slice(0, 3)]).toEqual([undefined, 'W/"']);
  });

  it('another method is an unknown path', async () => {
    const answer = await apps.spec.inject({ url: '/api/v1/topics/1001', method: 'DELETE' });
    expect(answer.statusCode).toBe(404);
  });
});
