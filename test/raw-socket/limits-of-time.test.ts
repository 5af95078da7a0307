// No client keeps a connection by being slow, whatever it is slow at. The limits here are short; waits are for the end of
// the connection, never for a time.
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionLimits } from '../../src/http/frame/connection-limits.ts';
import { createConnectionGuard } from '../../src/http/frame/guard-connections.ts';
import { openRawConnection, type RawConnection } from './raw-connection.ts';

const limits: ConnectionLimits = {
  headTimeoutMs: 300,
  bodyTimeoutMs: 300,
  // Later than the end of a body, so that it is seen which limit ends what.
  idleTimeoutMs: 600,
  answerTimeoutMs: 300,
  maxConnections: 100,
};
/** More than the buffers of both ends hold. */
const largeAnswer = Buffer.alloc(64 * 1024 * 1024, 'x');

const guard = createConnectionGuard({ limits });
const app = fastify(guard.options);
guard.addTo(app);
app.get('/', async () => 'good');
app.post('/', async () => 'taken');
app.get('/slow', async () => {
  // Longer than every limit: the server's own time is not its client's.
  await new Promise((done) => setTimeout(done, 1200));
  return 'late';
});
app.get('/large', async () => largeAnswer);
let port: number;

beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as { port: number });
});
afterAll(() => app.close());

/** Sends a byte now and then until the other side ends the connection; gives the statuses of what was answered. */
async function drip(connection: RawConnection, bytes: string): Promise<number[]> {
  const timer = setInterval(() => connection.socket.writable && connection.send(bytes), 50);
  const answers = await connection.rest();
  clearInterval(timer);
  return answers.map(({ status }) => status);
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test.each<[string, string, string, number[]]>([
  ['a connection that says nothing', '', '', [408]],
  ['line ends and nothing else', '', '\r\n', [408]],
  ['a head that comes byte by byte', 'GET / HTTP/1.1\r\nHost: x\r\nX: ', 'a', [408]],
  [
    'a body that comes byte by byte',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n',
    'a',
    [408],
  ],
  [
    'chunks that come byte by byte',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n',
    '1\r\na\r\n',
    [408],
  ],
  [
    'a body that never comes',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n',
    '',
    [408],
  ],
  ['a body after the answer', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n', 'a', [200]],
  ['an idle connection', get, '', [200]],
  ['line ends between requests', get, '\r\n', [200]],
  ['a second head that comes byte by byte', `${get}GET / HTTP/1.1\r\nX: `, 'a', [200, 408]],
])('%s is ended', async (_what, first, bytes, statuses) => {
  const connection = openRawConnection(port);
  if (first !== '') connection.send(first);
  expect(bytes === '' ? (await connection.rest()).map(({ status }) => status) : await drip(connection, bytes)).toEqual(
    statuses,
  );
});

test('an answer that is not read is ended', async () => {
  const connection = openRawConnection(port);
  connection.socket.pause();
  connection.send('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  const ended = new Promise((done) => connection.socket.once('close', done));
  // A paused socket does not hear of its end: it does when it writes to who is gone.
  const timer = setInterval(() => connection.send(' '), 50);
  await ended;
  clearInterval(timer);
});

test('an answer that takes the server long is not ended, nor one that is read', async () => {
  const slow = openRawConnection(port);
  slow.send('GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect((await slow.next())?.body).toBe('late');
  const large = openRawConnection(port);
  large.send('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let received = 0;
  large.socket.removeAllListeners('data').on('data', (chunk) => {
    received += chunk.length;
  });
  await new Promise((done) => large.socket.once('end', done));
  expect(received).toBeGreaterThan(largeAnswer.length);
});

test('requests that follow each other keep their connection longer than any limit', async () => {
  const connection = openRawConnection(port);
  for (const until = Date.now() + 1000; Date.now() < until; ) {
    connection.send(get);
    expect((await connection.next())?.body).toBe('good');
    await new Promise((done) => setTimeout(done, 50));
  }
  connection.close();
});

test('clients that hold on do not keep the server from ending', async () => {
  const second = createConnectionGuard({ limits: { ...limits, headTimeoutMs: 60_000, idleTimeoutMs: 60_000 } });
  const ending = fastify(second.options);
  second.addTo(ending);
  ending.get('/', async () => 'good');
  await ending.listen({ host: '127.0.0.1', port: 0 });
  const { port: endingPort } = ending.server.address() as { port: number };
  const silent = openRawConnection(endingPort);
  const idle = openRawConnection(endingPort);
  idle.send(get);
  await idle.next();
  const half = openRawConnection(endingPort);
  half.send(get + get.slice(0, 20));
  await half.next();
  await ending.close();
  for (const connection of [silent, idle, half]) expect(await connection.rest()).toEqual([]);
});
