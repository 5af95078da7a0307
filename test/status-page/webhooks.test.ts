// Webhooks from a change of the state to the receiver's door: real HTTP servers, real files, real signatures.
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStatusGate } from '../../packages/status/http/status-gate.ts';
import { addWebhookRoutes } from '../../packages/status/http/webhook-routes.ts';
import type { ComponentStatus, StatusState } from '../../packages/status/status-state.ts';
import { createWebhooks, type Webhooks } from '../../packages/status/webhooks/create-webhooks.ts';
import { sampleNow, sampleState, sampleUpdate } from './sample-state.ts';

type Received = { path: string; headers: IncomingHttpHeaders; body: string };

let folder: string;
let receiver: Server;
let url: string;
let received: Received[];
let answers: number[];
let logged: string[];
let webhooks: Webhooks;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-webhooks-'));
  received = [];
  answers = [];
  logged = [];
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(answers.shift() ?? 204, { location: '/elsewhere' }).end();
  });
  url = `${await listen(receiver)}/hook`;
  webhooks = open();
});
afterEach(async () => {
  await webhooks.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(options: Partial<Parameters<typeof createWebhooks>[0]> = {}): Webhooks {
  const log = (sentence: string): void => void logged.push(sentence);
  return createWebhooks({ folder, clock: Date.now, allowPrivate: true, log, retryDelaysMs: [20, 20, 20], ...options });
}

async function until(isTrue: () => boolean): Promise<void> {
  await vi.waitUntil(isTrue, { timeout: 50_000, interval: 5 });
}

function withDatabase(state: StatusState, status: ComponentStatus, updatedAt: number): StatusState {
  const database = { ...state.components.database!, status, updatedAt };
  return { ...state, components: { ...state.components, database } };
}

function withUpdate(state: StatusState, id: string, body: string): StatusState {
  const incident = state.incidents.h2jk5l7mnp9q!;
  const update = sampleUpdate({ id, status: 'monitoring', createdAt: sampleNow, body });
  const changed = { ...incident, status: update.status, updatedAt: sampleNow, updates: [update, ...incident.updates] };
  return { ...state, incidents: { ...state.incidents, [incident.id]: changed } };
}

describe('announcements', () => {
  it('a component’s new status, signed, in Statuspage’s form', async () => {
    const before = sampleState();
    webhooks.announce(before);
    const { secret } = webhooks.add({ url, componentIds: null }, 'maria');
    webhooks.announce(withDatabase(before, 'operational', sampleNow + 1000));
    await until(() => received.length > 0);
    const [{ headers, body, path }] = received as [Received];
    expect(path).toBe('/hook');
    expect(JSON.parse(body)).toMatchObject({
      meta: { generated_at: '2026-11-21T12:00:01.000Z', documentation: 'http://127.0.0.1:5551/status' },
      page: { id: 'kctbh9vrtdwd', status_indicator: 'minor', status_description: 'Minor Service Outage' },
      component_update: {
        created_at: '2026-11-21T12:00:01.000Z',
        old_status: 'major_outage',
        new_status: 'operational',
        component_id: 'cdatabasexxx',
        id: expect.stringMatching(/^[0-9b-df-hj-np-tv-z]{12}$/),
      },
      component: { id: 'cdatabasexxx', name: 'Database', status: 'operational' },
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('an incident’s update, as the endpoints show it', async () => {
    const before = sampleState();
    webhooks.announce(before);
    webhooks.add({ url, componentIds: null }, 'maria');
    webhooks.announce(withUpdate(before, 'upd000000099', 'It answers again.'));
    await until(() => received.length > 0);
    expect(JSON.parse(received[0]!.body)).toMatchObject({
      page: { id: 'kctbh9vrtdwd' },
      incident: {
        id: 'h2jk5l7mnp9q',
        status: 'monitoring',
        impact: 'critical',
        shortlink: 'http://127.0.0.1:5551/status/incidents/h2jk5l7mnp9q',
        incident_updates: [{ id: 'upd000000099', body: 'It answers again.' }, {}, {}],
      },
    });
  });

  it('nothing of the first state, nothing twice, nothing where only a measurement changed', async () => {
    const before = sampleState();
    webhooks.add({ url, componentIds: null }, 'maria');
    webhooks.announce(before);
    webhooks.announce({ ...before, components: { ...before.components } });
    webhooks.announce(withDatabase(before, 'major_outage', sampleNow + 5000));
    webhooks.announce(withUpdate(before, 'upd000000099', 'One.'));
    await until(() => received.length > 0 && webhooks.list()[0]!.waiting === 0);
    expect(received.map(({ body }) => Object.keys(JSON.parse(body)).at(-1))).toEqual(['incident']);
  });

  it('only what a webhook wants to hear of', async () => {
    const before = sampleState();
    webhooks.announce(before);
    webhooks.add({ url: `${url}/database`, componentIds: ['cdatabasexxx'] }, 'maria');
    webhooks.add({ url: `${url}/network`, componentIds: ['cnetworkxxxx'] }, 'maria');
    const after = withDatabase(before, 'operational', sampleNow + 1000);
    const network = { ...after.components.network!, status: 'operational' as const, updatedAt: sampleNow + 1000 };
    webhooks.announce({ ...after, components: { ...after.components, network } });
    await until(() => received.length === 2);
    expect(
      received.map(({ path, body }) => [path, JSON.parse(body).component.key ?? JSON.parse(body).component.id]).sort(),
    ).toEqual([
      ['/hook/database', 'cdatabasexxx'],
      ['/hook/network', 'cnetworkxxxx'],
    ]);
  });

  it('a change that was made while nothing ran, or just before a kill', async () => {
    const before = sampleState();
    webhooks.announce(before);
    webhooks.add({ url, componentIds: null }, 'maria');
    await webhooks.close();
    webhooks = open();
    webhooks.announce(withDatabase(before, 'operational', sampleNow + 1000));
    await until(() => received.length > 0);
    expect(JSON.parse(received[0]!.body).component_update.new_status).toBe('operational');
  });
});

describe('delivery', () => {
  it('is tried again under the same id until it arrives', async () => {
    answers = [500, 302, 429];
    const before = sampleState();
    webhooks.announce(before);
    webhooks.add({ url, componentIds: null }, 'maria');
    webhooks.announce(withDatabase(before, 'operational', sampleNow));
    await until(() => received.length === 4);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/hook']));
    await until(() => webhooks.list()[0]!.lastAttempt?.outcome === 'delivered');
    expect(logged).toEqual([
      expect.stringMatching(/^Webhook \w{12} \(127\.0\.0\.1:\d+\): answered 500; it is tried again$/),
    ]);
  });

  it('ends for good at 410 Gone', async () => {
    answers = [410];
    const before = sampleState();
    webhooks.announce(before);
    webhooks.add({ url, componentIds: null }, 'maria');
    webhooks.announce(withDatabase(before, 'operational', sampleNow));
    await until(() => webhooks.list()[0]!.endedAt !== null);
    webhooks.announce(withDatabase(before, 'degraded_performance', sampleNow + 1));
    expect(webhooks.list()[0]!.waiting).toBe(0);
    expect(logged[0]).toContain('410 Gone');
  });

  it('a receiver that never answers is given up after its time', async () => {
    await webhooks.close();
    const silent = createServer(() => {});
    webhooks = open({ timeoutMs: 50, retryDelaysMs: [] });
    webhooks.add({ url: await listen(silent), componentIds: null }, 'maria');
    webhooks.test(webhooks.list()[0]!.id, sampleState());
    await until(() => logged.length > 0);
    expect(logged[0]).toContain('given up after 1 attempts: no answer within 0.05 s');
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('nothing reaches an address that is not public, also behind a name', async () => {
    await webhooks.close();
    webhooks = open({ allowPrivate: false, retryDelaysMs: [] });
    const port = new URL(url).port;
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
      '169.254.169.254',
    ]) {
      expect(() => webhooks.add({ url: `http://${host}:${port}/`, componentIds: null }, 'x'), host).toThrow(
        'is not a public address',
      );
    }
    for (const host of [
      ...['localhost', 'metadata.google.internal', '127.0.0.1.nip.io', 'intranet', 'kubernetes.default.svc'],
      ...['Kubernetes.Default.SVC.', 'vault', 'a.local', 'a.svc.cluster.local', 'kubernetes。default。svc'],
    ]) {
      expect(() => webhooks.add({ url: `http://${host}:${port}/`, componentIds: null }, 'x'), host).toThrow(
        'is not a name of the public internet',
      );
    }
    // One of before is looked at when it is used.
    await webhooks.close();
    webhooks = open();
    const { id } = webhooks.add({ url: `http://localhost:${port}/hook`, componentIds: null }, 'maria');
    await webhooks.close();
    webhooks = open({ allowPrivate: false, retryDelaysMs: [] });
    webhooks.test(id, sampleState());
    await until(() => logged.length > 0);
    expect(logged[0]).toMatch(/localhost \((127\.0\.0\.1|::1)\) is not a public address/);
    expect(received).toEqual([]);
  });
});

describe('the list', () => {
  it('is kept, without secrets for others to read', async () => {
    const { id, secret } = webhooks.add({ url, componentIds: null }, 'maria');
    expect(JSON.stringify(webhooks.list())).not.toContain(secret);
    expect(readFileSync(join(folder, 'webhooks.json'), 'utf8')).toContain(secret);
    if (process.platform !== 'win32') expect(statSync(join(folder, 'webhooks.json')).mode & 0o077).toBe(0);
    await webhooks.close();
    webhooks = open();
    expect(webhooks.list()).toMatchObject([{ id, url, createdBy: 'maria', endedAt: null, waiting: 0 }]);
    expect([webhooks.remove(id), webhooks.remove(id), webhooks.list()]).toEqual([true, false, []]);
  });

  it.each([
    'ftp://example.com/',
    'example.com',
    'javascript:alert(1)',
    'https://user:pass@example.com/',
    `https://example.com/${'x'.repeat(2048)}`,
    '',
  ])('refuses %s', (wrong) => {
    expect(() => webhooks.add({ url: wrong, componentIds: null }, 'maria')).toThrow('The url of a webhook');
  });

  it('has an end', () => {
    for (let index = 0; index < 100; index += 1) webhooks.add({ url, componentIds: null }, 'maria');
    expect(() => webhooks.add({ url, componentIds: null }, 'maria')).toThrow('100 webhooks already');
  });
});

describe('over HTTP', () => {
  it('operators add, list, test and remove; nobody else does', async () => {
    const app = fastify();
    const token = 'correct-horse-battery';
    const gate = createStatusGate({ tokens: new Map([[token, 'maria']]), secret: 'own-secret', clock: Date.now });
    addWebhookRoutes(app, { webhooks, gate, state: () => sampleState() });
    const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await app.inject({ method, url: `/status/manage/webhooks${path}`, headers, payload });
      return { status: answer.statusCode, body: answer.json() };
    };
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', '/x'],
      ['POST', '/x/test'],
    ] as const) {
      expect((await app.inject({ method, url: `/status/manage/webhooks${path}` })).statusCode).toBe(401);
    }
    const added = await ask('POST', '', { url, components: ['database', 'cnetworkxxxx'] });
    expect(added).toMatchObject({
      status: 201,
      body: {
        url,
        componentIds: ['cdatabasexxx', 'cnetworkxxxx'],
        createdBy: 'maria',
        secret: expect.stringMatching(/^whsec_/),
      },
    });
    const { id } = added.body;
    expect((await ask('POST', `/${id}/test`)).status).toBe(202);
    await until(() => received.length > 0);
    expect(JSON.parse(received[0]!.body)).toMatchObject({ test: true, page: { id: 'kctbh9vrtdwd' } });
    const listed = await ask('GET', '');
    expect(listed).toMatchObject({ status: 200, body: [{ id, url }] });
    expect(listed.body[0]).not.toHaveProperty('secret');
    expect((await ask('DELETE', `/${id}`)).status).toBe(200);
    const refused: [
      method: 'POST' | 'DELETE',
      path: string,
      body: object | undefined,
      status: number,
      message: string,
    ][] = [
      ['DELETE', `/${id}`, undefined, 404, 'There is no webhook'],
      ['POST', `/${id}/test`, undefined, 404, 'There is no webhook'],
      ['POST', '', { url: 7 }, 400, '"url" must be a text'],
      ['POST', '', { url, component: 'x' }, 400, '"component" is not known here'],
      ['POST', '', { url, components: 'database' }, 400, '"components" must be a list'],
      ['POST', '', { url, components: [] }, 400, '"components" must be a list'],
      ['POST', '', { url, components: ['nothing'] }, 404, 'There is no component "nothing"'],
      ['POST', '', { url: 'gopher://x' }, 400, 'The url of a webhook must begin with'],
      ['POST', '', [], 400, 'must be a JSON object'],
    ];
    for (const [method, path, body, status, message] of refused) {
      const answer = await ask(method, path, body);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        status,
        expect.stringContaining(JSON.stringify(message).slice(1, -1)),
      ]);
    }
    await app.close();
  });
});
