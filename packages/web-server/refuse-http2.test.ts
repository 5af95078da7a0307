// Clients that speak HTTP/2 to a port of HTTP/1.1: each of them gets the reason in its own words, within bounds.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { afterEach, expect, test, vi } from 'vitest';
import { makeCertificate } from '../test-support/tls/make-certificate.ts';
import { createClientConnections } from './client-connections.ts';
import { defaultConnectionLimits } from './connection-limits.ts';
import { createListener, type ListenerOptions } from './create-listener.ts';

const elsewhere = 'gRPC is answered at port 5600.';
const reason = `This port speaks HTTP/1.1, not HTTP/2. ${elsewhere}`;
const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** SETTINGS without members: length 0, type 4, no flags, stream 0. */
const settingsFrame = Buffer.from('000000040000000000', 'hex');
/** HEADERS of stream 1: GET / of http at host x, by the static table of RFC 7541. Flags: 4 = whole, 5 = the stream ends. */
const headersFrame = (flags: 0 | 4 | 5) => Buffer.from(`000006010${flags}00000001828684010178`, 'hex');
const requestFrame = headersFrame(5);

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function listen(options: Partial<ListenerOptions> = {}) {
  const connections = createClientConnections(defaultConnectionLimits);
  const server = createListener((_request, answer) => void answer.end('good'), defaultConnectionLimits, connections, {
    clusterId: null,
    http2Elsewhere: elsewhere,
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    connections.close();
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, connections };
}

async function call(port: number, kind: 'unary' | 'stream'): Promise<ServiceError> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  closings.push(() => client.close());
  const same = (bytes: Buffer) => bytes;
  const path = '/com.hedera.mirror.api.proto.NetworkService/getNodes';
  const end = { deadline: Date.now() + 20_000 };
  if (kind === 'stream') {
    const [error] = await once(
      client.makeServerStreamRequest(path, same, same, Buffer.from('request'), new Metadata(), end),
      'error',
    ).catch((thrown) => [thrown]);
    return error;
  }
  return new Promise((done) =>
    client.makeUnaryRequest(path, same, same, Buffer.from('request'), new Metadata(), end, (error) => done(error!)),
  );
}

async function request(url: string, options = {}): Promise<{ headers: IncomingHttpHeaders; body: string }> {
  const session = connectHttp2(url, options);
  closings.push(() => session.destroy());
  const stream = session.request({ ':path': '/api/v1/blocks' });
  const [headers] = await once(stream, 'response');
  return { headers, body: await text(stream) };
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  closings.push(() => socket.destroy());
  return socket;
}

const formatted = `{"_status":{"messages":[{"message":"${reason}"}]}}`;

test.each(['unary', 'stream'] as const)('a %s call of gRPC has failed, with the reason as its text', async (kind) => {
  const { port, connections } = await listen();
  expect(await call(port, kind)).toMatchObject({ code: 12, details: reason });
  // Its connection ends by itself.
  await expect.poll(connections.count).toBe(0);
});

test('another request of HTTP/2 gets the reason as JSON', async () => {
  const { port } = await listen({ clusterId: 'east' });
  const { headers, body } = await request(`http://127.0.0.1:${port}`);
  expect(headers).toMatchObject({
    ':status': 505,
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'x-cluster-id': 'east',
  });
  expect(body).toBe(formatted);
});

test('over TLS too, by a client that does not ask which protocol is spoken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-http2-'));
  closings.push(() => rmSync(folder, { recursive: true }));
  makeCertificate(folder);
  const [cert, key] = ['cert', 'key'].map((name) => readFileSync(join(folder, `${name}.pem`), 'utf8'));
  const { port } = await listen({ tls: { cert: cert!, key: key! } });
  const createConnection = () => connectTls({ port, host: '127.0.0.1', ca: cert, ALPNProtocols: [] });
  expect(await request(`https://127.0.0.1:${port}`, { createConnection })).toMatchObject({ body: formatted });
});

