// Of the last minute's requests the signals say what clients lose, each with one vote, and no single client can bring
// one about.
import { array, assert, integer, property, record } from 'fast-check';
import { fastify } from 'fastify';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import {
  createClientOutcomes,
  durationBoundsMs,
  type OutcomeCounts,
} from '../../../../packages/kit/shares/client-outcomes.ts';
import { createClientOf } from '../../../../packages/web-server/client-of.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import { createResponder } from '../../../../packages/web-server/responder.ts';
import { addRequestMetrics } from '../../../api/frame/request-metrics.ts';
import { createRequestSignals, judgeOutcomes } from './request-signals.ts';

/** A client with so many answers, of which each took so long. */
function client(answered: number, failed = 0, refused = 0, ms = 1): OutcomeCounts {
  const durations = new Float64Array(durationBoundsMs.length + 1);
  const place = durationBoundsMs.findIndex((bound) => ms <= bound);
  durations[place < 0 ? durationBoundsMs.length : place] = answered + failed + refused;
  return { answered, failed, refused, durations };
}
const many = (count: number, ...given: Parameters<typeof client>): OutcomeCounts[] =>
  Array.from({ length: count }, () => client(...given));

describe('the share of failures', () => {
  it.each<[string, OutcomeCounts[], number]>([
    ['nobody asks', [], 0],
    ['the only client gets nothing else', [client(0, 20)], 1],
    ['the only client gets some', [client(30, 10)], 0.25],
    ['the only client gets two: chance', [client(0, 2)], 0],
    ['one of two gets nothing else', [client(50), client(0, 5000)], 0],
    ['both of two get nothing else', many(2, 0, 20), 1],
    ['one of nine gets nothing else', [...many(8, 20), client(0, 5000)], 0],
    ['one of nine gets nothing else, and asks rarely', [...many(8, 2000), client(0, 3)], 0],
    ['two of nine get nothing else', [...many(7, 20), ...many(2, 0, 20)], 1 / 8],
    ['each of nine gets some', many(9, 80, 20), 0.2],
    ['a hundred get one each', many(100, 0, 1), 1],
    ['of a hundred, two get one each by chance', [...many(98, 9), ...many(2, 9, 1)], 0],
    ['refusals are none', many(9, 1, 0, 99), 0],
  ])('%s', (_case, clients, share) => {
    expect(judgeOutcomes(clients)['api.errorShare']).toBeCloseTo(share, 12);
  });
});

describe('the share of refusals for load', () => {
  it.each<[string, OutcomeCounts[], number]>([
    ['the only client floods', [client(10, 0, 9000)], 0],
    ['one of nine floods', [...many(8, 20), client(10, 0, 9000)], 0],
    ['each of nine is refused half', many(9, 20, 0, 20), 0.5],
  ])('%s', (_case, clients, share) => {
    expect(judgeOutcomes(clients)['api.refusedShare']).toBeCloseTo(share, 12);
  });
});

describe('how long answers take', () => {
  it.each<[string, OutcomeCounts[], number]>([
    ['nobody asks', [], 0],
    ['streams alone', [{ ...client(0), answered: 5 }], 0],
    ['the only client', [client(100, 0, 0, 90)], 97.5],
    ['one of two waits for ever', [client(1, 0, 0, 5), client(5000, 0, 0, 60_000)], 4.75],
    ['two of three wait long', [client(10, 0, 0, 5), ...many(2, 10, 0, 0, 2500)], 2475],
    ['beyond the last bound nothing is known', many(3, 1, 0, 0, 99_999), 10_000],
  ])('%s', (_case, clients, ms) => {
    expect(judgeOutcomes(clients)['api.p95Ms']).toBeCloseTo(ms, 9);
  });
});

const anyClient = record({
  answered: integer({ min: 0, max: 1000 }),
  failed: integer({ min: 0, max: 1000 }),
  refused: integer({ min: 0, max: 1000 }),
  ms: integer({ min: 1, max: 20_000 }),
})
  .filter(({ answered, failed, refused }) => answered + failed + refused > 0)
  .map(({ answered, failed, refused, ms }) => client(answered, failed, refused, ms));

