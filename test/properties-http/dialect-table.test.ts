// The two dialects side by side: each point in which the specification and the Hiero mirror node disagree, asked in
// both, and what must be the same in both.
import { RLP } from '@ethereumjs/rlp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../packages/test-support/http/answers.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';

let mirror: SimulatedMirror;
beforeAll(async () => {
  mirror = await openSimulatedMirror('busy');
});
afterAll(() => mirror?.close());

const accounts = '/api/v1/accounts/0.0.98';
const results = '/api/v1/contracts/results?internal=true&limit=100';
const refusal = (message: string) => ({ status: 400, message });
const accepted = { status: 200, message: null };

async function ask(url: string): Promise<{ spec: unknown; hiero: unknown }> {
  const show = async (dialect: 'spec' | 'hiero') => {
    const { status, body } = await mirror.get(dialect, url);
    if (status === 200) return accepted;
    const { messages } = body._status as { messages: { message: string }[] };
    return { status, message: messages.map(({ message }) => message).join('; ') };
  };
  return { spec: await show('spec'), hiero: await show('hiero') };
}

async function lists(url: string, member: string): Promise<{ spec: JsonObject[]; hiero: JsonObject[] }> {
  const spec = await mirror.get('spec', url);
  const hiero = await mirror.get('hiero', url);
  expect([spec.status, hiero.status]).toEqual([200, 200]);
  return { spec: spec.body[member] as JsonObject[], hiero: hiero.body[member] as JsonObject[] };
}

describe('1. page sizes above the largest', () => {
  it.each(['/api/v1/accounts/0.0.98?limit=', '/api/v1/contracts/results?limit=', '/api/v1/schedules?limit='])(
    '%s',
    async (url) => {
      expect(await ask(`${url}100`)).toEqual({ spec: accepted, hiero: accepted });
      expect(await ask(`${url}101`)).toEqual({ spec: refusal('Invalid parameter: limit'), hiero: accepted });
      expect(await ask(`${url}0`)).toEqual({
        spec: refusal('Invalid parameter: limit'),
        hiero: refusal('Invalid parameter: limit'),
      });
    },
  );

  it('are cut, and stay in the link as they were typed', async () => {
    const { body } = await mirror.get('hiero', `${accounts}?limit=1000`);
    expect(body.transactions).toHaveLength(100);
    expect((body.links as { next: string }).next).toMatch(/^\/api\/v1\/accounts\/0\.0\.98\?limit=1000&timestamp=lt:/);
  });
});

it('2. status of a contract result: a number, a text', async () => {
  const { spec, hiero } = await lists(results, 'results');
  for (const [index, { status, result }] of spec.entries()) {
    const success = result === 'SUCCESS';
    expect([result, status, hiero[index]!.status]).toEqual([result, success ? 1n : 0n, success ? '0x1' : '0x0']);
  }
  expect(new Set(spec.map(({ status }) => status))).toEqual(new Set([0n, 1n]));
});

it('3. access list of a contract result: RLP, a list', async () => {
  const withLists = await mirror.db.query<{ at: bigint }>({
    name: 'with-access-lists',
    text: 'select consensus_timestamp as at from ethereum_transaction where jsonb_array_length(access_list) > 0',
  });
  expect(withLists.length).toBeGreaterThan(0);
  for (const { at } of withLists) {
    const time = `${at / 1_000_000_000n}.${String(at % 1_000_000_000n).padStart(9, '0')}`;
    const { spec, hiero } = await lists(`/api/v1/contracts/results?timestamp=${time}`, 'results');
    if (hiero.length === 0) continue;
    const items = hiero[0]!.access_list as { address: string; storage_keys: string[] }[];
    const bytes = (text: string) => Buffer.from(text.slice(2), 'hex');
    const list = items.map(({ address, storage_keys }) => [bytes(address), storage_keys.map(bytes)]);
    expect(items.length).toBeGreaterThan(0);
    expect(spec[0]!.access_list).toBe(`0x${Buffer.from(RLP.encode(list)).toString('hex')}`);
  }
  const none = await lists('/api/v1/contracts/results?limit=100', 'results');
  const index = none.hiero.findIndex(({ access_list: list }) => (list as unknown[]).length === 0);
  expect([none.spec[index]!.access_list, none.hiero[index]!.access_list]).toEqual(['0x', []]);
});

