// Contract checks while one address floods them: with claims that compile for as long as they may, with bodies that
// never end, with sessions. Eight other addresses are not refused, and wait for one of its checks.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { honest, hostile } from '../support/fairness.ts';
import { serveHere } from '../support/program/serve-here.ts';
import { openClient, type Told } from './keep-asking.ts';

const endlessVersion = '0.4.99+commit.00000001';
const endlessCompiler = `const functions = {
  version: () => ${JSON.stringify(`${endlessVersion}.Emscripten.clang`)},
  compileJSONMulti: () => { for (;;); },
};
module.exports = { _version: 1, _compileJSONMulti: 1, cwrap: (name) => functions[name] };`;
const claim = {
  stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } }, settings: {} },
  ...{ compilerVersion: '0.8.37+commit.f401782d', contractIdentifier: 'a.sol:A' },
};
const bomb = { ...claim, compilerVersion: endlessVersion };
/** Of the service: unfinished checks are those of the queue and the one that runs. */
const [queue, perClient] = [9, 6];

let scratch: Awaited<ReturnType<typeof createScratchDatabase>>;
let client: pg.Pool;
let folder: string;
let server: RunningServer;
let contracts = 5000;
const sockets: Socket[] = [];

beforeAll(async () => {
  scratch = await createScratchDatabase();
  client = new pg.Pool({ connectionString: scratch.connectionString });
  folder = mkdtempSync(join(tmpdir(), 'fair-verification-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'compilers'), { mode: 0o755 });
  writeFileSync(join(folder, 'compilers', 'soljson-v0.4.99.js'), endlessCompiler);
  server = await serveHere(scratch.connectionString, [
    ...['--data-dir', folder, '--status-service', 'off', '--verify-compilers', join(folder, 'compilers')],
    ...['--verify-concurrent', '1', '--verify-compile-seconds', '4', '--verify-queue', `${queue}`],
    ...['--verify-client-queue', `${perClient}`],
  ]);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.close();
  await client?.end();
  await scratch?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** A contract that no claim of this test matches: it is compiled all the same. */
async function addContract(): Promise<string> {
  const num = contracts++;
  await client.query(
    `insert into entity (id, num, realm, shard, type, created_timestamp, timestamp_range, deleted, memo)
     values ($1, $1, 0, 0, 'CONTRACT', $1, int8range($1, null), false, '')`,
    [num],
  );
  await client.query('insert into contract (id, runtime_bytecode) values ($1, $2)', [
    num,
    Buffer.from('6001600255', 'hex'),
  ]);
  return `0x${num.toString(16).padStart(40, '0')}`;
}

async function submit(address: string, what: object): Promise<Told & { id: string | undefined }> {
  const asker = openClient(server.url, address);
  const told = await asker.ask({ path: `/v2/verify/296/${await addContract()}`, body: JSON.stringify(what) });
  asker.close();
  return { ...told, id: told.status === 202 ? JSON.parse(told.body).verificationId : undefined };
}

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(text.match(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm'))?.[1]);
};

type Finished = { id: string; error: { customCode: string; recompiledRuntimeCode?: string } };

/** All jobs that have ended, in their order. */
async function finishedJobs(ids: readonly string[]): Promise<Finished[]> {
  const select =
    'select id, error from verification_job where finished_at is not null and id = any($1) order by finished_at';
  const { rows } = await client.query(select, [ids]);
  return rows.map(({ id, error }) => ({ id, error: typeof error === 'string' ? JSON.parse(error) : error }));
}

it('eight addresses are taken and served in turn beside one that has handed in all it may', async () => {
  const asked: Awaited<ReturnType<typeof submit>>[] = [];
  for (let count = 0; count < perClient + 5; count += 1) asked.push(await submit(hostile, bomb));
  const taken = asked.flatMap(({ id }) => id ?? []);
  // While the first ones were handed in others may have ended.
  expect(asked.slice(0, perClient).map(({ status }) => status)).toEqual(Array(perClient).fill(202));
  for (const { status, retryAfter, body } of asked.filter((one) => one.id === undefined)) {
    expect([status, JSON.parse(body).customCode]).toEqual([429, 'too_many_jobs']);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  await vi.waitUntil(async () => (await metric('ledger_mirror_verification_checks{state="running"}')) === 1, {
    timeout: 120_000,
  });
  const began = (await finishedJobs(taken)).length;
  // More than there is room for beside the flood: its newest ones give way.
  const told = await Promise.all(honest.map((address) => submit(address, claim)));
  expect(told.map(({ status }) => status)).toEqual(honest.map(() => 202));
  const ids = told.map(({ id }) => id!);
  const all = [...taken, ...ids];
  await vi.waitUntil(async () => (await finishedJobs(all)).length === all.length, { timeout: waitMs, interval: 200 });
  const ended = await finishedJobs(all);
  for (const { error } of ended.filter(({ id }) => ids.includes(id))) {
    expect(error.customCode).toBe('no_match');
    expect(error.recompiledRuntimeCode).toMatch(/^0x60/);
  }
  const compiled = ended.filter(({ error }) => error.customCode !== 'too_many_jobs').map(({ id }) => id);
  // The one that was running, and no other of it comes before any of theirs.
  const last = compiled.findLastIndex((id) => ids.includes(id));
  expect(compiled.slice(0, last).filter((id) => taken.includes(id)).length).toBeLessThanOrEqual(began + 1);
  // Only what is the flood's own was given up.
  const givenUp = ended.filter(({ error }) => error.customCode === 'too_many_jobs').map(({ id }) => id);
  expect(givenUp.length).toBeGreaterThan(0);
  expect(givenUp.filter((id) => ids.includes(id))).toEqual([]);
  expect(await metric('ledger_mirror_verification_checks{state="waiting"}')).toBe(0);
});

it('large bodies that never end take the room of no others', async () => {
  const { hostname, port } = new URL(server.url);
  const head = `POST /v2/verify/296/${await addContract()} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`;
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: hostile }, () => {
        socket.write(`${head}content-length: 9900000\r\n\r\n{`, () => resolve());
      });
      socket.on('error', () => resolve());
      sockets.push(socket);
    });
  for (let count = 0; count < 8; count += 1) await open();
  // It has all the room there is: its next body is refused.
  const own = openClient(server.url, hostile);
  const large = JSON.stringify({ ...claim, padding: 'x'.repeat(5_000_000) });
  await expect
    .poll(async () => (await own.ask({ path: `/v2/verify/296/${await addContract()}`, body: large })).status, {
      timeout: 60_000,
    })
    .toBe(429);
  own.close();
  const told = await Promise.all(
    honest.slice(0, 3).map((address) => submit(address, { ...claim, padding: 'x'.repeat(5_000_000) })),
  );
  expect(told.map(({ status }) => status)).toEqual([202, 202, 202]);
  const ids = told.map(({ id }) => id!);
  await vi.waitUntil(async () => (await finishedJobs(ids)).length === ids.length, { timeout: waitMs, interval: 200 });
  expect((await finishedJobs(ids)).map(({ error }) => error.customCode)).toEqual(ids.map(() => 'no_match'));
});

it('sessions of one address push no session of others out', async () => {
  const files = { files: { 'a.sol': 'contract A {}' } };
  /** Returns what reads it. */
  const openSession = async (address: string): Promise<() => Promise<string>> => {
    const { ask, close } = openClient(server.url, address);
    const { cookie } = await ask({ path: '/session/input-files', body: JSON.stringify(files) });
    close();
    return async () => {
      const reader = openClient(server.url, address);
      const { body } = await reader.ask({ path: '/session/data', headers: { cookie: cookie! } });
      reader.close();
      return body;
    };
  };
  const others = await Promise.all(honest.map(openSession));
  const own: (() => Promise<string>)[] = [];
  for (let count = 0; count < 60; count += 1) own.push(await openSession(hostile));
  for (const read of others) expect(await read()).toContain('a.sol');
  const left = await Promise.all(own.map(async (read) => (await read()).includes('a.sol')));
  // Its share is twenty.
  expect(left.indexOf(true)).toBe(40);
});
