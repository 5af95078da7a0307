// When every connection is taken, new clients are still served as far as that is possible, and operators always.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxUnanswered } from '../../packages/web-server/client-connections.ts';
import { connectionsBeyondBound } from '../../packages/web-server/connection-places.ts';
import { type Product, startProduct } from '../support/program/start-product.ts';
import { openRawConnection, type RawAnswer, type RawConnection } from './raw-connection.ts';

const maxConnections = 12;
let product: Product;
beforeAll(async () => {
  // The status service's own probe is a client, and so are answers that its forwarding waits for. No limit of time ends
  // a connection while a test looks at it.
  const noLimits = ['--head-timeout', '600', '--body-timeout', '600', '--idle-timeout', '600'];
  product = await startProduct(['--max-connections', String(maxConnections), ...noLimits]);
});
afterAll(() => product.close());

const head = (path: string, ...more: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...more, '', ''].join('\r\n');

async function ask(path: string): Promise<RawAnswer | null> {
  const connection = openRawConnection(product.port);
  connection.send(head(path));
  const answer = await connection.next();
  connection.close();
  return answer;
}

/** Opens one after the other; `mark` is when the next one is opened. */
async function hold(count: number, text: string, mark: 'connect' | 'data'): Promise<RawConnection[]> {
  const held = [];
  for (let index = 0; index < count; index++) {
    const connection = openRawConnection(product.port);
    const marked = once(connection.socket, mark);
    if (text !== '') connection.send(text);
    await marked;
    held.push(connection);
  }
  return held;
}

/** The value of one metric. */
async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`, { headers: { connection: 'close' } })).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

test.each<[string, string, 'connect' | 'data']>([
  ['that say nothing', '', 'connect'],
  ['that have sent half a head', 'GET / HTTP/1.1\r\n', 'connect'],
  ['between two requests', head('/health/liveness'), 'data'],
])('connections %s make room: every client is answered', async (_what, text, mark) => {
  const held = await hold(3 * maxConnections, text, mark);
  for (const path of ['/api/v1/schedules', '/status', '/', '/health/liveness', '/metrics']) {
    expect([path, (await ask(path))?.status]).toEqual([path, 200]);
  }
  expect(await readMetric('http_connections_open')).toBeLessThanOrEqual(maxConnections);
  expect(await readMetric('http_connections_ended_total{reason="making_room"}')).toBeGreaterThan(maxConnections);
  for (const { close } of held) close();
});

test('when all are busy operators are answered, and others are asked to try again', async () => {
  // Their heads are whole, as "100 Continue" tells; their bodies come later or never.
  const slowBody = head('/status/manage/incidents', 'Expect: 100-continue', 'Content-Length: 99').replace(
    'GET',
    'POST',
  );
  const busy = await hold(maxConnections, slowBody, 'data');
  const beyond = openRawConnection(product.port);
  beyond.send(slowBody);
  const refused = await beyond.next();
  expect([refused?.status, refused?.head]).toEqual([503, expect.stringMatching(/connection: close/i)]);
  for (let round = 0; round < 2 * connectionsBeyondBound; round++) {
    expect((await ask('/health/liveness'))?.body).toBe('{"status":"ok"}');
    // Of a ledger without a block.
    expect((await ask('/health/readiness'))?.body).toBe('{"status":"error"}');
    expect((await ask('/metrics'))?.status).toBe(200);
    const answer = await ask('/api/v1/schedules');
    expect([answer?.status, answer?.head]).toEqual([503, expect.stringMatching(/^retry-after: 5\r?$/im)]);
  }
  // Those beyond the bound that say nothing make room as well.
  const silent = await hold(2 * connectionsBeyondBound, '', 'connect');
  expect((await ask('/health/liveness'))?.status).toBe(200);
  for (const { close } of [...busy, beyond, ...silent]) close();
  for (let status: number | undefined = 503; status !== 200; ) status = (await ask('/api/v1/schedules'))?.status;
});

test('requests without waiting for answers: a few are answered, too many end the connection', async () => {
  const few = openRawConnection(product.port);
  few.send(head('/api/v1/schedules').repeat(maxUnanswered));
  for (let count = 0; count < maxUnanswered; count++) expect((await few.next())?.status).toBe(200);
  few.close();
  const many = openRawConnection(product.port);
  many.send(head('/api/v1/schedules').repeat(1000));
  expect((await many.rest()).length).toBeLessThan(1000);
  expect(await readMetric('http_connections_ended_total{reason="too_many_unanswered"}')).toBe(1);
  expect((await ask('/api/v1/schedules'))?.status).toBe(200);
});
