// The envelope: which requests are taken, codes, texts and HTTP statuses, and batches.
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { type Database, QueryError } from '../../../packages/postgres/wire/database.ts';
import { openRpc } from '../../../packages/test-support/rpc/open-rpc.ts';
import { createAdmission } from '../../../packages/web-server/admission.ts';

const broken = { query: () => Promise.reject(new QueryError('x', new Error('secret'))) } as unknown as Database;
const rpc = openRpc(broken);
const chain = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
const answered = { jsonrpc: '2.0', id: 1, result: '0x12a' };
const refused = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } });

describe('one request', () => {
  it.each<[string, unknown, number, object]>([
    ['is answered', chain, 200, answered],
    ['with parameters that the method ignores', { ...chain, params: [null] }, 200, answered],
    ['with an id of text', { ...chain, id: 'a"b' }, 200, { ...answered, id: 'a"b' }],
    ['with an id of null', { ...chain, id: null }, 200, { ...answered, id: null }],
    ['with an object as id', { ...chain, id: {} }, 400, refused(null, -32600, 'Invalid Request')],
    ['of another version', { ...chain, jsonrpc: '1.0' }, 400, refused(1, -32600, 'Invalid Request')],
    ['without a method', { jsonrpc: '2.0', id: 2 }, 400, refused(2, -32600, 'Invalid Request')],
    ['with a number as method', { ...chain, method: 7 }, 400, refused(1, -32600, 'Invalid Request')],
    ['with named parameters, which no method has', { ...chain, params: { a: 1 } }, 200, answered],
    ['with null as parameters', { ...chain, params: null }, 200, answered],
    [
      'with named parameters of a method that needs some',
      { ...chain, method: 'eth_getBalance', params: { account: '0x0' } },
      400,
      refused(1, -32602, 'Missing value for required parameter 0'),
    ],
    ['that is no object', '7', 400, refused(null, -32600, 'Invalid Request')],
    ['that is null', 'null', 400, refused(null, -32600, 'Invalid Request')],
    ['that is no JSON', '{"jsonrpc":', 400, refused(null, -32700, 'Parse error')],
    ['that is empty', '', 400, refused(null, -32700, 'Parse error')],
    [
      'of a member of every object',
      { ...chain, method: 'toString' },
      400,
      refused(1, -32601, 'Method toString not found'),
    ],
    [
      'that the database fails',
      { ...chain, method: 'eth_blockNumber' },
      503,
      refused(1, -32603, 'Error invoking RPC: Service unavailable'),
    ],
  ])('%s', async (_name, body, status, expected) => {
    expect(await rpc.post(body)).toEqual({ status, body: expected });
  });

  it('tells nobody why it failed, but the log', () => {
    expect(rpc.failures).toHaveLength(1);
    expect(String((rpc.failures[0] as Error).cause)).toContain('secret');
  });
});

const chainWith = (id: string): string => `{"jsonrpc":"2.0","method":"eth_chainId","id":${id}}`;

