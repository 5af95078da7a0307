// Clients that go in the middle of a body, in order or with a reset: nothing of ours has failed. The log says nothing,
// no answer counts as a failure, and whoever comes next is answered.
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { serveHere } from '../support/program/serve-here.ts';
import { openRawConnection } from './raw-connection.ts';

const place = '298/0x00000000000000000000000000000000000003e9';
const json = 'application/json';
const form = 'multipart/form-data; boundary=x';
const part = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.sol"\r\n\r\ncontract';
const uploads: [path: string, type: string, begin: string][] = [
  ['/rpc', json, '{"jsonrpc":'],
  ['/', json, '{"address":'],
  ['/', form, part],
  ['/api/v1/contracts/call', json, '{"to":'],
  ['/hiero/api/v1/contracts/call', json, '{"to":'],
  ['/api/v1/network/fees', 'application/protobuf', '\x0a\x10'],
  ['/verify/explorer', json, '{"chainId":'],
  [`/v2/verify/${place}`, json, '{"stdJsonInput":'],
  [`/v2/verify/metadata/${place}`, json, '{'],
  [`/v2/verify/similarity/${place}`, json, '{'],
  [`/v2/verify/etherscan/${place}`, json, '{'],
  ['/verify', json, '{'],
  ['/verify', form, part],
  ['/verify/solc-json', form, part],
  ['/verify/etherscan', json, '{'],
  ['/session/input-files', form, part],
  ['/session/input-contract', json, '{'],
  ['/session/verify-checked', json, '{'],
  ['/session/clear', json, '{'],
  ['/testnet/contract/0.0.1001/source', form, part],
  ['/api', 'application/x-www-form-urlencoded', 'module=contract&'],
  ['/api', json, '{"module":'],
  ['/api', form, part],
  ['/v2/api?chainid=298', 'application/x-www-form-urlencoded', 'module=contract&'],
  ['/status/manage/incidents', json, '{"name":'],
  ['/api/v2/status.json', json, '{'],
  ['/nothing/here', json, '{'],
];

let scratch: ScratchDatabase;
let server: RunningServer;
const registry = new Registry();
const said: string[] = [];
beforeAll(async () => {
  scratch = await createScratchDatabase();
  const log = pino(
    { level: 'info' },
    new Writable({
      write(line: Buffer, _encoding, done) {
        said.push(line.toString());
        done();
      },
    }),
  );
  server = await serveHere(scratch.connectionString, ['--status-service', 'off'], { log, registry });
});
afterAll(async () => {
  await server?.close();
  await scratch?.close();
});

/** Answers that failed, or that blame what was sent. */
async function countFaults(): Promise<number> {
  const counted = await registry.getSingleMetric('http_requests_total')!.get();
  return counted.values.filter(({ labels }) => Number(labels.status) >= 500).reduce((sum, { value }) => sum + value, 0);
}

async function abort(head: string, begin: string, isReset: boolean): Promise<void> {
  const connection = openRawConnection(Number(new URL(server.url).port));
  const { socket } = connection;
  const ended = new Promise((done) => socket.once('close', done));
  await new Promise<void>((done) => {
    socket.write(`${head}\r\n\r\n${begin}`, 'latin1', () => done());
  });
  // The other side has begun to read.
  await new Promise((done) => setTimeout(done, 20));
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  await ended;
}

describe.each([
  ['an announced length', 'Content-Length: 100000', (text: string) => text],
  ['chunks', 'Transfer-Encoding: chunked', (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`],
  ['half a chunk', 'Transfer-Encoding: chunked', (text: string) => `ffff\r\n${text}`],
])('a body with %s', (_what, framing, frame) => {
  it.each(uploads)('to %s (%s) that ends in the middle is nobody’s failure', async (path, type, begin) => {
    const before = await countFaults();
    said.length = 0;
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${framing}`;
    await abort(head, frame(begin), false);
    await abort(head, frame(begin), true);
    // Whoever comes next is answered, and by then the end of the others has been seen.
    const next = await fetch(`${server.url}/health/liveness`);
    expect(next.status).toBe(200);
    await expect
      .poll(async () => (await registry.metrics()).match(/^http_connections_open (\d+)/m)?.[1])
      .toMatch(/^[01]$/);
    expect(said).toEqual([]);
    expect(await countFaults()).toBe(before);
  });
});
