import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectClient } from './connect-client.ts';
import { createSessionPool } from './session-pool.ts';

const sockets: Socket[] = [];
let server: Server;
let connectionString: string;

// As a machine that stands still, or a proxy without a server behind it.
beforeAll(async () => {
  server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  connectionString = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/name`;
});
afterAll(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
});

it('a server that takes a connection and says nothing is away', async () => {
  await expect(connectClient(connectionString, 'test', 50)).rejects.toMatchObject({
    code: 'ETIMEDOUT',
    message: expect.stringMatching(
      /^PostgreSQL at 127\.0\.0\.1:\d+ does not answer \(.*\)\. Check that host and port /,
    ),
  });
});

it.each([
  ['connecting takes too long', { connectionTimeoutMillis: 50, maxWaitMs: 60_000 }, /PostgreSQL does not answer/],
  ['a query has waited long enough', { connectionTimeoutMillis: 60_000, maxWaitMs: 50 }, /No connection .* was free/],
])('so it is for queries: %s', async (_when, { connectionTimeoutMillis, maxWaitMs }, message) => {
  const client = { connectionString, connectionTimeoutMillis };
  const pool = createSessionPool({ client, maxSessions: 2, maxWaitMs, onConnectionLost() {} });
  const asked = new Promise((resolve, reject) => {
    pool.run({ statement: 'one', text: 'select 1', values: [], client: '', resolve, reject });
  });
  await expect(asked).rejects.toMatchObject({ code: 'ETIMEDOUT', message: expect.stringMatching(message) });
});