describe('an id', () => {
  it.each([
    ...['0', '-1', '-0', '1.0', '1e3', '0.25', '9007199254740993', '123456789012345678901234567890', '-1e400'],
    ...['""', '"a\\"b\\\\"', '"\\ud800"', '"9007199254740993"', 'null'],
  ])('%s is repeated as it came', async (id) => {
    const answers = async (body: string): Promise<string> => (await rpc.send(body)).body;
    expect(await answers(chainWith(id))).toBe(`{"jsonrpc":"2.0","id":${id},"result":"0x12a"}`);
    expect(await answers(`[${chainWith(id)}]`)).toBe(`[{"jsonrpc":"2.0","id":${id},"result":"0x12a"}]`);
  });

  it('may have a name with escaped letters', async () => {
    for (const name of ['\\u0069d', 'i\\u0064', '\\u0069\\u0064']) {
      const body = chainWith('9007199254740993').replace('"id"', `"${name}"`);
      expect((await rpc.send(body)).body).toContain('"id":9007199254740993,');
    }
  });

  it('is any number that JSON has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt(), fc.nat(), async (whole, part) => {
        for (const id of [`${whole}`, `${whole}.${part}`, `${whole}E${part % 99}`]) {
          expect(await rpc.send(chainWith(id))).toEqual({
            status: 200,
            body: `{"jsonrpc":"2.0","id":${id},"result":"0x12a"}`,
          });
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a notification', () => {
  const silent = { jsonrpc: '2.0', method: 'eth_chainId' };

  it.each<[string, unknown]>([
    ['has no answer', silent],
    ['of an unknown method neither', { ...silent, method: 'eth_nothing' }],
    ['that fails neither', { ...silent, method: 'eth_getBalance' }],
    ['in a batch of its like neither', [silent, silent]],
  ])('%s', async (_name, body) => {
    expect(await rpc.post(body)).toEqual({ status: 204, body: null });
  });

  it('is left out of the answers of a batch', async () => {
    expect(await rpc.post([silent, chain, { ...silent, method: 'eth_nothing' }])).toEqual({
      ...{ status: 200, body: [answered] },
    });
  });

  it('is carried out', async () => {
    const sent: unknown[] = [];
    const relayed = openRpc(broken, { relay: async (params) => sent.push(params) });
    await relayed.post({ ...silent, method: 'eth_sendRawTransaction', params: ['0x02'] });
    expect(sent).toEqual([['0x02']]);
  });

  it('is none without a method or version', async () => {
    for (const body of [{ jsonrpc: '2.0' }, { method: 'eth_chainId' }, { ...silent, method: 7 }]) {
      expect(await rpc.post(body)).toEqual({ status: 400, body: refused(null, -32600, 'Invalid Request') });
    }
  });
});

describe('a batch', () => {
  it('is answered in order, with the errors of each', async () => {
    const { status, body } = await rpc.post([
      { ...chain, id: 1 },
      7,
      { ...chain, id: 'x', method: 'eth_nothing' },
      { ...chain, id: 4, method: 'debug_traceTransaction' },
      { ...chain, id: 5, method: 'net_version' },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual([
      answered,
      refused(null, -32600, 'Invalid Request'),
      refused('x', -32601, 'Method eth_nothing not found'),
      refused(4, -32602, 'Missing value for required parameter 0'),
      { jsonrpc: '2.0', id: 5, result: '298' },
    ]);
  });

  it('of none is refused, of 100 is answered, of more is refused, each', async () => {
    const of = (count: number) => Array.from({ length: count }, (_, id) => ({ ...chain, id }));
    expect(await rpc.post([])).toEqual({ status: 400, body: refused(null, -32600, 'Invalid Request') });
    expect((await rpc.post(of(100))).body.map(({ id }: { id: number }) => id)).toEqual(
      Array.from({ length: 100 }, (_, id) => id),
    );
    const { status, body } = await rpc.post(of(101));
    expect(status).toBe(200);
    expect(body).toHaveLength(101);
    expect(body[100]).toEqual(refused(null, -32203, 'Batch request amount 101 exceeds max 100'));
    // Of very many the refusal would be far longer than the request.
    expect(await rpc.post(Array(20_000).fill(1))).toEqual({
      ...{ status: 400, body: refused(null, -32203, 'Batch request amount 20000 exceeds max 100') },
    });
  });
});

it('is refused where it would wait too long, and every admitted request leaves once', async () => {
  let hasRoom = true;
  const counted: string[] = [];
  const registry = new Registry();
  const admission = createAdmission({ hasRoom: () => hasRoom, registry });
  const bounded = openRpc(
    broken,
    {},
    {
      admission,
      onAnswer: (method, { code, outcome, client }) => counted.push(`${method} ${code} ${outcome} ${client}`),
    },
  );
  expect((await bounded.post(chain)).body).toEqual(answered);
  hasRoom = false;
  expect(await bounded.post(chain)).toEqual({
    status: 503,
    body: refused(1, -32010, 'Request timeout. Please try again.'),
  });
  expect(await registry.getSingleMetricAsString('http_questions_in_flight')).toMatch(/ 0$/);
  expect(bounded.failures).toEqual([]);
  expect(counted).toEqual(['eth_chainId 0 answered test', 'eth_chainId -32010 refused test']);
});