/** The second reading: each share by itself, and their mean. */
function meanShare(clients: readonly OutcomeCounts[], outcome: 'failed' | 'refused'): number {
  const shares = clients.map((one) => one[outcome] / (one.answered + one.failed + one.refused));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

it('whatever one client does, no signal is worse than what the others have by themselves', () => {
  assert(
    property(array(anyClient, { minLength: 1, maxLength: 12 }), anyClient, (honest, hostile) => {
      const signals = judgeOutcomes([...honest, hostile]);
      expect(signals['api.errorShare']).toBeLessThanOrEqual(meanShare(honest, 'failed') + 1e-9);
      expect(signals['api.refusedShare']).toBeLessThanOrEqual(meanShare(honest, 'refused') + 1e-9);
      const alone = honest.map((one) => judgeOutcomes([one])['api.p95Ms']).sort((one, other) => one - other);
      expect(alone[alone.length >> 1]).toBeGreaterThanOrEqual(signals['api.p95Ms']);
    }),
    { numRuns: 500 },
  );
});

it('one client cannot hide what two or more others lose', () => {
  assert(
    property(integer({ min: 2, max: 20 }), anyClient, (count, other) => {
      expect(judgeOutcomes([...many(count, 0, 5), other])['api.errorShare']).toBeGreaterThanOrEqual(0.5);
    }),
  );
});

it('every client has the same vote, in any order', () => {
  assert(
    property(array(anyClient, { minLength: 1, maxLength: 8 }), (clients) => {
      const turned = judgeOutcomes([...clients].reverse());
      for (const [name, value] of Object.entries(judgeOutcomes(clients))) {
        expect(turned[name as keyof typeof turned]).toBeCloseTo(value, 9);
      }
    }),
  );
});

it('what a client gets is what counts, in the last minute, once there is enough of it', async () => {
  const outcomes = createClientOutcomes();
  const app = fastify();
  addRequestMetrics(app, new Registry(), { outcomes, clientOf: createClientOf() });
  const responder = createResponder(app.log);
  app.get('/api/v1/things/:kind', (request, reply) =>
    responder.respond(request, reply, async () => {
      const { kind } = request.params as { kind: string };
      if (kind === 'internal') throw new Error('a defect');
      if (kind !== 'good') throw refuse(kind as 'overloaded');
      return { status: 200, body: '{}' };
    }),
  );
  app.get('/health/readiness', (_request, reply) => reply.code(503).send());
  const signals = createRequestSignals(outcomes.take, 60_000);
  const ask = async (kind: string, count: number, remoteAddress = '192.0.2.1'): Promise<void> => {
    for (let index = 0; index < count; index += 1) await app.inject({ url: `/api/v1/things/${kind}`, remoteAddress });
  };
  // Of the time before the first report.
  await ask('good', 5);
  const none = { 'api.requests': 0, 'api.errorShare': 0, 'api.refusedShare': 0, 'api.p95Ms': 0 };
  expect(signals(0)).toEqual(none);
  await app.inject('/health/readiness');
  await ask('good', 8);
  await ask('unavailable', 2);
  expect(signals(10_000)).toMatchObject({ 'api.requests': 10, 'api.errorShare': 0 });
  await ask('internal', 2);
  const noticed = signals(20_000);
  expect(noticed).toMatchObject({ 'api.requests': 12, 'api.errorShare': 4 / 12 });
  expect(noticed['api.p95Ms']).toBeGreaterThan(0);
  // None of these is a fault of the service.
  for (const kind of ['notFound', 'notSimulated', 'notPriced', 'noProof', 'noProofNow', 'callThrottled'])
    await ask(kind, 5);
  await ask('tooManyRequests', 5);
  expect(signals(25_000)).toMatchObject({ 'api.requests': 47, 'api.errorShare': 4 / 47, 'api.refusedShare': 0 });
  // Another client that has no trouble: it is not the service.
  await ask('good', 1, '192.0.2.2');
  await ask('overloaded', 5);
  await ask('tooManyConnections', 4);
  expect(signals(30_000)).toMatchObject({ 'api.requests': 57, 'api.errorShare': 0, 'api.refusedShare': 0 });
  await ask('overloaded', 3, '192.0.2.2');
  expect(signals(40_000)).toMatchObject({ 'api.errorShare': 0, 'api.refusedShare': 9 / 56 });
  expect(signals(75_000)).toMatchObject({ 'api.requests': 50 });
  expect(signals(95_000)).toMatchObject({ 'api.requests': 3 });
  expect(signals(101_000)).toEqual(none);
  // Nobody asked for minutes: what was counted is of longer than a minute.
  await ask('internal', 9);
  expect(signals(400_000)).toEqual(none);
  await app.close();
});

it('of a request whose client has gone nothing counts', async () => {
  const outcomes = createClientOutcomes();
  const app = fastify();
  addRequestMetrics(app, new Registry(), { outcomes, clientOf: createClientOf() });
  const responder = createResponder(app.log);
  const { promise: asked, resolve: come } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  app.get('/api/v1/slow', async (request, reply) => {
    come();
    await responder.respond(request, reply, async () => {
      await new Promise((done) => request.raw.socket.once('close', done));
      throw new Error('a defect that nobody sees');
    });
    end();
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const going = new AbortController();
  const answer = fetch(`${url}/api/v1/slow`, { signal: going.signal }).catch((error: Error) => error.name);
  await asked;
  going.abort();
  expect(await answer).toBe('AbortError');
  await ended;
  await new Promise(setImmediate);
  expect(outcomes.take().clients).toEqual([]);
  await app.close();
});
