// A long body comes whole to whoever reads it, and goes with a client that goes.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeAnswer } from './write-answer.ts';

const app = fastify();
const long = Array.from({ length: 300_000 }, (_, place) => `${place} ü €`).join(',');
const ended: Promise<unknown>[] = [];

beforeAll(async () => {
  app.get('/', (request, reply) => {
    const written = writeAnswer(request, reply, { status: 200, body: long, cacheControl: 'no-store' });
    ended.push(Promise.all([written, once(reply.raw, 'close')]));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

it('comes whole, as it is and compressed', async () => {
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  for (const encoding of ['identity', 'gzip']) {
    const answer = await fetch(url, { headers: { 'accept-encoding': encoding } });
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
    expect(await answer.text()).toBe(long);
  }
});

it('a client that goes in the middle takes the rest with it', async () => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  await expect(ended.at(-1)).resolves.toBeDefined();
});
