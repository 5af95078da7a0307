// One address calls contracts that run until their time is up, on more connections than there are threads; eight others
// ask small calls that need a thread too, and none is refused or waits for those.
import { Agent, request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { assemble } from '../../packages/test-support/evm/assemble.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { blockRow, entityRow } from '../../packages/test-support/rpc/chain-rows.ts';
import { serveRpc } from '../../packages/test-support/rpc/serve-rpc.ts';
import { honest, hostile } from '../support/fairness.ts';

let rows: StoredRows;
let server: Awaited<ReturnType<typeof serveRpc>> | null = null;
beforeAll(async () => {
  // Whoever names no sender calls as the treasury.
  rows = await storeRows([blockRow(0n), entityRow(2n, { type: 'ACCOUNT', balance: 1n })]);
});
afterEach(async () => {
  await server?.close();
  server = null;
});
afterAll(() => rows?.close());

type Told = { status: number; retryAfter: string | undefined; text: string };

function openClient(localAddress: string, connections = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress });
  const send = (method: string, path: string, body?: object): Promise<Told> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' };
      const { port } = new URL(server!.url);
      const asked = request({ agent, port, host: '127.0.0.1', method, path, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: answer.statusCode!, retryAfter: answer.headers['retry-after'], text });
        });
        answer.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(body && JSON.stringify(body));
    });
  return {
    get: (path: string) => send('GET', path),
    call: (body: object) => send('POST', '/api/v1/contracts/call', body),
    rpc: (method: string, ...params: unknown[]) => send('POST', '/rpc', { jsonrpc: '2.0', id: 1, method, params }),
    close: () => agent.destroy(),
  };
}

/** As code of a creation, which only a thread runs. */
const code = (text: string): string => `0x${Buffer.from(assemble(text)).toString('hex')}`;
const one = code('PUSH 1 PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN');
const word = `0x${'1'.padStart(64, '0')}`;
/** More than any time is enough for. */
const endlessGas = 10 ** 12;
const shapes: readonly [string, string][] = [
  ['loops', ':again JUMPDEST PUSH @again JUMP'],
  // Of points at infinity: read, found to be nothing, and paid for as any.
  ['precompiles', ':again JUMPDEST PUSH 64 PUSH 0 PUSH 96 PUSH 0 PUSH 7 GAS STATICCALL POP PUSH @again JUMP'],
  ['powers', ':again JUMPDEST PUSH 32 PUSH 0 PUSH 192 PUSH 0 PUSH 5 GAS STATICCALL POP PUSH @again JUMP'],
];

it.each(shapes)('calls of one address that run to their limit (%s) hold up nobody', async (_name, text) => {
  server = await serveRpc(rows.db, {
    ...{ maxCallGas: endlessGas, hasRoom: () => true },
    callLimits: { threads: 1, timeMs: 1500, waitMs: 5000, steps: Number.MAX_SAFE_INTEGER },
  });
  const { counts } = server.calls;
  const attacker = openClient(hostile, 8);
  const told: Told[] = [];
  let isOver = false;
  const attack = Array.from({ length: 8 }, async () => {
    while (!isOver) told.push(await attacker.call({ data: code(text), gas: endlessGas }));
  });
  await vi.waitUntil(() => counts().busy === 1 && counts().waiting >= 7, { timeout: 30_000 });
  const clients = honest.map((address) => openClient(address));
  for (let round = 0; round < 4; round++) {
    for (const { call, rpc } of clients) {
      // Those of the hostile address wait all the time.
      expect(counts().waiting).toBeGreaterThan(0);
      const rest = await call({ data: one, gas: 100_000 });
      expect([rest.status, JSON.parse(rest.text)]).toEqual([200, { result: word }]);
      const answered = await rpc('eth_call', { data: one, gas: '0x186a0' }, 'latest');
      expect([answered.status, JSON.parse(answered.text).result]).toEqual([200, word]);
    }
  }
  const estimates = await Promise.all(clients.map(({ rpc }) => rpc('eth_estimateGas', { data: one })));
  expect(estimates.map(({ status }) => status)).toEqual(honest.map(() => 200));
  // Five seconds after they came, the last of the eight are refused.
  await vi.waitUntil(() => told.some(({ status }) => status === 503), { timeout: 30_000 });
  isOver = true;
  await Promise.all(attack);
  for (const { status, retryAfter, text: said } of told) {
    if (status === 503) expect(retryAfter).toBe('1');
    else expect([status, said]).toEqual([400, expect.stringContaining('The call takes longer than')]);
  }
  expect(told.some(({ status }) => status === 400)).toBe(true);
  expect(server.errors).toEqual([]);
  expect(counts()).toEqual({ threads: 2, busy: 0, starting: 0, waiting: 0, lost: 0 });
  for (const { close } of [attacker, ...clients]) close();
});

it('one who has taken much time is served where nobody else asks', async () => {
  server = await serveRpc(rows.db, {
    callLimits: { threads: 1, timeMs: 500 },
    maxCallGas: endlessGas,
    hasRoom: () => true,
  });
  const { call, close } = openClient(hostile);
  const endless = { data: code(':again JUMPDEST PUSH @again JUMP'), gas: endlessGas };
  for (let times = 0; times < 2; times++) expect((await call(endless)).status).toBe(400);
  expect((await call({ data: one })).status).toBe(200);
  close();
});

const unknown = `0x${'12'.repeat(32)}`;
it.each([
  ['opcodes', 'Requests per second rate limit exceeded'],
  ['prestate', 'Requests per second rate limit exceeded.'],
])('the rate of %s is one of each address', async (path, sentence) => {
  server = await serveRpc(rows.db, { callLimits: { tracesPerSecond: 1, prestatesPerSecond: 1 }, hasRoom: () => true });
  const attacker = openClient(hostile, 8);
  const ask = ({ get }: typeof attacker) => get(`/api/v1/contracts/results/${unknown}/${path}`);
  const told = await Promise.all(Array.from({ length: 40 }, () => ask(attacker)));
  const refused = told.filter(({ status }) => status === 429);
  expect(told.length - refused.length).toBeLessThan(told.length / 2);
  for (const { retryAfter, text } of refused) {
    expect(retryAfter).toBe('1');
    expect(text).toContain(sentence);
  }
  // All together have four times as much.
  const clients = honest.slice(0, 3).map((address) => openClient(address));
  expect((await Promise.all(clients.map(ask))).map(({ status }) => status)).toEqual([404, 404, 404]);
  for (const { close } of [attacker, ...clients]) close();
});
