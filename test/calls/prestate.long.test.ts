// GET contracts/results/{transactionIdOrHash}/prestate over HTTP: what is refused, and what it says of every
// transaction of a simulated network, held against a run of the transaction (prestateTracer) and against the tables.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { openServer, unlimited } from '../../packages/test-support/http/open-server.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import { type Calls, createCalls } from '../../src/calls/create-calls.ts';
import { readAuthorizations } from '../../src/calls/rerun/read-authorizations.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

type Account = {
  address: string;
  balance: string;
  nonce: number;
  code: string | null;
  storage: Record<string, string>;
};
type Prestate = { pre: Account[]; post: Account[] };
type Known = {
  at: bigint;
  hash: string;
  payer: bigint;
  valid: bigint;
  contract: bigint;
  status: number;
  sender: bigint | null;
};

let scratch: ScratchDatabase;
let db: Database;
let calls: Calls;
let rpc: TestRpc;
let results: Known[];
const servers: Record<'spec' | 'hiero' | 'on' | 'off' | 'slow', ReturnType<typeof openServer>> = {} as never;
beforeAll(async () => {
  scratch = await openLedger('contracts');
  db = openDatabase(scratch);
  const basis = { db, system: usualRealm, network: { chainId: 298n } };
  calls = createCalls({ ...basis, limits: unlimited });
  rpc = openRpc(db);
  servers.spec = openServer(db, 'spec', { calls });
  servers.hiero = openServer(db, 'hiero', { calls });
  servers.on = openServer(db, 'hiero', { calls, settings: { prestate: 'on' } });
  servers.off = openServer(db, 'spec', { calls, settings: { prestate: 'off' } });
  servers.slow = openServer(db, 'spec', { calls: createCalls({ ...basis, limits: { prestatesPerSecond: 1 } }) });
  results = await db.query<Known>({
    name: 'results',
    text: `select r.consensus_timestamp as at, encode(substring(r.transaction_hash from 1 for 32), 'hex') as hash,
  t.payer_account_id as payer, t.valid_start_ns as valid, r.contract_id as contract, r.transaction_result as status, r.sender_id as sender
from contract_result r join transaction t using (consensus_timestamp) where t.nonce = 0 and r.transaction_result <> 312 order by 1`,
  });
  expect(results.length).toBeGreaterThan(300);
});
afterAll(async () => {
  await rpc?.close();
  for (const server of Object.values(servers)) await server.close();
  await calls?.close();
  await db?.close();
  await scratch?.close();
});

const gzip: Record<string, string> = { 'accept-encoding': 'gzip' };

async function get(id: string, query = '', server: keyof typeof servers = 'spec', headers = gzip) {
  const url = `/api/v1/contracts/results/${id}/prestate${query}`;
  return servers[server].inject({ method: 'GET', url, headers });
}

async function prestate(id: string, query = '', server: keyof typeof servers = 'spec'): Promise<Prestate> {
  // The word is what counts: so it is admitted, and comes as it is.
  const response = await get(id, query, server, { 'accept-encoding': 'gzip;q=0' });
  expect([id, response.statusCode, response.headers['cache-control']]).toEqual([id, 200, 'public, max-age=600']);
  return JSON.parse(response.payload) as Prestate;
}

const refusal = (status: number, message: string, detail: string) => ({
  status,
  body: { _status: { messages: [{ message, detail, data: '' }] } },
});
async function refused(...asked: Parameters<typeof get>) {
  const { statusCode, payload } = await get(...asked);
  return { status: statusCode, body: JSON.parse(payload) as unknown };
}

const ns = 1_000_000_000n;
const idOf = ({ payer, valid }: Known) => `0.0.${payer}-${valid / ns}-${`${valid % ns}`.padStart(9, '0')}`;

