// Services that registered with the network, in both dialects.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const dialects = ['spec', 'hiero'] as const;
let stored: StoredRows;
const apps = {} as Record<(typeof dialects)[number], FastifyInstance>;
const path = '/api/v1/network/registered-nodes';

beforeAll(async () => {
  const node = (id: bigint, type: string, endpoint: object, more: object = {}) => ({
    table: 'registered_node',
    row: {
      ...{ registered_node_id: id, type, service_endpoints: JSON.stringify([endpoint]), description: `n${id}` },
      ...{ created_timestamp: 1_000_000_001n, deleted: false, timestamp_range: '[2000000002,)', ...more },
    },
  });
  stored = await storeRows([
    node(0n, '{1}', { block_node: { endpoint_apis: ['STATUS'] }, ip_address: '10.0.0.1', port: 1, requires_tls: true }),
    node(1n, '{3}', { mirror_node: {}, block_node: null, domain_name: 'm.example', ip_address: '', port: 443 }),
    node(2n, '{4}', { rpc_relay: {}, port: 2 }, { deleted: true }),
    node(
      3n,
      '{2,4}',
      { general_service: { description: 'faucet' }, port: 3 },
      { admin_key: Buffer.concat([Buffer.of(0x12, 32), Buffer.alloc(32, 9)]) },
    ),
    node(4n, '{4}', { rpc_relay: {}, port: 4 }),
  ]);
  for (const name of dialects) {
    apps[name] = openServer(stored.db, name);
  }
});
afterAll(async () => {
  for (const app of Object.values(apps)) await app.close();
  await stored?.close();
});

type Body = { registered_nodes: { registered_node_id: number }[]; links: { next: string | null } };

describe.each(dialects)('in dialect %s', (dialect) => {
  const ask = async (url: string): Promise<Body> => {
    const { statusCode, body } = await apps[dialect].inject(url);
    expect([statusCode, url]).toEqual([200, url]);
    return JSON.parse(body) as Body;
  };

  it('each kind of endpoint has its own members', async () => {
    const common = { domain_name: null, general_service: null, ip_address: null, mirror_node: null, rpc_relay: null };
    const { registered_nodes: nodes } = await ask(path);
    expect(nodes.slice(0, 3)).toEqual([
      {
        admin_key: null,
        created_timestamp: '1.000000001',
        description: 'n0',
        registered_node_id: 0,
        service_endpoints: [
          {
            ...common,
            block_node: { endpoint_apis: ['STATUS'] },
            ip_address: '10.0.0.1',
            port: 1,
            requires_tls: true,
            type: 'BLOCK_NODE',
          },
        ],
        timestamp: { from: '2.000000002', to: null },
      },
      expect.objectContaining({
        service_endpoints: [
          {
            ...common,
            block_node: null,
            domain_name: 'm.example',
            mirror_node: {},
            port: 443,
            requires_tls: false,
            type: 'MIRROR_NODE',
          },
        ],
      }),
      expect.objectContaining({
        admin_key: { _type: 'ED25519', key: '09'.repeat(32) },
        service_endpoints: [expect.objectContaining({ general_service: { description: 'faucet' } })],
      }),
    ]);
  });

  it.each([
    ['', [0, 1, 3, 4]],
    ['order=desc', [4, 3, 1, 0]],
    [dialect === 'spec' ? 'type=RPC_RELAY' : 'type=rpc_relay', [3, 4]],
    ['type=BLOCK_NODE', [0]],
    ['registerednode.id=3', [3]],
    ['registerednode.id=2', []],
    ['registerednode.id=gt:0&registerednode.id=lte:3', [1, 3]],
  ])('%s', async (query, ids) => {
    const { registered_nodes: nodes } = await ask(`${path}?${query}`);
    expect(nodes.map(({ registered_node_id }) => registered_node_id)).toEqual(ids);
  });

  it.each(['asc', 'desc'])('pages in order %s lead through all', async (order) => {
    const seen: number[] = [];
    let next: string | null = `${path}?limit=1&order=${order}`;
    while (next !== null) {
      const { registered_nodes: nodes, links }: Body = await ask(next);
      seen.push(...nodes.map(({ registered_node_id }) => registered_node_id));
      next = links.next;
    }
    expect(seen).toEqual(order === 'asc' ? [0, 1, 3, 4] : [4, 3, 1, 0]);
  });

  it.each([
    ['registerednode.id=1&registerednode.id=gt:0', "The 'eq' operator cannot be combined with other operators"],
    ['registerednode.id=gt:5&registerednode.id=lt:3', 'Invalid range: lower bound exceeds upper bound'],
  ])('refuses %s', async (query, sentence) => {
    const { statusCode, body } = await apps[dialect].inject(`${path}?${query}`);
    expect(statusCode).toBe(400);
    const message = dialect === 'hiero' ? { detail: sentence, message: 'Bad Request' } : { message: sentence };
    expect(JSON.parse(body)).toEqual({ _status: { messages: [message] } });
  });

  it.each(['type=NODE', 'registerednode.id=x', 'registerednode.id=ne:1', 'limit=0', 'order=up'])(
    'refuses %s by its name',
    async (query) => {
      const { statusCode, body } = await apps[dialect].inject(`${path}?${query}`);
      const name = query.split('=')[0];
      expect([statusCode, JSON.parse(body)]).toEqual([
        400,
        { _status: { messages: [{ message: `Invalid parameter: ${name}` }] } },
      ]);
    },
  );
});