describe('4. forms of ids', () => {
  const long = '00000000000000000000000000000000000003f5';
  it.each<[string, unknown, unknown]>([
    ['/api/v1/tokens/1013', refusal('Invalid parameter: tokenid'), accepted],
    ['/api/v1/tokens/0.1013', refusal('Invalid parameter: tokenid'), accepted],
    [`/api/v1/tokens/${long}`, refusal('Invalid parameter: tokenid'), accepted],
    ['/api/v1/tokens/0.0.1013', accepted, accepted],
    [
      `/api/v1/accounts/0.0.0x${'ab'.repeat(20)}`,
      { status: 404, message: 'Not found' },
      refusal('Invalid parameter: idOrAliasOrEvmAddress'),
    ],
    ['/api/v1/accounts/0.0.00000001001', refusal('Invalid parameter: idOrAliasOrEvmAddress'), accepted],
    ['/api/v1/accounts/0.0.1001', accepted, accepted],
    ['/api/v1/contracts/results?from=1001', refusal('Invalid parameter: from'), accepted],
    ['/api/v1/contracts/results?from=0.1001', refusal('Invalid parameter: from'), accepted],
    ['/api/v1/contracts/results?from=0.0.1001', accepted, accepted],
    [`/api/v1/contracts/results?from=0x${long}`, accepted, accepted],
    ['/api/v1/contracts/results?from=gt:0.0.1001', refusal('Invalid parameter: from'), accepted],
    ['/api/v1/contracts/results?from=eq:0.0.1001', refusal('Invalid parameter: from'), accepted],
  ])('%s', async (url, spec, hiero) => {
    expect(await ask(url)).toEqual({ spec, hiero });
  });
});

describe('5. types of transactions', () => {
  const invalid = refusal('Invalid parameter: transactiontype');
  it.each<[string, unknown, unknown]>([
    ['transactiontype=UNKNOWN', accepted, invalid],
    ['transactiontype=NODE', accepted, invalid],
    ['transactiontype=node', invalid, invalid],
    ['transactiontype=HOOKSTORE', accepted, accepted],
    ['transactiontype=REGISTEREDNODECREATE', accepted, accepted],
    ['transactiontype=CRYPTOTRANSFER', accepted, accepted],
    ['transactiontype=cryptotransfer', invalid, accepted],
    ['transactiontype=CRYPTOTRANSFER&transactiontype=CONTRACTCALL', invalid, accepted],
    ['transactiontype=NOSUCHTYPE', invalid, invalid],
    ['transactiontype=', invalid, invalid],
  ])('%s', async (query, spec, hiero) => {
    expect(await ask(`${accounts}?${query}`)).toEqual({ spec, hiero });
  });

  it('NODE is its family', async () => {
    const { body } = await mirror.get('spec', '/api/v1/accounts/0.0.2?transactiontype=NODE&limit=100');
    const names = new Set((body.transactions as JsonObject[]).map(({ name }) => name));
    expect([...names].every((name) => String(name).startsWith('NODE'))).toBe(true);
    expect(names.has('NODESTAKEUPDATE')).toBe(true);
  });

  it('several are any of them', async () => {
    const url = `${accounts}?transactiontype=CRYPTOTRANSFER&transactiontype=TOKENMINT&limit=100`;
    const { body } = await mirror.get('hiero', url);
    const names = new Set((body.transactions as JsonObject[]).map(({ name }) => name));
    expect(names).toEqual(new Set(['CRYPTOTRANSFER', 'TOKENMINT']));
  });
});

