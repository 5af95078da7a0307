import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';
import { createLog, type Logger } from './log.ts';

const silent = createLog({ level: 'silent', format: 'json' });
const never = new AbortController().signal;

test('a port that becomes free is taken', async () => {
  const { server, port } = await occupyPort();
  const app = fastify();
  const said: string[] = [];
  // Only now, so that there is something to wait for.
  const log = {
    info(sentence: string) {
      said.push(sentence);
      server.close();
    },
  } as unknown as Logger;
  await listen(app, { port, host: '127.0.0.1', log, signal: never });
  expect(said).toEqual([`127.0.0.1:${port} is taken; waiting up to 15 s for it to become free`]);
  expect((app.server.address() as AddressInfo).port).toBe(port);
  await app.close();
});

test.each([
  ['the wait is over', { waitMs: 0, signal: never }],
  ['the program is asked to stop', { signal: AbortSignal.abort() }],
])('a port that stays taken is refused when %s', async (_when, options) => {
  const { server, port } = await occupyPort();
  const app = fastify();
  await expect(listen(app, { port, host: '127.0.0.1', log: silent, ...options })).rejects.toThrow(
    `127.0.0.1:${port} is taken by another program. Stop it, or choose another port with --port.`,
  );
  await app.close();
  server.close();
});

test('a port where a program answers that stays is refused without the wait', async () => {
  const other = createHttpServer((_request, answer) => answer.end('{"status":"ok"}')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const app = fastify();
  // Far longer than a test may take.
  const options = { port, host: '127.0.0.1', waitMs: 86_400_000, log: silent, signal: never };
  await expect(listen(app, options)).rejects.toThrow(`127.0.0.1:${port} is taken by another program.`);
  await app.close();
  other.closeAllConnections();
  other.close();
});

test('an address of another machine is refused with advice', async () => {
  const app = fastify();
  await expect(listen(app, { port: 0, host: '192.0.2.1', log: silent, signal: never })).rejects.toThrow(
    'Choose another with --host and --port.',
  );
  await app.close();
});

async function occupyPort(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}
