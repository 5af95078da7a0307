import { createServer, type IncomingMessage, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addStatusForwarding, type FindStatusService } from './forward-status.ts';
import { forwardKeyOf } from './status-gate.ts';

/** Says what it was asked. */
let upstream: Server;
/** What answers `/status/slow` waits for. */
let slow: PromiseWithResolvers<void>;
let app: FastifyInstance;
let find: FindStatusService;
let port: number;

type Asked = { method: string; url: string; headers: Record<string, string>; body: string };
/** All that came, with the port that each came from. */
let seen: (Asked & { port: number })[];

beforeEach(async () => {
  seen = [];
  slow = Promise.withResolvers();
  // However long a test takes, a connection stays open until it is used again.
  upstream = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body, port: request.socket.remotePort } as Asked & { port: number });
    if (url === '/status/slow') await slow.promise;
    response.writeHead(url === '/status/missing' ? 404 : 200, { 'content-type': 'application/json', etag: '"x"' });
    response.end(JSON.stringify({ method, url, headers, body }));
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  const service = { port: (upstream.address() as AddressInfo).port, secret: 'of this machine' };
  find = () => service;
  app = fastify({ routerOptions: { caseSensitive: false } });
  addStatusForwarding(app, () => find());
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(async () => {
  await app.close();
  upstream.closeAllConnections();
  upstream.close();
});

/** With the path as it is typed: `fetch` would resolve it. */
async function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
  localAddress = '127.0.0.1',
) {
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    sendRequest(
      {
        ...{ host: '127.0.0.1', localAddress, port },
        method,
        path,
        headers: {
          ...headers,
          ...(body && !('transfer-encoding' in headers) ? { 'content-length': String(body.length) } : {}),
        },
      },
      done,
    )
      .on('error', fail)
      .end(body);
  });
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return { status: answer.statusCode, headers: answer.headers, text, asked: () => JSON.parse(text) as Asked };
}

test.each([
  ['GET', '/api/v2/summary.json?x=%20y'],
  ['GET', '/status'],
  ['GET', '/status/incidents/x'],
  ['DELETE', '/status/manage/webhooks/x'],
])('%s %s is passed on as it is, and its answer as well', async (method, path) => {
  const answer = await ask(method, path);
  expect(answer.asked()).toMatchObject({ method, url: path });
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json', etag: '"x"' });
});

test('bodies pass through unread', async () => {
  const body = '{ "name": "not even JSON';
  const answer = await ask(
    'POST',
    '/status/manage/incidents',
    { 'content-type': 'application/json', authorization: 'Bearer x' },
    body,
  );
  expect(answer.asked()).toMatchObject({ method: 'POST', body, headers: { authorization: 'Bearer x' } });
});

test('HEAD is passed on without a body', async () => {
  const answer = await ask('HEAD', '/api/v2/summary.json');
  expect([answer.status, answer.text, answer.headers.etag]).toEqual([200, '', '"x"']);
});

test('a refusal is passed on', async () => {
  expect((await ask('GET', '/status/missing')).status).toBe(404);
});

test.each(['/status/../control/stop', '/api/v2/%2e%2e/%2e%2e/control/stop'])('%s leads nowhere else', async (path) => {
  expect((await ask('GET', path)).asked().url).toBe(path);
});

test('no client can claim to be the machine itself', async () => {
  const answer = await ask('GET', '/status', {
    'x-status-by': 'root',
    'x-status-secret': 'guess',
    'x-status-client': '192.0.2.1',
  });
  const { headers } = answer.asked();
  expect(headers['x-status-by']).toBeUndefined();
  expect(headers['x-status-secret']).toBeUndefined();
  expect(headers['x-status-forward']).toBe(forwardKeyOf('of this machine'));
  expect(headers['x-status-client']).toBe('127.0.0.1');
});

test('the secret goes nowhere, in no form', async () => {
  const { text } = await ask('GET', '/status');
  expect(text).not.toContain('of this machine');
});

test('what is said to the end of a connection goes no further', async () => {
  const answer = await ask('GET', '/status', {
    connection: 'close, x-mine',
    'keep-alive': 'timeout=5',
    te: 'trailers',
    upgrade: 'websocket',
    'proxy-authorization': 'Basic x',
    'x-mine': '1',
    accept: 'text/html',
  });
  const { headers } = answer.asked();
  expect(Object.keys(headers).toSorted()).toEqual([
    'accept',
    'connection',
    'host',
    'x-status-client',
    'x-status-forward',
  ]);
  expect(headers.connection).toBe('keep-alive');
  expect(answer.headers['transfer-encoding']).toBeUndefined();
});

