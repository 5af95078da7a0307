// A Fastify server with one route and a constant answer of 3 KB of JSON: the speed of the framework alone. Prints its
// URL.
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';

const body = JSON.stringify({
  entries: Array.from({ length: 60 }, (_, i) => ({ account: `0.0.${1000 + i}`, amount: i * 1000 })),
});
const registry = new Registry();
collectDefaultMetrics({ register: registry });
const app = fastify();
app.get('/api/v1/bare', (_request, reply) => {
  void reply.header('content-type', 'application/json; charset=utf-8').send(body);
});
app.get('/metrics', () => registry.metrics());
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(`Answering on http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
