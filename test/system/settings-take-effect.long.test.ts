// Settings of `serve` as flags, from the command line to what a client sees.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Client, credentials, makeClientConstructor, status } from '@grpc/grpc-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { loadDefinitions, toService } from '../../src/doors/grpc/definitions.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { serveHere } from '../support/program/serve-here.ts';

let folder: string;
let ledger: OpenedLedger;
let unproved: ScratchDatabase;
const servers: RunningServer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  ledger = await openLedger('contracts');
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await unproved?.close();
  await ledger?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Until the end of the tests. */
async function open(connectionString: string, ...flags: string[]): Promise<RunningServer> {
  const usual = ['--data-dir', folder, '--status-service', 'off'];
  const server = await serveHere(connectionString, [...usual, ...flags]);
  servers.push(server);
  return server;
}

const serve = async (...flags: string[]): Promise<string> => (await open(ledger.connectionString, ...flags)).url;

type Subscribe = (query: object, options: { deadline: number }) => Readable;

type Json = ReturnType<typeof JSON.parse>;
type Answer = { status: number; retryAfter: string | null; text: string; body: Json };

async function ask(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text,
    body: isJson ? JSON.parse(text) : {},
  };
}

const post = (url: string, body: object) =>
  ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const call = (url: string, question: object) => post(`${url}/api/v1/contracts/call`, question);

/** GAS, as the answer of a call that creates. */
const readsGas = { data: '0x5a5f5260205ff3', from: `0x${'0'.repeat(37)}3ea` };

/** A result of the ledger that has opcodes. */
async function findResult(url: string): Promise<string> {
  const { body } = await ask(`${url}/api/v1/contracts/results?limit=1`);
  return (body as { results: { hash: string }[] }).results[0]!.hash;
}

describe('what answers look like', () => {
  let url: string;
  let usual: string;
  beforeAll(async () => {
    const answers = ['--security-contact', 'mailto:security@example.org', '--listed-token-balance-limit', '1'];
    const calls = ['--max-call-gas', '100000', '--check-payer-balance', '--no-opcode-traces'];
    url = await serve(...answers, ...calls, '--max-timestamp-range', '1');
    usual = await serve();
  });

  it('--security-contact is in security.txt, which is absent without one', async () => {
    expect((await ask(`${url}/.well-known/security.txt`)).text).toContain('Contact: mailto:security@example.org\n');
    expect((await ask(`${usual}/.well-known/security.txt`)).status).toBe(404);
  });

  it('--listed-token-balance-limit cuts the tokens of each account in lists, and of no single account', async () => {
    type Account = { account: string; balance: { tokens: object[] } };
    const list = async (from: string) =>
      ((await ask(`${from}/api/v1/accounts?limit=100`)).body as { accounts: Account[] }).accounts;
    const rich = (await list(usual)).find(({ balance }) => balance.tokens.length > 1)!;
    const cut = (await list(url)).find(({ account }) => account === rich.account)!;
    expect(cut.balance.tokens).toEqual(rich.balance.tokens.slice(0, 1));
    const alone = (await ask(`${url}/api/v1/accounts/${rich.account}`)).body as Account;
    expect(alone.balance.tokens.length).toBeGreaterThan(1);
  });

  it.each([
    { days: 1, here: 200, there: 200 },
    { days: 2, here: 400, there: 200 },
    { days: 8, here: 400, there: 400 },
  ])('--max-timestamp-range: $days days of logs by topic', async ({ days, here, there }) => {
    const range = `timestamp=gte:1700000000.000000000&timestamp=lt:${1_700_000_000 + days * 86_400}.000000000`;
    const query = `/api/v1/contracts/results/logs?topic0=0x01&${range}`;
    expect([(await ask(url + query)).status, (await ask(usual + query)).status]).toEqual([here, there]);
  });

  it('--max-call-gas is the limit of a call, and what it has that names none', async () => {
    const given = await call(url, readsGas);
    expect(given.status).toBe(200);
    expect(Number(given.body.result)).toBeLessThan(100_000);
    expect(Number((await call(usual, readsGas)).body.result)).toBeGreaterThan(14_000_000);
    expect((await call(url, { ...readsGas, gas: 100_000 })).status).toBe(200);
    const more = await call(url, { ...readsGas, gas: 100_001 });
    expect([more.status, more.text]).toEqual([400, expect.stringContaining('gas')]);
  });

  it('--check-payer-balance asks whether the sender has the value', async () => {
    type Account = {
      evm_address: string;
      balance: { balance: number };
      deleted: boolean;
      key: { _type: string } | null;
    };
    const { body } = await ask(`${usual}/api/v1/accounts?limit=100`);
    // Contracts have no more than they have.
    const people = (body as { accounts: Account[] }).accounts.filter(
      ({ key, deleted }) => key?._type === 'ED25519' && !deleted,
    );
    const poor = people.toSorted((a, b) => a.balance.balance - b.balance.balance)[0]!;
    const question = { from: poor.evm_address, to: readsGas.from, value: poor.balance.balance + 1 };
    const refused = await call(url, question);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('INSUFFICIENT_PAYER_BALANCE')]);
    expect((await call(usual, question)).text).not.toContain('INSUFFICIENT_PAYER_BALANCE');
  });

  it('opcode-traces: its flag --no-opcode-traces takes contracts/results/{id}/opcodes away', async () => {
    const path = `/api/v1/contracts/results/${await findResult(usual)}/opcodes`;
    const headers = { 'accept-encoding': 'gzip' };
    expect((await ask(url + path, { headers })).status).toBe(404);
    expect((await ask(usual + path, { headers })).status).toBe(200);
  });
});

