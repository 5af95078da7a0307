// Both dialects from one process: each prefix, and a separate port, answers as a server of that dialect does, with
// links, kept answers, refusals, documents and counts.
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBlockWatch } from '../../packages/store/notify/block-watch.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { toSetupRows } from '../../packages/test-support/rows/setup-rows.ts';
import type { JsonObject } from '../../packages/test-support/rows/spec-file.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import type { DialectName } from '../api/frame/asked-dialect.ts';

const start = 1_600_000_000_000_000_000n;
const ns = (second: number): bigint => start + BigInt(second) * 1_000_000_000n;
const settings = { clock: () => ns(100), users: [{ username: 'ann', password: 'secret', limit: 200 }] };
const names = ['spec', 'hiero'] as const;

let stored: StoredRows;
/** One of each dialect; the other's answers are asked of it by prefix and port. */
const servers = {} as Record<DialectName, { app: ReturnType<typeof openServer>; registry: Registry; hieroUrl: string }>;

beforeAll(async () => {
  const setup: JsonObject = {
    accounts: [
      { num: 1001n },
      { num: 1002n },
      { num: 1003n, alias: 'KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ' },
    ],
    contracts: [{ num: 2001n, evm_address: '62cf9068fed962cf9aaabbb962cf9068fed9dddd', created_timestamp: start }],
    contractresults: [{ consensus_timestamp: ns(1), contract_id: 2001n, sender_id: 1001n, payer_account_id: 1001n }],
    schedules: [{ schedule_id: '0.0.4001', consensus_timestamp: ns(5) }],
    entities: [{ num: 4001n, type: 'SCHEDULE' }],
  };
  stored = await storeRows(toSetupRows(setup, { shard: 0n, realm: 0n }));
  for (const name of names) {
    const registry = new Registry();
    const app = openServer(stored.db, name, {
      ...{ settings, registry },
      cache: { maxBytes: 2 ** 20, blocks: noBlockWatch, clockReadings: () => 0 },
      hasRoom: stored.db.hasRoom,
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const second = app.createHieroListener();
    await new Promise<void>((done) => second.listen(0, '127.0.0.1', done));
    servers[name] = { app, registry, hieroUrl: `http://127.0.0.1:${(second.address() as AddressInfo).port}` };
  }
});
afterAll(async () => {
  for (const { app } of Object.values(servers)) await app.close();
  await stored?.close();
});

type Method = 'GET' | 'POST' | 'HEAD';

async function ask(app: FastifyInstance, url: string, method: Method = 'GET', headers: Record<string, string> = {}) {
  const { statusCode, headers: all, body } = await app.inject({ method, url, headers });
  const { date: _, connection: __, ...kept } = all;
  return { status: statusCode, headers: kept, body };
}

/** Without the prefix, where it stands in links. */
function withoutPrefix({ status, headers, body }: Awaited<ReturnType<typeof ask>>, prefix: string) {
  const text = body.replaceAll(`"${prefix}/api/v1/`, '"/api/v1/');
  const { link, etag: _, 'content-length': __, ...rest } = headers;
  return { status, headers: { ...rest, link: String(link).replace(`<${prefix}/api/v1/`, '</api/v1/') }, text };
}

const paths = [
  '/accounts?limit=1',
  '/accounts?limit=1&order=ASC',
  '/accounts/0.0.1001',
  '/accounts/0.0.1001?timestamp=ne:5',
  '/accounts/0.0.77',
  '/accounts/5?limit=1&foo',
  '/accounts/1001/allowances/nfts?limit=0',
  '/accounts/x/allowances/nfts',
  '/accounts/%E0%A4%A/allowances/nfts',
  '/accounts/%E0%A4%A',
  '/Contracts/results?limit=1&from=0.0.1001',
  '/contracts/results?limit=1',
  '/contracts/RESULTS',
  '/contracts/results/1600000001.000000000',
  '/topics/0.0.5',
  '/schedules/?limit=1',
  '/schedules?limit=101',
  '/schedules//',
  '/tokens/3001',
  '/tokens/x/nfts?limit=1',
  '/network/supply',
  '/nothing',
  '/sch%65dules',
  '',
];

describe.each(names)('chosen: %s', (chosen) => {
  it.each(names)('/%s/api/v1 is what its own server answers', async (name) => {
    for (const method of ['GET', 'HEAD', 'POST'] as const) {
      for (const path of paths) {
        const expected = await ask(servers[name].app, `/api/v1${path}`, method);
        for (const prefix of [`/${name}`, `/${name.toUpperCase()}`]) {
          const answer = await ask(servers[chosen].app, `${prefix}/api/v1${path}`, method);
          expect([method, path, withoutPrefix(answer, prefix)]).toEqual([method, path, withoutPrefix(expected, '')]);
        }
      }
    }
  });

  it('the port of hiero answers /api/v1 as hiero does, and all else as the first port', async () => {
    const { app, hieroUrl } = servers[chosen];
    for (const path of paths) {
      const { status, body } = await ask(servers.hiero.app, `/api/v1${path}`);
      const answer = await fetch(`${hieroUrl}/api/v1${path}`);
      expect([path, answer.status, await answer.text()]).toEqual([path, status, body]);
    }
    const inSpec = await fetch(`${hieroUrl}/spec/api/v1/schedules?limit=101`);
    expect(inSpec.status).toBe(400);
    expect((await fetch(`${hieroUrl}/health/liveness`)).status).toBe(200);
    expect((await ask(app, '/hiero/health/liveness')).status).toBe(404);
  });

  it('links lead on under the prefix, also from kept answers', async () => {
    const { app, hieroUrl } = servers[chosen];
    const linkOf = (text: string) => (JSON.parse(text) as { links: { next: string } }).links.next;
    for (const round of ['asked', 'kept']) {
      for (const prefix of ['', '/spec', '/hiero']) {
        const url = `${prefix}/api/v1/accounts?limit=1`;
        const { body, headers } = await ask(app, url);
        const next = `${prefix}/api/v1/accounts?limit=1&account.id=gt:0.0.1001`;
        expect([round, linkOf(body), headers.link]).toEqual([round, next, `<${next}>; rel="next"`]);
        expect((await ask(app, linkOf(body))).body).toContain('"0.0.1002"');
        const held = await ask(app, url, 'GET', { 'if-none-match': String(headers.etag) });
        expect([held.status, held.headers.link]).toEqual([304, headers.link]);
      }
      const ported = await (await fetch(`${hieroUrl}/api/v1/accounts?limit=1`)).text();
      expect(linkOf(ported)).toBe('/api/v1/accounts?limit=1&account.id=gt:0.0.1001');
    }
  });

  it('credentials count under a prefix', async () => {
    const { app } = servers[chosen];
    const as = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    for (const prefix of ['', '/spec', '/hiero']) {
      const url = `${prefix}/api/v1/schedules?limit=150`;
      expect((await ask(app, url, 'GET', as('ann:wrong'))).status).toBe(401);
      expect((await ask(app, url, 'GET', as('ann:secret'))).status).toBe(200);
    }
  });

  it('counts name the prefix', async () => {
    const { app, registry } = servers[chosen];
    await ask(app, '/hiero/api/v1/schedules');
    await ask(app, '/api/v1/schedules');
    const text = await registry.metrics();
    expect(text).toMatch(/http_requests_total\{method="GET",route="\/hiero\/api\/v1\/schedules",status="200"\} \d/);
    expect(text).toMatch(/http_requests_total\{method="GET",route="\/api\/v1\/schedules",status="200"\} \d/);
    expect(text).not.toContain('route="/hiero/health');
    expect(text).toMatch(/http_questions_in_flight 0/);
  });

  it('each document is of its dialect, and names its servers', async () => {
    type Document = {
      servers: object[];
      paths: Record<string, { servers?: object[]; get?: { parameters?: object[] } }>;
    };
    const limits = { spec: 100, hiero: undefined };
    const { app, hieroUrl } = servers[chosen];
    const read = async (url: string) => JSON.parse((await ask(app, url)).body) as Document;
    const largest = ({ paths: all }: Document) => {
      const parameters = all['/api/v1/schedules']!.get!.parameters as { name: string; schema: { maximum?: number } }[];
      return parameters.find(({ name }) => name === 'limit')!.schema.maximum;
    };
    const document = await read('/api/v1/docs/openapi.json');
    expect([document.servers, largest(document)]).toEqual([[{ url: '/' }], limits[chosen]]);
    for (const name of names) {
      const own = await read(`/${name}/api/v1/docs/openapi.json`);
      expect([own.servers, largest(own)]).toEqual([[{ url: `/${name}` }], limits[name]]);
      expect(own.paths['/health/liveness']!.servers).toEqual([{ url: '/' }]);
      expect((await ask(app, `/${name}/api/v1/docs/openapi.yml`)).body).toContain(`- url: /${name}\n`);
    }
    const ported = (await (await fetch(`${hieroUrl}/api/v1/docs/openapi.json`)).json()) as Document;
    expect([ported.servers, largest(ported)]).toEqual([[{ url: '/' }], undefined]);
  });
});

it('the further listener ends with the first', async () => {
  const app = openServer(stored.db, 'spec');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const second = app.createHieroListener();
  await new Promise<void>((done) => second.listen(0, '127.0.0.1', done));
  const { port } = second.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/hiero/api/v1/accounts`)).status).toBe(200);
  await app.close();
  const probe = createServer();
  await new Promise<void>((done, refuse) => probe.once('error', refuse).listen(port, '127.0.0.1', done));
  probe.close();
});

it.each(names.flatMap((name) => names.map((prefix) => [name, prefix] as const)))(
  'of a mirror of %s, a client that joins what is behind /api/v1/ of a link to the base of %s gets every page',
  async (name, prefix) => {
    const ids: string[] = [];
    const links: string[] = [];
    for (let path: string | null = 'accounts?limit=1&order=asc'; path !== null; ) {
      const { status, body } = await ask(servers[name].app, `/${prefix}/api/v1/${path}`);
      expect(status).toBe(200);
      const page = JSON.parse(body) as { accounts: { account: string }[]; links: { next: string | null } };
      ids.push(...page.accounts.map(({ account }) => account));
      if (page.links.next !== null) links.push(page.links.next);
      path = page.links.next?.replace('/api/v1/', '').replace(/^\//, '') ?? null;
    }
    expect(ids).toEqual(expect.arrayContaining(['0.0.1001', '0.0.1002', '0.0.1003']));
    expect(new Set(ids).size).toBe(ids.length);
    // The link is the usual one, wherever it was asked.
    expect(links.every((link) => link.startsWith(`/${prefix}/api/v1/accounts?`))).toBe(true);
  },
);

it.each(['/hiero/api/v1/hiero', '/hiero/api/v1/hiero/blocks', '/hiero/api/v1/hierohieroblocks', '/api/v1/hieroblocks'])(
  '%s is no path',
  async (path) => {
    expect((await ask(servers.spec.app, path)).status).toBe(404);
  },
);
