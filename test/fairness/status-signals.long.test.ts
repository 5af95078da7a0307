// What one address can do to the public page: nothing. Each signal that clients can drive is driven by one address
// while eight others ask as usual; with rules that count at once and are never left again, no rule may have become
// active. At the end the others lose the same, and it must show: the rules are not blind.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { keccak256 } from '../../packages/protocol/keccak256.ts';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { honest, hostile, openGrpcConnection } from '../support/fairness.ts';
import { serveHere } from '../support/program/serve-here.ts';
import { keepAsking, type Load } from './keep-asking.ts';
import { lockTable } from './lock-table.ts';
import { readStatusOnDisk } from './status-on-disk.ts';

const hourMs = 3_600_000;
const windowMs = 3000;
/** Of what the queries, the database and contract checks say. Nothing is imported here. */
const judged = Object.entries(defaultStatusRules.levels)
  .filter(([, { component }]) => ['api', 'database', 'verification'].includes(component))
  .map(([name]) => name);
const rules = {
  timings: {
    tickMs: windowMs / 6,
    staleMs: 60_000,
    outageOpensMs: hourMs,
    degradedOpensMs: hourMs,
    selfTestMs: hourMs,
  },
  levels: Object.fromEntries(judged.map((name) => [name, { holdMs: 0, leaveMs: hourMs }])),
};

let scratch: Awaited<ReturnType<typeof createScratchDatabase>>;
let folder: string;
let server: RunningServer;
/** The eight others, who ask as usual. */
let others: Load[] = [];

beforeAll(async () => {
  scratch = await createScratchDatabase();
  const stream = await writeSimulatedStream({ seed: 'status signals', blocks: 12, transactionsPerBlock: 30 });
  await stream.importInto(scratch.connectionString);
  stream.close();
  folder = mkdtempSync(join(tmpdir(), 'status-signals-'));
  chmodSync(folder, 0o711);
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
  server = await serveHere(scratch.connectionString, [
    ...['--data-dir', folder, '--status-rules', join(folder, 'rules.json'), '--status-outlive', '0'],
    ...[
      '--statement-timeout',
      '1',
      '--database-connections',
      '12',
      '--max-connections',
      '64',
      '--block-node-port',
      '0',
    ],
    ...['--answer-cache', '0'],
  ]);
  await vi.waitUntil(async () => (await fetch(`${server.url}/api/v2/status.json`)).status === 200, {
    ...{ timeout: waitMs, interval: 50 },
  });
  const asks = ['blocks?limit=1', 'transactions?limit=2', 'accounts?limit=2'].map((path) => ({
    path: `/api/v1/${path}`,
  }));
  others = honest.map((address) => keepAsking(server.url, address, asks, { everyMs: 60 }));
  await passWindow();
});