describe("6. the mirror node's own mistakes", () => {
  it.each<[string, unknown, unknown]>([
    // It answers 500, or 503 where the query fails in PostgreSQL.
    [`${accounts}?a[b]=1`, refusal('Unknown query parameter: a'), refusal('Unknown query parameter: a')],
    [
      '/api/v1/accounts/%',
      refusal('Invalid parameter: idOrAliasOrEvmAddress'),
      refusal('Invalid parameter: idOrAliasOrEvmAddress'),
    ],
    [
      '/api/v1/contracts/results?block.number=1&transaction.index=2147483648',
      refusal('Invalid parameter: transaction.index'),
      accepted,
    ],
    [
      '/api/v1/contracts/results?block.number=0x1g',
      refusal('Invalid parameter: block.number'),
      refusal('Invalid parameter: block.number'),
    ],
    ['/api/v1/contracts/results?hbar=false', accepted, accepted],
  ])('%s', async (url, spec, hiero) => {
    expect(await ask(url)).toEqual({ spec, hiero });
  });

  it('a page found by its own time links to itself there, and to nothing here', async () => {
    const first = await mirror.get('spec', `${accounts}?limit=1`);
    const time = (first.body.transactions as JsonObject[])[0]!.consensus_timestamp;
    const url = `${accounts}?timestamp=eq:${time}&limit=1`;
    const next = async (dialect: 'spec' | 'hiero') => {
      const { body } = await mirror.get(dialect, url);
      return (body.links as { next: string | null }).next;
    };
    expect([await next('spec'), await next('hiero')]).toEqual([null, url]);
  });

  it('a full page that ends with the creation of its account links on to a 404 there, and to nothing here', async () => {
    // A system account whose creation is all that ever happened to it.
    const url = '/api/v1/accounts/0.0.58?limit=1';
    const spec = await mirror.get('spec', url);
    const hiero = await mirror.get('hiero', url);
    expect((spec.body.links as { next: string | null }).next).toBeNull();
    const { next } = hiero.body.links as { next: string };
    expect((await mirror.get('hiero', next)).status).toBe(404);
  });
});

it('7. signatures of schedules: in one line, in lines of 76', async () => {
  const { spec, hiero } = await lists('/api/v1/schedules?limit=100', 'schedules');
  const signaturesOf = (schedules: JsonObject[]) =>
    schedules.flatMap(({ signatures }) => (signatures as { signature: string }[]).map(({ signature }) => signature));
  const plain = signaturesOf(spec);
  const broken = signaturesOf(hiero);
  expect(plain.length).toBeGreaterThan(10);
  expect(plain.some((signature) => signature.includes('\n'))).toBe(false);
  expect(broken).toEqual(plain.map((signature) => `${signature.slice(0, 76)}\n${signature.slice(76)}`));
});

describe('the same in both', () => {
  it.each([
    ['/api/v1/tokens/0.0.1013'],
    ['/api/v1/accounts/0.0.1001?limit=100'],
    ['/api/v1/accounts/0.0.1001?transactions=false'],
    ['/api/v1/accounts/0.0.1001?timestamp=gte:0&order=asc'],
    ['/api/v1/accounts/0.0.999999'],
    ['/api/v1/accounts/0.0.1001?limit=x&unknown=1'],
    ['/api/v1/schedules/0.0.999999'],
    ['/api/v1/nothing'],
    ['/api/v1/contracts/results?block.number=999999999'],
    ['/api/v1/contracts/results?timestamp=x&transaction.index=1'],
    ['/api/v1/contracts/results?transaction.index=1'],
  ])('%s', async (url) => {
    const spec = await mirror.get('spec', url);
    const hiero = await mirror.get('hiero', url);
    expect([spec.status, spec.text]).toEqual([hiero.status, hiero.text]);
  });

  it('members of a contract result and their order', async () => {
    const { spec, hiero } = await lists(results, 'results');
    expect(spec.map((item) => Object.keys(item))).toEqual(hiero.map((item) => Object.keys(item)));
    const common = ({ status: _status, access_list: _list, ...rest }: JsonObject) => rest;
    expect(spec.map(common)).toEqual(hiero.map(common));
  });

  it('without transactions the member stays, and is empty', async () => {
    const { body } = await mirror.get('spec', `${accounts}?transactions=false`);
    expect(body.transactions).toEqual([]);
    expect(body.links).toEqual({ next: null });
  });
});