test.each([1, 3, 18, 23])('the preface may come in two parts, the first of %i bytes', async (cut) => {
  const { port } = await listen();
  const socket = open(port);
  socket.write(preface.slice(0, cut));
  await vi.waitUntil(() => socket.bytesWritten === cut);
  await new Promise((done) => setTimeout(done, 50));
  socket.write(Buffer.concat([Buffer.from(preface.slice(cut)), settingsFrame, requestFrame]));
  expect(await text(socket)).toContain(formatted);
});

test('after a request of HTTP/1.1 the preface is no HTTP/2', async () => {
  const { port } = await listen();
  const socket = open(port);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'data');
  socket.write(Buffer.concat([Buffer.from(preface), settingsFrame, requestFrame]));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request/);
});

test.each([
  ['no frames', Buffer.alloc(0)],
  ['no call', settingsFrame],
  ['half of a frame', requestFrame.subarray(0, 10)],
  ['what is no frame', Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n')],
  ['a call without an end', headersFrame(4)],
])('%s after the preface: the connection ends in time, and the port answers on', async (_, bytes) => {
  const { port, connections } = await listen();
  const begin = performance.now();
  const socket = open(port);
  socket.write(Buffer.concat([Buffer.from(preface), bytes]));
  socket.resume();
  await once(socket, 'close');
  expect(performance.now() - begin).toBeLessThan(4000);
  await expect.poll(connections.count).toBe(0);
  const next = open(port);
  next.end('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  expect(await text(next)).toContain('good');
});

test.each([
  ['settings', settingsFrame],
  ['pings', Buffer.concat([Buffer.from('000008060000000000', 'hex'), Buffer.alloc(8)])],
  ['headers without end', headersFrame(0)],
])('a flood of %s is cut after 16 KiB', async (_, frame) => {
  const { port, connections } = await listen();
  const socket = open(port);
  socket.resume();
  socket.write(preface);
  const flood = Buffer.concat(Array.from({ length: Math.ceil(4096 / frame.length) }, () => frame));
  let sent = 0;
  while (!socket.destroyed && sent < 100) {
    sent += 1;
    await new Promise((done) => socket.write(flood, done));
    await new Promise((done) => setImmediate(done));
  }
  await vi.waitUntil(() => socket.destroyed || socket.closed, { timeout: 1500 });
  expect(sent).toBeLessThan(20);
  await expect.poll(connections.count).toBe(0);
});

test('of one client 64 connections at a time are answered so, the others as any bytes; another client has a place', async () => {
  let asks = 'one';
  const { port } = await listen({ ownerOf: () => ({ client: asks, isProxy: false }) });
  const held = Array.from({ length: 64 }, () => open(port));
  await Promise.all(
    held.map(async (socket) => {
      socket.write(Buffer.concat([Buffer.from(preface), settingsFrame]));
      await once(socket, 'data');
    }),
  );
  const further = open(port);
  further.write(Buffer.concat([Buffer.from(preface), settingsFrame, requestFrame]));
  expect(await text(further)).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  asks = 'another';
  const stranger = open(port);
  stranger.write(Buffer.concat([Buffer.from(preface), settingsFrame, requestFrame]));
  expect(await text(stranger)).toContain(formatted);
});

test('in a second 64 are answered so, however short they are', async () => {
  const { port } = await listen();
  const ask = async (): Promise<string> => {
    const socket = open(port);
    socket.write(Buffer.concat([Buffer.from(preface), settingsFrame, requestFrame]));
    return text(socket);
  };
  const begin = performance.now();
  const answers: string[] = [];
  while (answers.length < 80) answers.push(...(await Promise.all(Array.from({ length: 20 }, ask))));
  const seconds = Math.ceil((performance.now() - begin) / 1000);
  const answered = answers.filter((answer) => answer.includes(formatted)).length;
  expect(answered).toBeGreaterThanOrEqual(64);
  expect(answered).toBeLessThanOrEqual(64 * seconds);
  await expect.poll(ask, { timeout: 5000 }).toContain(formatted);
});
