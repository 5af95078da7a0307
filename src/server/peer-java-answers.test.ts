// What the mirror node's Java answers to requests that few clients send: lenient values as Spring converts them, names
// and sentences of its refusals.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeBase32, encodeBase32 } from '../../packages/kit/base32.ts';
import { type Answers, openAnswers } from '../../packages/test-support/http/answers.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';

/** 35 bytes of an alias are 56 letters; 33 are 53, whose last one has a bit to spare. */
const alias = Buffer.from('1220'.padEnd(66, '7'), 'hex');

let stored: StoredRows;
let answers: Answers;
beforeAll(async () => {
  const storage = [1, 2, 3].map((slot) => ({
    ...{ owner_id: 1001n, hook_id: 5n, created_timestamp: 1n, modified_timestamp: 1n, deleted: false },
    ...{ key: Buffer.from(slot.toString(16).padStart(64, '0'), 'hex'), value: Buffer.from([7]) },
  }));
  const allowance = { token_id: 1501n, approved_for_all: true, payer_account_id: 1001n, timestamp_range: '[5,)' };
  const entity = { id: 1001n, num: 1001n, realm: 0n, shard: 0n, type: 'ACCOUNT', alias, timestamp_range: '[1,)' };
  stored = await storeRows([
    ...storage.map((row) => ({ table: 'hook_storage', row })),
    { table: 'nft_allowance', row: { ...allowance, owner: 1001n, spender: 2001n } },
    { table: 'nft_allowance', row: { ...allowance, owner: 2002n, spender: 1001n } },
    { table: 'entity', row: entity },
  ]);
  answers = openAnswers(stored.db);
});
afterAll(async () => {
  await answers?.close();
  await stored?.close();
});

type Body = { _status?: { messages: { message: string; detail?: string }[] } };
const textsOf = (body: object) => (body as Body)._status?.messages.map(({ message, detail }) => detail ?? message);
const many = Array.from({ length: 101 }, (_, index) => index).join();

it.each<[url: string, ...texts: string[]]>([
  // Names as the Java has them.
  ['accounts/x/hooks', "Failed to convert 'ownerId'"],
  ['accounts/x/hooks/1/storage', "Failed to convert 'ownerId'"],
  [`accounts/1001/hooks?hook.id=${many}`, 'hookId size must be between 0 and 100'],
  [`accounts/1001/hooks/5/storage?key=${many}`, 'keys size must be between 0 and 100'],
  ['accounts/1001/hooks/5/storage?timestamp=1,2,3', 'timestamps size must be between 0 and 2'],
  ['accounts/1001/hooks/-5/storage', 'hookId must be greater than or equal to 0'],
  ['accounts/1001/hooks/9223372036854775808/storage', "Failed to convert 'hookId'"],
  // Keys know no `ne`, and operators in lower case only.
  ['accounts/1001/hooks/5/storage?key=ne:1', "Failed to convert 'key'"],
  ['accounts/1001/hooks/5/storage?key=GT:1', "Failed to convert 'key'"],
  ['accounts/1001/hooks/5/storage?timestamp=12345678901234567', "Failed to convert 'timestamp'"],
  ['network/supply?timestamp=lt:9223372036.854775808', "Failed to convert 'timestamp'"],
  ['network/supply?q=total', "Failed to convert 'q'"],
  ['accounts/1001/allowances/nfts?owner=maybe', "Failed to convert 'owner'"],
  ['network/nodes?file.id=101&file.id=102', 'Only a single instance is supported for file.id'],
  ['network/nodes?node.id=1,2', 'Invalid parameter: node.id'],
  ['network/registered-nodes?type=NODE', 'Invalid parameter: type'],
])('%s is refused', async (url, ...texts) => {
  const { status, body } = await answers.get('hiero', `/api/v1/${url}`);
  expect([status, textsOf(body)]).toEqual([400, texts]);
});

describe('what is read', () => {
  const keysOf = (body: object) => (body as { storage: { key: string }[] }).storage.map(({ key }) => Number(key));
  const spendersOf = (body: object) =>
    (body as { allowances: { spender: string }[] }).allowances.map(({ spender }) => spender);
  it.each<[url: string, see: (body: object) => unknown, seen: unknown]>([
    ['accounts/1001/hooks/0x5/storage', keysOf, [1, 2, 3]],
    ['accounts/1001/hooks/5/storage?limit=&order=&key=&timestamp=', keysOf, [1, 2, 3]],
    ['accounts/1001/hooks/5/storage?limit=0x2', keysOf, [1, 2]],
    ['accounts/1001/hooks/5/storage?key=1,%202', keysOf, [1, 2]],
    ['accounts/1001/hooks/5/storage?key=gt:1&key=&key=lt:3', keysOf, [2]],
    ['accounts/1001/allowances/nfts?owner=&order=&limit=', spendersOf, ['0.0.2001']],
    ['accounts/1001/allowances/nfts?owner=yes', spendersOf, ['0.0.2001']],
    ['accounts/1001/allowances/nfts?owner=off', spendersOf, ['0.0.1001']],
    ['accounts/1001/allowances/nfts?owner=0', spendersOf, ['0.0.1001']],
    ['network/nodes?limit=&node.id=%20&order=', (body) => (body as { nodes: unknown }).nodes, []],
    [
      'network/registered-nodes?type=block-node&limit=',
      (body) => (body as { registered_nodes: unknown }).registered_nodes,
      [],
    ],
  ])('%s', async (url, see, seen) => {
    const { status, body } = await answers.get('hiero', `/api/v1/${url}`);
    expect([status, status === 200 ? see(body) : textsOf(body)]).toEqual([200, seen]);
  });

  it('an alias with bits beyond its last byte', async () => {
    const text = encodeBase32(alias);
    const spelled = `${text.slice(0, -1)}${String.fromCharCode(text.charCodeAt(text.length - 1) + 1)}`;
    expect(decodeBase32(spelled)).toBeNull();
    const url = (name: string) => `/api/v1/accounts/${name}/allowances/nfts`;
    expect(spendersOf((await answers.get('hiero', url(text))).body)).toEqual(['0.0.2001']);
    expect(spendersOf((await answers.get('hiero', url(spelled))).body)).toEqual(['0.0.2001']);
    expect((await answers.get('spec', url(spelled))).status).toBe(400);
  });
});

it.each([...['topics', 'topics/', 'topics/messages', 'topics/messages/', 'TOPICS/messages']])(
  '%s is no path',
  async (path) => {
    for (const dialect of ['spec', 'hiero'] as const) {
      const { status, text } = await answers.get(dialect, `/api/v1/${path}`);
      expect([dialect, status, text]).toEqual([dialect, 404, '{"_status":{"messages":[{"message":"Not found"}]}}']);
    }
  },
);