describe('refuses', () => {
  it('clients that do not take gzip', async () => {
    const expected = refusal(406, 'Not Acceptable', 'Accept-Encoding: gzip header is required');
    for (const headers of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': '' }]) {
      expect(await refused(results[0]!.hash, '', 'spec', headers as never)).toEqual(expected);
    }
    // Also after another client got it.
    expect((await get(results[0]!.hash)).statusCode).toBe(200);
    expect(await refused(results[0]!.hash, '', 'spec', { 'accept-encoding': 'br' })).toEqual(expected);
  });

  it('everybody where it is switched off, as in hiero without the setting', async () => {
    for (const server of ['hiero', 'off'] as const) {
      expect(await refused(results[0]!.hash, '', server)).toMatchObject({ status: 501 });
    }
    expect((await get(results[0]!.hash, '', 'on')).statusCode).toBe(200);
  });

  it.each([
    ['abc', 400, 'Bad Request', "Unsupported ID format: 'abc'"],
    ['0.0.5', 400, 'Bad Request', "Unsupported ID format: '0.0.5'"],
    ['%20', 400, 'Bad Request', 'Missing transaction ID or hash'],
    ['0'.repeat(64), 404, 'Not Found', 'Contract transaction hash not found.'],
    ['0.0.2-1-1', 404, 'Not Found', 'Transaction not found.'],
  ])('%s', async (id, status, message, detail) => {
    expect(await refused(id)).toEqual(refusal(status, message, detail));
  });

  it('too many in a second', async () => {
    await get(results[0]!.hash, '', 'slow');
    expect(await refused(results[0]!.hash, '', 'slow')).toEqual(
      refusal(429, 'Too Many Requests', 'Requests per second rate limit exceeded.'),
    );
  });

  it('transactions that ran no contract, and calls of hooks', async () => {
    const [transfer] = await db.query<Known>({
      name: 'transfer',
      text: `select '' as hash, payer_account_id as payer, valid_start_ns as valid from transaction
where type = 14 and nonce = 0 order by consensus_timestamp limit 1`,
    });
    expect(await refused(idOf(transfer!))).toEqual(refusal(404, 'Not Found', 'Transaction not found.'));
    const hooks = await db.query<{ hash: string }>({
      name: 'hooks',
      text: `select encode(transaction_hash, 'hex') as hash from contract_result where contract_id = 365`,
    });
    for (const { hash } of hooks) {
      expect(await refused(hash)).toEqual(refusal(404, 'Not Found', 'Contract transaction hash not found.'));
    }
  });
});

it('is the same by hash and by id, and by default has neither code nor slots nor the state after', async () => {
  const unique = results.filter(({ hash, payer, valid }) =>
    results.every((other) => (other.hash === hash) === (other.payer === payer && other.valid === valid)),
  );
  expect(unique.length).toBeGreaterThan(100);
  for (const result of unique.slice(0, 30)) {
    const plain = await prestate(result.hash);
    expect(await prestate(idOf(result))).toEqual(plain);
    expect(await prestate(result.hash, '', 'on')).toEqual(plain);
    expect(plain.post).toEqual([]);
    const addresses = plain.pre.map(({ address }) => address);
    expect(addresses).toEqual([...new Set(addresses)].sort());
    for (const { code, storage } of plain.pre) expect([code, storage]).toEqual([null, {}]);
  }
});

