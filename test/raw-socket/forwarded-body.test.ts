// What a client sends as the body of a forwarded request never becomes part of another client's request.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '../support/program/start-product.ts';
import { openRawConnection } from './raw-connection.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct(['--status-token', 'kim:a-token-of-sixteen-characters']);
});
afterAll(() => product.close());

const lines = (...texts: string[]): string => texts.join('\r\n');

async function exchange(text: string): Promise<number | undefined> {
  const connection = openRawConnection(product.port);
  connection.send(text);
  const answer = await connection.next();
  connection.close();
  return answer?.status;
}

const eaten = 900;

/** A request that a forwarder may send on without the body that its head announces. */
const announcing = (method: string, path: string): string =>
  lines(`${method} ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${eaten}`, '', '');

test.each(['GET', 'HEAD'])('an announced body of %s that never comes leaves the next client alone', async (method) => {
  for (const path of ['/status', '/api/v2/status.json', '/status/badge.svg']) {
    const connection = openRawConnection(product.port);
    connection.send(announcing(method, path));
    expect((await connection.next({ method }))?.status).toBe(200);
    for (let count = 0; count < 3; count++) {
      expect(await exchange(lines('GET /api/v2/components.json HTTP/1.1', 'Host: localhost', '', ''))).toBe(200);
    }
    connection.close();
  }
});

test('nobody publishes an incident without a token', async () => {
  const incident = JSON.stringify({ name: 'Published by a stranger', body: 'x' });
  const first = openRawConnection(product.port);
  first.send(announcing('GET', '/status'));
  await first.next();
  // Its own head is meant to be eaten as the body above; line ends before a request are skipped.
  const smuggled = lines(
    '\r\n'.repeat(eaten / 2),
    'GET /api/v2/status.json HTTP/1.1',
    'Host: localhost',
    '',
    'POST /status/manage/incidents HTTP/1.1',
    'X-Status-By: stranger',
    // What comes next on that connection is a head with whatever the forwarder adds to it.
    'X-Rest: ',
  );
  const second = openRawConnection(product.port);
  second.send(
    `${lines('POST /status/manage/none HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', `Content-Length: ${smuggled.length}`, '', '')}${smuggled}`,
  );
  await second.next();
  const third = openRawConnection(product.port);
  third.send(
    lines(
      'POST /status/manage/incidents HTTP/1.1',
      'Host: localhost',
      'X-Status-By: stranger',
      'Content-Type: application/json',
      `Content-Length: ${incident.length}`,
      '',
      incident,
    ),
  );
  expect((await third.next())?.status).toBe(401);
  for (const { close } of [first, second, third]) close();
  const answer = await fetch(`${product.url}/api/v2/incidents.json`);
  const { incidents } = (await answer.json()) as { incidents: { name: string }[] };
  expect(incidents.map(({ name }) => name)).not.toContain('Published by a stranger');
});
