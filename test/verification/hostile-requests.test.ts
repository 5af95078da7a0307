// Bodies that are meant to hurt: clear answers, while the process's memory stays flat.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { compilerVersion } from '../support/contracts/sample-contracts.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let stack: VerificationStack;
beforeAll(async () => {
  stack = await startVerificationStack({ explorers: [] });
});
afterAll(() => stack?.close());

/** Without what waits for the collector, which comes when it likes. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const contract = `298/0x${'ab'.repeat(20)}`;

it.each<[string, string, () => string, number, string]>([
  [
    '30 MB for the operation',
    '/verify/explorer',
    () => `{"address":"${'a'.repeat(30_000_000)}"}`,
    413,
    'body_too_large',
  ],
  ['30 MB of sources', `/v2/verify/${contract}`, () => `{"a":"${'a'.repeat(30_000_000)}"}`, 413, 'body_too_large'],
  ['lists in lists', '/verify/explorer', () => '['.repeat(60_000), 400, 'invalid_json'],
  ['millions of lists in lists', `/v2/verify/${contract}`, () => '['.repeat(9_000_000), 400, 'invalid_json'],
  ['millions of values', `/v2/verify/${contract}`, () => `[${'0,'.repeat(4_000_000)}0]`, 400, 'invalid_json'],
  ['objects in objects', `/v2/verify/${contract}`, () => '{"a":'.repeat(1000), 400, 'invalid_json'],
  [
    'settings in settings',
    `/v2/verify/${contract}`,
    () => `{"stdJsonInput":${'{"settings":'.repeat(70)}0${'}'.repeat(71)}`,
    400,
    'invalid_json',
  ],
])('%s', async (_case, path, body, status, customCode) => {
  const answer = await stack
    .post(path, body())
    .catch((error: Error & { cause?: { code?: string } }) => error.cause?.code);
  // The answer may come before the body is sent; a client that goes on sending then sees a closed connection.
  if (typeof answer === 'string') expect(answer).toMatch(/ECONNRESET|EPIPE|UND_ERR_SOCKET/);
  else expect(answer).toMatchObject({ status, body: { customCode } });
});

it.each([
  ['gzip', gzipSync(Buffer.alloc(50_000_000, '{'))],
  ['deflate', deflateSync(Buffer.alloc(50_000_000, '['))],
])('a bomb packed with %s is not unpacked', async (encoding, body) => {
  const response = await fetch(`${stack.url}/v2/verify/${contract}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: new Uint8Array(body),
  });
  expect(response.status).toBe(415);
  expect(await response.json()).toMatchObject({ customCode: 'unsupported_media_type' });
});

it('forms with too many or too long parts', async () => {
  const many = new FormData();
  for (let i = 0; i < 40; i++) many.append(`f${i}`, 'x');
  expect(await stack.check(many)).toMatchObject({ status: 413, body: { customCode: 'body_too_large' } });
  const long = new FormData();
  long.set('address', 'x'.repeat(100_000));
  expect(await stack.check(long)).toMatchObject({ status: 413, body: { customCode: 'body_too_large' } });
});

it('large bodies that are sent slowly by many leave room for no more than four, and everything after them works', async () => {
  const { port } = new URL(stack.url);
  const sockets = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.write(
      `POST /v2/verify/${contract} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n{`,
    );
  }
  const small = { stdJsonInput: {}, compilerVersion, contractIdentifier: 'a.sol:A' };
  const post = () => stack.post(`/v2/verify/${contract}`, small);
  const refused = await vi.waitFor(
    async () => {
      const answer = await post();
      expect(answer).toMatchObject({ status: 429, body: { customCode: 'too_many_jobs' } });
      return answer;
    },
    { timeout: waitMs },
  );
  expect(refused.headers.get('retry-after')).toBe('2');
  // The operation itself has small bodies and goes on.
  expect((await stack.check({})).status).toBe(400);
  for (const socket of sockets) {
    socket.destroy();
    await once(socket, 'close');
  }
  await vi.waitFor(async () => expect((await post()).status).toBe(400), { timeout: waitMs });
});

it('memory stays flat under a hundred hostile bodies', async () => {
  const deep = '['.repeat(2_000_000);
  for (let i = 0; i < 5; i++) await stack.post(`/v2/verify/${contract}`, deep);
  const before = usedBytes();
  for (let i = 0; i < 100; i++) await stack.post(`/v2/verify/${contract}`, deep);
  // Ten of the bodies. What is outside of the heap is given back some time after a collection.
  await vi.waitFor(() => expect(usedBytes() - before).toBeLessThan(20_000_000), { timeout: 120_000, interval: 200 });
});

it('names that JavaScript knows are names like others', async () => {
  const sources = JSON.parse('{"__proto__":{"content":"contract A {}"},"constructor":{"content":""}}');
  const stdJsonInput = { language: 'Solidity', sources, settings: {} };
  const answer = await stack.post(`/v2/verify/${contract}`, {
    stdJsonInput,
    compilerVersion,
    contractIdentifier: '__proto__:A',
  });
  expect(answer).toMatchObject({ status: 400, body: { customCode: 'invalid_sources' } });
  expect(({} as { content?: string }).content).toBeUndefined();
});