it('says of each account before the transaction what a run of it finds', async () => {
  const zero = `0x${'0'.repeat(64)}`;
  const counts = { accounts: 0, slots: 0, codes: 0 };
  const sent = await db.query<{ at: bigint; list: never; sender: Buffer | null }>({
    name: 'authorizations',
    text: `select t.consensus_timestamp as at, t.authorization_list as list, e.evm_address as sender from ethereum_transaction t
join contract_result r using (consensus_timestamp) left join entity e on e.id = r.sender_id where t.authorization_list is not null`,
  });
  const toText = (word: bigint | null) => `0x${(word ?? 0n).toString(16).padStart(40, '0')}`;
  const signed = new Map(sent.map((row) => [row.at, row]));
  for (const { hash, at } of results) {
    const row = signed.get(at);
    const signers = new Set(readAuthorizations(row?.list ?? null).map(({ authority }) => toText(authority)));
    const sender = `0x${row?.sender?.toString('hex') ?? ''}`;
    const traced = (await rpc.ask('debug_traceTransaction', `0x${hash}`, { tracer: 'prestateTracer' })) as Record<
      string,
      Omit<Account, 'address'>
    >;
    const { pre } = await prestate(hash, '?code=true&storage=true');
    const found = new Map(pre.map((account) => [account.address, account]));
    for (const [address, ran] of Object.entries(traced)) {
      const account = found.get(address);
      if (!account) continue;
      const code = ran.code === '0x' || account.code === null ? account.code : ran.code;
      // Where none of somebody's authorizations was carried out, no record says the nonce: the run takes one that none
      // fits.
      const nonce = signers.has(address) && address !== sender ? account.nonce : ran.nonce;
      expect({ at, ...account, storage: 0 }).toEqual({
        ...{ at, address, nonce, code, storage: 0 },
        balance: ran.balance,
      });
      if (account.code !== null) expect(ran.code).toBe(account.code);
      for (const [slot, word] of Object.entries(account.storage)) {
        if (ran.storage[slot] === undefined) continue;
        expect({ at, address, slot, word }).toEqual({ at, address, slot, word: ran.storage[slot] });
        counts.slots += 1;
      }
      for (const [slot, word] of Object.entries(ran.storage)) {
        if (word !== zero && account.storage[slot] !== undefined) expect(account.storage[slot]).toBe(word);
      }
      counts.accounts += 1;
      counts.codes += Number(account.code !== null);
    }
  }
  expect(counts.accounts).toBeGreaterThan(500);
  expect(counts.slots).toBeGreaterThan(50);
  expect(counts.codes).toBeGreaterThan(100);
});

it('the difference has what changed, and what it leaves stands at the next transaction', async () => {
  const nonces = new Map<string, number>();
  const slots = new Map<string, string>();
  let created = 0;
  let moved = 0;
  for (const { hash, at, status } of results) {
    const whole = await prestate(hash, '?storage=true&code=true');
    const { pre, post } = await prestate(hash, '?diff=true&storage=true&code=true');
    const before = new Map(whole.pre.map((account) => [account.address, account]));
    for (const account of pre) {
      expect(before.get(account.address)).toMatchObject({ balance: account.balance, nonce: account.nonce });
      expect(post).not.toContainEqual(account);
    }
    for (const { address, storage } of whole.pre) {
      for (const [slot, word] of Object.entries(storage)) {
        const known = slots.get(`${address} ${slot}`);
        if (known !== undefined) expect({ at, address, slot, word }).toEqual({ at, address, slot, word: known });
      }
    }
    const was = new Set(pre.map(({ address }) => address));
    for (const { address, nonce, storage, code } of post) {
      nonces.set(address, nonce);
      for (const [slot, word] of Object.entries(storage)) slots.set(`${address} ${slot}`, word);
      const old = pre.find((account) => account.address === address);
      for (const slot of Object.keys(old?.storage ?? {})) {
        if (storage[slot] === undefined) slots.set(`${address} ${slot}`, 'zero');
      }
      if (!was.has(address)) {
        created += 1;
        expect(before.has(address)).toBe(false);
        if (code !== null) expect(status).toBe(22);
      }
    }
    const sum = (accounts: Account[]) => accounts.reduce((all, { balance }) => all + BigInt(balance), 0n);
    // What calls moved stays among those who took part.
    expect([at, sum(post) - sum(pre)]).toEqual([at, 0n]);
    moved += Number(
      pre.some(({ address, balance }) => post.some((other) => other.address === address && other.balance !== balance)),
    );
  }
  expect(created).toBeGreaterThan(10);
  expect(moved).toBeGreaterThan(10);
});
