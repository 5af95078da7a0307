// `--cluster-id`: the header x-cluster-id of every answer over HTTP, whoever writes it; without the setting there is
// none.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { serveHere } from '../support/program/serve-here.ts';

let scratch: ScratchDatabase;
let named: RunningServer;
let nameless: RunningServer;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  const flags = ['--rpc-port', '0', '--metrics-port', '0', '--status-service', 'off'];
  named = await serveHere(scratch.connectionString, ['--cluster-id', 'eu-west_1.b', ...flags]);
  nameless = await serveHere(scratch.connectionString, flags);
});
afterAll(async () => {
  await named?.close();
  await nameless?.close();
  await scratch?.close();
});

const json = { 'content-type': 'application/json' };
const rpcOf = ({ places }: RunningServer) => places.find((place) => place.includes('JSON-RPC'))!.split(': ')[1]!;

it.each<[what: string, path: string, init?: RequestInit]>([
  ['a list', '/api/v1/accounts'],
  ['a list of the other dialect', '/hiero/api/v1/blocks'],
  ['a refusal', '/api/v1/accounts?limit=x'],
  ['what is not found', '/api/v1/accounts/0.0.5'],
  ['an unknown path', '/nothing'],
  ['an answer of Java', '/hiero/api/v1/network/nodes'],
  ['a preflight', '/api/v1/accounts', { method: 'OPTIONS' }],
  ['a head', '/api/v1/accounts', { method: 'HEAD' }],
  ['a page', '/'],
  ['a compressed document', '/api/v1/docs/openapi.yml', { headers: { 'accept-encoding': 'gzip' } }],
  ['liveness', '/health/liveness'],
  ['a call', '/api/v1/contracts/call', { method: 'POST', body: '{}' }],
  ['JSON-RPC', '/rpc', { method: 'POST', headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' }],
])('%s', async (_what, path, init) => {
  const [one, none] = await Promise.all([named, nameless].map(({ url }) => fetch(`${url}${path}`, init)));
  expect([one!.status, one!.headers.get('x-cluster-id')]).toEqual([none!.status, 'eu-west_1.b']);
  expect(none!.headers.get('x-cluster-id')).toBeNull();
  // Nothing else is different.
  const others = (answer: Response) =>
    [...answer.headers].filter(([name]) => !['x-cluster-id', 'date', 'x-request-id'].includes(name));
  expect(others(one!)).toEqual(others(none!));
});

it('an answer that the client has already', async () => {
  const tag = (await fetch(`${named.url}/api/v1/blocks`)).headers.get('etag')!;
  // Fetch would ask for no cached answer.
  const request = get(`${named.url}/api/v1/blocks`, { headers: { 'if-none-match': tag } });
  const [again] = (await once(request, 'response')) as [IncomingMessage];
  again.resume();
  expect([again.statusCode, again.headers['x-cluster-id']]).toEqual([304, 'eu-west_1.b']);
});

it('the port of JSON-RPC', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
  const answers = [named, nameless].map((server) => fetch(rpcOf(server), { method: 'POST', headers: json, body }));
  expect((await Promise.all(answers)).map(({ headers }) => headers.get('x-cluster-id'))).toEqual(['eu-west_1.b', null]);
});

it('bytes that are no request', async () => {
  const socket = connect(Number(new URL(named.url).port), '127.0.0.1');
  socket.end('nonsense\r\n\r\n');
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  const [first, ...headers] = Buffer.concat(parts).toString().split('\r\n');
  expect(first).toBe('HTTP/1.1 400 Bad Request');
  expect(headers).toContain('x-cluster-id: eu-west_1.b');
});

it('is one word', () => {
  for (const value of ['a b', 'a\r\nb', 'x'.repeat(101)]) {
    expect(() => loadSettings('serve', ['--cluster-id', value], {})).toThrow('cluster-id');
  }
});
