// REST and pages while one address asks for as much as it can get: eight others are answered, without a refusal,
// whether what it asks is much or takes long.
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { lockTable } from './lock-table.ts';

let scratch: ScratchDatabase;
let db: Database;
let app: ReturnType<typeof openServer>;
let port: number;

beforeAll(async () => {
  scratch = await openLedger('small');
  const { connectionString } = scratch;
  db = openDatabase({ connectionString, maxConnections: 4, maxExpectedWaitMs: 100 });
  app = openServer(db, 'spec', { hasRoom: db.hasRoom });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});

afterAll(async () => {
  await app?.close();
  await db?.close();
  await scratch?.close();
});

type Told = { status: number; retryAfter: string | undefined };

/** One after the other on each connection of this address. */
function openClient(localAddress: string, connections = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress });
  const ask = (path: string): Promise<Told> =>
    new Promise((resolve, reject) => {
      get({ agent, port, host: '127.0.0.1', path }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode!, retryAfter: answer.headers['retry-after'] }));
      }).on('error', reject);
    });
  return { ask, close: () => agent.destroy() };
}

/** Asks on all its connections until the test says so. */
function openHostile(paths: readonly string[], connections: number) {
  const client = openClient('127.0.0.66', connections);
  const answers: Told[] = [];
  let isOver = false;
  const run = async (_: unknown, place: number): Promise<void> => {
    for (let turn = place; !isOver; turn++) answers.push(await client.ask(paths[turn % paths.length]!));
  };
  const running = Promise.all(Array.from({ length: connections }, run));
  return {
    answers,
    async end(): Promise<void> {
      isOver = true;
      await running;
      client.close();
    },
  };
}

/** Statuses of as many answers to each of eight addresses in turn, and how many others got an answer meanwhile. */
async function askHonestly(path: string, times: number, others: readonly unknown[] = []) {
  const clients = Array.from({ length: 8 }, (_, place) => openClient(`127.0.1.${place + 1}`));
  const statuses: number[] = [];
  const between: number[] = [];
  for (let turn = 0; turn < times; turn++) {
    for (const { ask } of clients) {
      const before = others.length;
      statuses.push((await ask(path)).status);
      between.push(others.length - before);
    }
  }
  for (const { close } of clients) close();
  return { statuses, between: between.sort((a, b) => a - b) };
}

describe('eight addresses beside one that asks', () => {
  it.each([
    ['lists of a hundred on 64 connections', ['transactions?limit=100', 'accounts?limit=100'], 64, null],
    ['what is not there on 64 connections', ['accounts/0.0.999999', 'tokens/0.0.999999'], 64, null],
    ['long documents on 64 connections', ['docs/openapi.json', 'docs/openapi.yml'], 64, 32],
  ])('%s are answered in turn with it', async (_name, paths, connections, most) => {
    const hostile = openHostile(
      paths.map((path) => `/api/v1/${path}`),
      connections,
    );
    await expect.poll(() => hostile.answers.length, { timeout: 60_000 }).toBeGreaterThan(connections);
    const { statuses, between } = await askHonestly('/api/v1/blocks?limit=1', 20, hostile.answers);
    await hostile.end();
    expect(new Set(statuses)).toEqual(new Set([200]));
    // Without turns each waits for as many as there are connections.
    expect(between[between.length / 2]).toBeLessThan(connections / 2);
    // What is made already is not admitted: a hundred came before one of the others.
    expect(between.at(-1)).toBeLessThan(most ?? Number.POSITIVE_INFINITY);
  });

  it('questions that take for ever are answered, though it holds what it can', async () => {
    const unlock = await lockTable(scratch.connectionString, 'topic_message');
    const hostile = openHostile(['/api/v1/topics/0.0.1005/messages', '/api/v1/topics/0.0.1006/messages?limit=3'], 200);
    try {
      // As many of its questions hang as may.
      await vi.waitUntil(() => db.connections().open - db.connections().idle >= 3, { timeout: 60_000 });
      const { statuses } = await askHonestly('/api/v1/blocks?limit=1', 10);
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect((await askHonestly('/demo/blocks', 2)).statuses).toEqual(Array(16).fill(200));
      await vi.waitUntil(() => hostile.answers.length > 0, { timeout: 60_000 });
      for (const { status, retryAfter } of hostile.answers) {
        expect([429, 503]).toContain(status);
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
    } finally {
      await unlock();
      await hostile.end();
    }
    expect((await askHonestly('/api/v1/topics/0.0.1005/messages', 1)).statuses.every((status) => status < 500)).toBe(
      true,
    );
  });
});