test.each(['GET', 'HEAD'])('the body of %s stays here, and so does its length', async (method) => {
  const answer = await ask(method, '/status', { 'content-type': 'text/plain' }, 'a body');
  expect(answer.status).toBe(200);
  expect(seen.at(-1)).toMatchObject({ method, body: '' });
  expect(seen.at(-1)!.headers).not.toHaveProperty('content-length');
  expect(seen.at(-1)!.headers).not.toHaveProperty('transfer-encoding');
});

test('a body in chunks goes on with its length', async () => {
  const asked = (await ask('POST', '/status/manage/incidents', { 'transfer-encoding': 'chunked' }, 'one')).asked();
  expect(asked).toMatchObject({ body: 'one', headers: { 'content-length': '3' } });
  expect(asked.headers['transfer-encoding']).toBeUndefined();
});

test('a connection that carried a body carries nothing after it', async () => {
  await ask('POST', '/status/manage/incidents', {}, 'one');
  await ask('GET', '/status');
  await ask('POST', '/status/manage/incidents', {}, 'two');
  await ask('GET', '/status');
  const [post, get, secondPost, secondGet] = seen.map(({ port }) => port);
  expect(new Set([post, get, secondPost]).size).toBe(3);
  expect(secondGet).toBe(get);
});

test('no body shares its connection when many come at once', async () => {
  await Promise.all(Array.from({ length: 200 }, () => ask('POST', '/status/manage/incidents', {}, 'one')));
  expect(new Set(seen.map(({ port }) => port)).size).toBe(200);
});

test('a body that is too large is refused here', async () => {
  expect((await ask('POST', '/status/manage/incidents', {}, 'x'.repeat(300_000))).status).toBe(413);
  expect(seen).toEqual([]);
});

test('reading requests wait for a service that restarts', async () => {
  const there = find;
  let looks = 0;
  find = () => {
    looks += 1;
    return looks <= 3 ? null : there();
  };
  expect((await ask('GET', '/status')).status).toBe(200);
  expect(looks).toBe(4);
});

test('changes are refused at once while there is no service', async () => {
  find = () => null;
  const answer = await ask('POST', '/status/manage/incidents', { 'content-type': 'application/json' }, '{}');
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    503,
    { _status: { messages: [{ message: 'Service unavailable' }] } },
  ]);
});

test('a request that waits does not keep the server from ending', async () => {
  const asked = Promise.withResolvers<void>();
  find = () => {
    asked.resolve();
    return null;
  };
  const waiting = ask('GET', '/status');
  await asked.promise;
  const closing = app.close();
  expect((await waiting).status).toBe(503);
  await closing;
});

test('a service on another machine is asked as by any client, without a secret and without vouching for an address', async () => {
  const { port: upstreamPort } = upstream.address() as AddressInfo;
  find = () => ({ origin: `http://127.0.0.1:${upstreamPort}`, ca: undefined });
  const answer = await ask(
    'POST',
    '/status/manage/incidents',
    { authorization: 'Bearer x', 'x-status-client': '1.2.3.4' },
    '{}',
  );
  const { headers } = answer.asked();
  expect(headers).toMatchObject({ authorization: 'Bearer x', via: '1.1 ledger-mirror' });
  expect(Object.keys(headers).filter((name) => name.startsWith('x-status'))).toEqual([]);
});

test('a program that is named as its own status service does not ask itself forever', async () => {
  find = () => ({ origin: `http://127.0.0.1:${port}`, ca: undefined });
  expect((await ask('GET', '/status')).status).toBe(503);
});

test('one client with all that may wait keeps no other out', async () => {
  const hostile = Array.from({ length: 300 }, () => ask('GET', '/status/slow', {}, '', '127.0.0.66'));
  const ended = Promise.all(hostile.map(async (asked) => (await asked).status));
  await expect.poll(() => seen.length, { timeout: 60_000 }).toBe(64);
  for (const address of ['127.0.1.1', '127.0.1.2', '127.0.1.3']) {
    expect((await ask('GET', '/status', {}, '', address)).status).toBe(200);
  }
  slow.resolve();
  const statuses = await ended;
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 503).length).toBe(300 - 64 - 192);
});