it('require-proof: not ready while the newest block is not proved', async () => {
  const { openDatabase } = await openImported({
    seed: 'proofs',
    blocks: 3,
    transactionsPerBlock: 3,
    network: { format: 'blocks' },
  });
  unproved = await openDatabase();
  const readiness = async (...flags: string[]) => {
    const { url } = await open(unproved.connectionString, ...flags);
    return (await ask(`${url}/health/readiness`)).status;
  };
  expect([await readiness(), await readiness('--require-proof')]).toEqual([200, 200]);
  const client = new pg.Client({ connectionString: unproved.connectionString });
  await client.connect();
  await client.query('delete from block_verification');
  await client.end();
  expect([await readiness(), await readiness('--require-proof')]).toEqual([200, 503]);
});

it('verify-input: larger sources are refused before they are compiled', async () => {
  const url = await serve('--verify-input', '1000');
  const verify = (content: string) =>
    post(`${url}/v2/verify/296/${readsGas.from}`, {
      stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content } }, settings: {} },
      compilerVersion: '0.8.24+commit.e11b9ed9',
      contractIdentifier: 'a.sol:A',
    });
  const refused = await verify(`contract A {} // ${'a'.repeat(1000)}`);
  expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/sources have \d+ bytes, at most 1000/)]);
  expect((await verify('contract A {}')).text).not.toContain('at most 1000');
});

it.each([
  { flags: [], code: status.NOT_FOUND },
  { flags: ['--grpc-unknown-topics'], code: status.DEADLINE_EXCEEDED },
])('grpc-unknown-topics, $flags: a subscription to a topic that is not there', async ({ flags, code }) => {
  const server = await open(ledger.connectionString, '--grpc-port', '0', ...flags);
  const address = server.places.find((place) => place.startsWith('gRPC: '))!.slice('gRPC: '.length);
  const name = 'com.hedera.mirror.api.proto.ConsensusService';
  const Service = makeClientConstructor(toService(loadDefinitions().service(name)), name);
  const client = new Service(address, credentials.createInsecure()) as unknown as Client & {
    subscribeTopic: Subscribe;
  };
  const call = client.subscribeTopic({ topicID: { topicNum: 9_999_999 } }, { deadline: Date.now() + 2000 });
  const [error] = await once(call.resume(), 'error').catch((failed: unknown) => [failed]);
  client.close();
  expect(error).toMatchObject({ code });
});

it('--status-title is in the name of the network, and what the service says when it begins', async () => {
  const flags = ['--status-title', 'Weather Ledger', '--status-port', '0', '--data-dir', join(folder, 'status')];
  const service = runMirror(['status', 'serve', ...flags]);
  const [, url] = await service.says(/Status of Weather Ledger: (http:\S+)\/status/);
  const summary = await ask(`${url}/api/v2/summary.json`);
  expect(summary.body.page.name).toContain('Weather Ledger');
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

describe('what a client may ask for', () => {
  it.each([1, 3])('--call-threads %i is how many run calls at the same time', async (threads) => {
    const url = await serve('--call-threads', String(threads));
    const calls = await Promise.all(Array.from({ length: 20 }, () => call(url, readsGas)));
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
    const { text } = await ask(`${url}/metrics`);
    const counted = [...text.matchAll(/^ledger_mirror_call_threads\{.*\} (\d+)$/gm)];
    expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(threads);
  });

  it('--rate-limit by address in --rate-limit-window, --api-key-rate-limit by key', async () => {
    const key = 'a key of a wallet';
    const window = ['--rate-limit-window', '3600'];
    const keys = ['--api-keys', `wallet:${key}`, '--api-key-rate-limit', '3'];
    const url = await serve('--rate-limit', '2', ...window, ...keys);
    const many = async (times: number, headers: Record<string, string> = {}) => {
      const answers: Answer[] = [];
      for (let time = 0; time < times; time++) answers.push(await ask(`${url}/api/v1/blocks?limit=1`, { headers }));
      return answers;
    };
    const byAddress = await many(3);
    expect(byAddress.map(({ status }) => status)).toEqual([200, 200, 429]);
    const wait = Number(byAddress[2]!.retryAfter);
    expect(wait).toBeGreaterThan(3500);
    expect(wait).toBeLessThanOrEqual(3600);
    expect((await many(4, { 'x-api-key': key })).map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  });

  it('--call-rate and --prestate-rate count calls and prestates of a client', async () => {
    const url = await serve('--call-rate', '1', '--prestate-rate', '1');
    const calls = await Promise.all(Array.from({ length: 5 }, () => call(url, readsGas)));
    const refused = calls.filter(({ status }) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(5 - refused);
    const path = `/api/v1/contracts/results/${await findResult(url)}/prestate`;
    const prestates = await Promise.all(Array.from({ length: 5 }, () => ask(url + path)));
    expect(new Set(prestates.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  it('--call-gas-rate counts what calls ask for, --call-gas-refund gives back', async () => {
    // One after the other, each of which uses a tenth of its limit; none of them is refused for what it asked for.
    const ask700k = async (url: string) => (await call(url, { ...readsGas, gas: 700_000 })).status;
    const refunding = await serve('--call-gas-rate', '1', '--call-gas-refund', '100');
    for (let time = 0; time < 4; time++) expect(await ask700k(refunding)).toBe(200);
    // At a million a second the second is too much, where it does not come much later.
    const keeping = await serve('--call-gas-rate', '1', '--call-gas-refund', '0');
    const statuses: number[] = [];
    while (statuses.length < 40 && !statuses.includes(429)) statuses.push(await ask700k(keeping));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
