// What the running product does about too much of anything: questions that take too long, more of them than can be
// answered, clients that ask too often.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase, QueryError } from '../../packages/postgres/wire/database.ts';
import { alwaysInFlight, queueIsFull } from '../../packages/postgres/wire/waiting-line.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import type { ServerOptions } from '../../src/server/server.ts';

let scratch: ScratchDatabase;

beforeAll(async () => {
  scratch = await openLedger('small');
});
afterAll(() => scratch?.close());

/** What reads blocks has to wait for. */
async function lockBlocks(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  await client.query('begin; lock table record_file in access exclusive mode');
  return () => client.end();
}

test('a query that takes too long is ended, and the client told when to come again', async () => {
  const db = openDatabase({ connectionString: scratch.connectionString, statementTimeoutMs: 200 });
  const app = openServer(db, 'spec');
  const unlock = await lockBlocks();
  const late = await app.inject('/api/v1/blocks');
  await unlock();
  expect(late.statusCode).toBe(503);
  expect(late.headers['retry-after']).toBe('5');
  expect(late.json()).toEqual({ _status: { messages: [{ message: 'Service unavailable' }] } });
  // On a busy machine its first own query may take longer than that, too.
  await vi.waitFor(async () => expect((await app.inject('/api/v1/blocks')).statusCode).toBe(200), { timeout: waitMs });
  await app.close();
  await db.close();
});

test('more questions than can be answered soon are refused; health and what is let in are answered', async () => {
  const db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 4, maxExpectedWaitMs: 10 });
  const app = openServer(db, 'spec', { hasRoom: db.hasRoom });
  await app.inject('/health/readiness');
  const unlock = await lockBlocks();
  let answered = 0;
  const all = Array.from({ length: 200 }, async () => {
    const answer = await app.inject('/api/v1/blocks');
    answered += 1;
    return answer;
  });
  await vi.waitFor(() => expect(answered).toBe(200 - alwaysInFlight), { timeout: waitMs });
  expect((await app.inject('/health/liveness')).statusCode).toBe(200);
  await unlock();
  const answers = await Promise.all(all);
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(alwaysInFlight);
  expect(refused).toHaveLength(200 - alwaysInFlight);
  expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['1']));
  expect((await app.inject('/health/readiness')).statusCode).toBe(200);
  await app.close();
  await db.close();
});

test('questions that wait too long for a connection to PostgreSQL are refused while many do', async () => {
  const db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 4, maxExpectedWaitMs: 1 });
  const app = openServer(db, 'spec');
  const unlock = await lockBlocks();
  let refusals = 0;
  const all = Array.from({ length: 200 }, async () => {
    const answer = await app.inject('/api/v1/blocks');
    if (answer.statusCode === 503) refusals += 1;
    return answer;
  });
  await vi.waitFor(() => expect(refusals).toBe(200 - alwaysInFlight), { timeout: waitMs });
  expect((await app.inject('/health/liveness')).statusCode).toBe(200);
  await unlock();
  const answers = await Promise.all(all);
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(alwaysInFlight);
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  const message = 'More requests than can be answered. Try again in a second.';
  expect(new Set(refused.map(({ headers, body }) => `${headers['retry-after']} ${body}`))).toEqual(
    new Set([`1 ${JSON.stringify({ _status: { messages: [{ message }] } })}`]),
  );
  await app.close();
  await db.close();
});

test('it is ready while questions are refused for the number of others, if these are answered', async () => {
  const db = openDatabase({ connectionString: scratch.connectionString });
  for (const [isSilent, status] of [
    [false, 200],
    [true, 503],
  ] as const) {
    const full = Object.assign(new Error('40 queries wait'), { code: queueIsFull, isSilent });
    const app = openServer({ ...db, query: () => Promise.reject(new QueryError('any', full)) }, 'spec');
    expect((await app.inject('/health/readiness')).statusCode).toBe(status);
    await app.close();
  }
  await db.close();
});

describe('with rate limits', () => {
  let db: Database;
  beforeAll(() => {
    db = openDatabase({ connectionString: scratch.connectionString });
  });
  afterAll(() => db.close());

  const limited = (more: Partial<ServerOptions> = {}) =>
    openServer(db, 'spec', {
      rateLimits: { windowMs: 3_600_000, perAddress: 3, perKey: 5, keys: new Map([['0123456789abcdef', 'kim']]) },
      ...more,
    });

  test('an address is counted, told what is left, and refused', async () => {
    const app = limited();
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await app.inject(`/api/v1/blocks?limit=${i + 1}`));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toEqual(Array(5).fill('"address";q=3;w=3600'));
    expect(answers.map(({ headers }) => String(headers.ratelimit).replace(/t=\d+$/, 't'))).toEqual(
      [2, 1, 0, 0, 0].map((left) => `"address";r=${left};t`),
    );
    expect(Number(answers[3]!.headers['retry-after'])).toBeGreaterThan(3000);
    expect(answers[3]!.json()).toEqual({
      _status: { messages: [{ message: 'More than 3 requests in 3600 seconds' }] },
    });
    expect((await app.inject('/health/readiness')).statusCode).toBe(200);
    expect((await app.inject('/metrics')).statusCode).toBe(200);
    expect((await app.inject({ method: 'OPTIONS', url: '/api/v1/blocks' })).statusCode).toBe(204);
    // What is not there counts, too.
    expect((await app.inject('/api/v1/nothing')).statusCode).toBe(429);
    await app.close();
  });

  test('a known key is counted by itself, an unknown one changes nothing', async () => {
    const app = limited();
    const ask = async (key?: string) => {
      const headers = key === undefined ? {} : { 'x-api-key': key };
      return (await app.inject({ url: '/api/v1/blocks', headers })).statusCode;
    };
    for (const key of [undefined, 'made up', 'made up again']) expect(await ask(key)).toBe(200);
    expect(await ask('made up once more')).toBe(429);
    for (let i = 0; i < 5; i++) expect(await ask('0123456789abcdef')).toBe(200);
    expect(await ask('0123456789abcdef')).toBe(429);
    await app.close();
  });

  test.each([
    ['no proxy is trusted', [], 429],
    ['this proxy is trusted', ['loopback'], 200],
  ])('of clients behind a proxy: %s', async (_what, trustProxy, status) => {
    const app = limited({ trustProxy });
    const ask = async (address: string) => {
      const { statusCode } = await app.inject({ url: '/api/v1/blocks', headers: { 'x-forwarded-for': address } });
      return statusCode;
    };
    for (let i = 0; i < 3; i++) await ask('203.0.113.1');
    expect(await ask('203.0.113.1')).toBe(429);
    expect(await ask('203.0.113.2')).toBe(status);
    await app.close();
  });
});

test('answers cannot be taken for another type, and pages show nothing from elsewhere and in no frame', async () => {
  const db = openDatabase({ connectionString: scratch.connectionString });
  const app = openServer(db, 'spec');
  for (const url of ['/', '/search?q=nothing', '/docs', '/api/v1/blocks', '/api/v1/nothing', '/health/liveness']) {
    const { headers } = await app.inject(url);
    expect(headers['x-content-type-options'], url).toBe('nosniff');
    if (!String(headers['content-type']).includes('html')) continue;
    expect(headers['content-security-policy'], url).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers['referrer-policy'], url).toBe('same-origin');
  }
  await app.close();
  await db.close();
});