afterAll(async () => {
  await Promise.all(others.map(({ end }) => end()));
  await server?.close();
  await scratch?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const readState = () => readStatusOnDisk(folder);

/** Reading takes this thread, which also answers and asks: not often. */
function activeRules(): string[] {
  const { rules: states } = readState();
  return judged.filter((name) => states[name]?.active);
}

/**
 * Until everything that was counted before is of more than a minute ago, as the rules of this test have it, and was
 * judged.
 */
async function passWindow(): Promise<void> {
  const judgedAt = (): number => {
    const { counters, readings } = readState();
    return Math.min(counters.tick ?? 0, readings['api.requests']?.at ?? 0);
  };
  const before = judgedAt();
  await vi.waitUntil(() => judgedAt() >= before + 2 * windowMs, { timeout: 120_000, interval: 500 });
}

let unlock: (() => Promise<void>) | null = null;
const sockets: Socket[] = [];
afterEach(async () => {
  await unlock?.();
  unlock = null;
  for (const socket of sockets.splice(0)) socket.destroy();
});

const selector = (signature: string): string => Buffer.from(keccak256(Buffer.from(signature))).toString('hex', 0, 4);
const word = (value: number): string => value.toString(16).padStart(64, '0');
const call = (to: number, data: string) => ({
  path: '/api/v1/contracts/call',
  body: JSON.stringify({ to: `0x${to.toString(16).padStart(40, '0')}`, data: `0x${data}` }),
});
const rpc = (method: string, ...params: unknown[]) => ({
  path: '/rpc',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});

type Hostile = {
  asks: Parameters<typeof keepAsking>[2];
  connections?: number;
  /** A table that its questions wait for. */
  waitsFor?: string;
  /** It must have got these, so that the test tries what it says. */
  gets: number[];
};

it.each<[string, Hostile]>([
  [
    'questions that are not simulated (501)',
    { asks: [call(0x167, selector('deleteToken(address)') + word(0x3e9))], gets: [501] },
  ],
  ['what is not there', { asks: [{ path: '/api/v1/tokens/0.0.999999' }], connections: 8, gets: [404] }],
  [
    'questions that fail, each after a second',
    { asks: [{ path: '/api/v1/topics/0.0.1005/messages' }], connections: 3, waitsFor: 'topic_message', gets: [503] },
  ],
  [
    'questions that hold all connections to the database',
    { asks: [{ path: '/api/v1/topics/0.0.1005/messages' }], connections: 40, waitsFor: 'topic_message', gets: [503] },
  ],
  [
    'a flood of the longest lists',
    {
      asks: ['transactions', 'accounts', 'balances'].map((list) => ({ path: `/api/v1/${list}?limit=100` })),
      connections: 48,
      gets: [200],
    },
  ],
  [
    'calls that burn all gas',
    {
      asks: [call(0x3e8, 'ff'), rpc('eth_call', { to: `0x${word(5).slice(24)}`, data: '0x' }, 'latest')],
      connections: 8,
      gets: [200],
    },
  ],
  [
    'JSON-RPC that is invalid, unknown, or refused',
    { asks: [rpc('eth_nothing'), rpc('eth_getLogs'), { path: '/rpc', body: '{' }], connections: 8, gets: [400] },
  ],
])('%s', async (_case, { asks, connections = 1, waitsFor, gets }) => {
  if (waitsFor) unlock = await lockTable(scratch.connectionString, waitsFor);
  const flood = keepAsking(server.url, hostile, asks, { connections });
  await expect
    .poll(() => flood.answers.map(({ status }) => status), { timeout: 60_000 })
    .toEqual(expect.arrayContaining(gets));
  await passWindow();
  await unlock?.();
  unlock = null;
  await flood.end();
  expect(activeRules()).toEqual([]);
});

it('blocks that a block node does not have', async () => {
  const place = server.places.find((line) => line.startsWith('Block node: '))!;
  const connection = await openGrpcConnection(Number(place.split(':').at(-1)), hostile);
  const passed = passWindow();
  let isOver = false;
  void passed.finally(() => {
    isOver = true;
  });
  for (let number = 0; !isOver; number += 1) {
    // BlockRequest: 1 block_number.
    const asked = Buffer.of(8, 100 + (number % 20));
    const { status } = await connection.call('/org.hiero.block.api.BlockAccessService/getBlock', asked).ended;
    expect(status).toBe(0);
  }
  await passed;
  connection.close();
  expect(activeRules()).toEqual([]);
});

it('all connections that there may be, silent, half a request, or with bodies that end early', async () => {
  const { hostname, port } = new URL(server.url);
  const opened = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: hostile }, () => {
        socket.write(text);
        resolve();
      });
      socket.on('error', () => resolve());
      sockets.push(socket);
    });
  const upload =
    'POST /api/v1/contracts/call HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{';
  for (const text of ['', 'GET /api/v1/blocks HTTP/1.1\r\n', upload]) {
    await Promise.all(Array.from({ length: 100 }, () => opened(text)));
  }
  await passWindow();
  for (const socket of sockets.splice(0)) socket.destroy();
  await passWindow();
  expect(activeRules()).toEqual([]);
});

it('claims of contracts, more than are taken', async () => {
  const claim = {
    stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } }, settings: {} },
    ...{ compilerVersion: '0.8.37+commit.f401782d', contractIdentifier: 'a.sol:A' },
  };
  const asks = [{ path: `/v2/verify/296/0x${word(1001).slice(24)}`, body: JSON.stringify(claim) }];
  const flood = keepAsking(server.url, hostile, asks, { connections: 16 });
  await passWindow();
  await flood.end();
  expect(activeRules()).toEqual([]);
});

it('the others lost nothing, and were refused nothing', () => {
  for (const { answers } of others) {
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
});

it('a second address that fails is an outage of some', async () => {
  unlock = await lockTable(scratch.connectionString, 'topic_message');
  const asks = [{ path: '/api/v1/topics/0.0.1005/messages' }];
  const two = [hostile, '127.0.0.67'].map((address) => keepAsking(server.url, address, asks, { connections: 4 }));
  await vi.waitUntil(() => activeRules().includes('api-errors'), { timeout: 120_000, interval: 500 });
  expect(activeRules()).not.toContain('api-mostly-errors');
  await unlock();
  unlock = null;
  await Promise.all(two.map(({ end }) => end()));
});

it('all addresses that fail are an outage of all', async () => {
  await Promise.all(others.splice(0).map(({ end }) => end()));
  unlock = await lockTable(scratch.connectionString, 'topic_message');
  const asks = [{ path: '/api/v1/topics/0.0.1005/messages' }];
  const all = honest.map((address) => keepAsking(server.url, address, asks));
  await vi.waitUntil(() => activeRules().includes('api-mostly-errors'), { timeout: 120_000, interval: 500 });
  await unlock();
  unlock = null;
  await Promise.all(all.map(({ end }) => end()));
});
