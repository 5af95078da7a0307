// No client keeps a connection by being slow, whatever it is slow at. Limits that end a connection here are short;
// waits are for its end, never for a time.
import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import type { ConnectionLimits } from '../../packages/web-server/connection-limits.ts';
import { createConnectionGuard } from '../../packages/web-server/guard-connections.ts';
import { openRawConnection, type RawConnection } from './raw-connection.ts';

const noLimits: ConnectionLimits = {
  headTimeoutMs: 600_000,
  bodyTimeoutMs: 600_000,
  idleTimeoutMs: 600_000,
  answerTimeoutMs: 600_000,
  maxConnections: 100,
};
/** More than the buffers of both ends hold. */
const largeAnswer = Buffer.alloc(64 * 1024 * 1024, 'x');

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Only what a test is about is limited: a busy machine does not end a connection for anything else. */
async function listen(limits: Partial<ConnectionLimits>, slowMs = 0): Promise<{ port: number; app: FastifyInstance }> {
  const guard = createConnectionGuard({ limits: { ...noLimits, ...limits } });
  const app = fastify(guard.options);
  guard.addTo(app);
  app.get('/', async () => 'good');
  app.post('/', async () => 'taken');
  app.get('/slow', async () => {
    await sleep(slowMs);
    return 'late';
  });
  app.get('/large', async () => largeAnswer);
  await app.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => app.close());
  return { app, port: (app.server.address() as { port: number }).port };
}

/** Sends a byte now and then until the other side ends the connection; gives the statuses of what was answered. */
async function drip(connection: RawConnection, bytes: string): Promise<number[]> {
  const timer = setInterval(() => connection.socket.writable && connection.send(bytes), 50);
  const answers = await connection.rest();
  clearInterval(timer);
  return answers.map(({ status }) => status);
}

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n';
const head = { headTimeoutMs: 300 };
const body = { headTimeoutMs: 300, bodyTimeoutMs: 300 };
const idle = { idleTimeoutMs: 300 };
/** Where a whole head comes first: long enough for that. */
const nextHead = { headTimeoutMs: 1000 };

test.each<[string, Partial<ConnectionLimits>, string, string, number[]]>([
  ['a connection that says nothing, and would take 408 for an answer', head, '', '', []],
  ['line ends and nothing else', head, '', '\r\n', [408]],
  ['a head that comes byte by byte', head, 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ', 'a', [408]],
  ['a body that comes byte by byte', body, `${post}Content-Length: 100000\r\n\r\n`, 'a', [408]],
  ['chunks that come byte by byte', body, `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n', [408]],
  ['a body that never comes', body, `${post}Content-Length: 5\r\n\r\n`, '', [408]],
  [
    'a body after the answer',
    { ...nextHead, bodyTimeoutMs: 100 },
    'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n',
    'a',
    [200],
  ],
  ['an idle connection', idle, get, '', [200]],
  ['line ends between requests', { ...nextHead, ...idle }, get, '\r\n', [200]],
  ['a second head that comes byte by byte', nextHead, `${get}GET / HTTP/1.1\r\nX: `, 'a', [200, 408]],
])('%s is ended', async (_what, limits, first, bytes, statuses) => {
  const { port } = await listen(limits);
  const connection = openRawConnection(port);
  if (first !== '') connection.send(first);
  expect(bytes === '' ? (await connection.rest()).map(({ status }) => status) : await drip(connection, bytes)).toEqual(
    statuses,
  );
});

test('an answer that is not read is ended', async () => {
  const { port } = await listen({ answerTimeoutMs: 300 });
  const connection = openRawConnection(port);
  connection.socket.pause();
  connection.send('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const problems: unknown[] = [];
  connection.socket.on('error', ({ code }: NodeJS.ErrnoException) => problems.push(code));
  const ended = new Promise((done) => connection.socket.once('close', done));
  // A paused socket does not notice its end before it writes to a peer that is gone.
  const timer = setInterval(() => connection.send(' '), 50);
  await ended;
  clearInterval(timer);
  expect(problems).toEqual([expect.stringMatching(/^(ECONNRESET|EPIPE)$/)]);
  // Only what the buffers of both ends hold was sent.
  expect(connection.socket.bytesRead).toBeLessThan(largeAnswer.length);
});

test('an answer that takes the server long is not ended', async () => {
  // Longer than every limit: the server's own time is not its client's.
  const limits = { headTimeoutMs: 1000, bodyTimeoutMs: 1000, idleTimeoutMs: 1000, answerTimeoutMs: 1000 };
  const { port } = await listen(limits, 2500);
  const slow = openRawConnection(port);
  slow.send('GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect((await slow.next())?.body).toBe('late');
});

test('an answer that is read is not ended', async () => {
  const { port } = await listen({ headTimeoutMs: 1000, bodyTimeoutMs: 1000, idleTimeoutMs: 1000 });
  const large = openRawConnection(port);
  large.send('GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let head = '';
  let received = 0;
  large.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    if (!head.includes('\r\n\r\n')) head += chunk.toString('latin1');
    received += chunk.length;
  });
  await new Promise((done) => large.socket.once('end', done));
  expect(received).toBe(head.indexOf('\r\n\r\n') + 4 + largeAnswer.length);
});

test('requests that follow each other keep their connection longer than any limit', async () => {
  const limitMs = 1000;
  const { port } = await listen({ headTimeoutMs: limitMs, bodyTimeoutMs: limitMs, idleTimeoutMs: limitMs });
  const connection = openRawConnection(port);
  for (const until = Date.now() + 2.5 * limitMs; Date.now() < until; await sleep(50)) {
    connection.send(get);
    expect((await connection.next())?.body).toBe('good');
  }
  connection.close();
});

test('clients that hold on do not keep the server from ending', async () => {
  const { app, port } = await listen({});
  closers.length = 0;
  const silent = openRawConnection(port);
  const waiting = openRawConnection(port);
  waiting.send(get);
  await waiting.next();
  const half = openRawConnection(port);
  half.send(get + get.slice(0, 20));
  await half.next();
  await app.close();
  for (const connection of [silent, waiting, half]) expect(await connection.rest()).toEqual([]);
});
