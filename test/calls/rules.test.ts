// The rules of contracts/call over HTTP, in both dialects: what a request may say, and in which words it is refused.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { keccak256 } from '../../packages/protocol/keccak256.ts';
import { openServer, unlimited } from '../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import type { DialectName } from '../../src/api/frame/asked-dialect.ts';
import { createCalls } from '../../src/calls/create-calls.ts';
import type { CompiledContract } from '../support/contracts/compile-solidity.ts';
import { encode, selectorOf } from './abi.ts';
import { compileContracts, hashOf, ruleRows } from './world.ts';

vi.setConfig({ hookTimeout: 120_000 });

const dialects = ['hiero', 'spec'] as const;
let code: Record<string, CompiledContract>;
let rows: StoredRows;
const apps: Partial<Record<DialectName, ReturnType<typeof openServer>>> = {};
beforeAll(async () => {
  code = await compileContracts();
  rows = await storeRows(ruleRows(code));
  for (const dialect of dialects) apps[dialect] = openServer(rows.db, dialect);
});
afterAll(async () => {
  for (const app of Object.values(apps)) await app.close();
  await rows?.close();
});

type App = ReturnType<typeof openServer>;
type Answer = { status: number; result?: string; messages?: { message: string; detail: string; data: string }[] };

async function post(app: App, body: object | string, type = 'application/json'): Promise<Answer> {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/contracts/call',
    headers: { 'content-type': type },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { result, _status } = response.json<{ result?: string; _status?: { messages: Answer['messages'] } }>();
  return {
    status: response.statusCode,
    ...(result === undefined ? {} : { result }),
    ...(_status === undefined ? {} : { messages: _status.messages! }),
  };
}

const longZero = (num: number) => `0x${num.toString(16).padStart(40, '0')}`;
const data = (fn: string, types: string[] = [], values: unknown[] = []) =>
  `0x${selectorOf(fn)}${encode(types, values)}`;
const word = (number: number | bigint) => `0x${number.toString(16).padStart(64, '0')}`;

/** 0.0.1002 to 0.0.1005 of the rows. */
const [reverter, storage, codes, asker] = [1002, 1003, 1004, 1005].map(longZero) as [string, string, string, string];
/** 0.0.2001, which has 1,000 tinybar. */
const payer = longZero(2001);
const slot0 = { to: storage, data: data('slot0()') };
const one = { status: 200, result: word(1) };

const refused = (...details: string[]): Answer => ({
  status: 400,
  messages: details.map((detail) => ({ message: 'Bad Request', detail, data: '' })),
});
const failed = (message: string, detail = '', revert = '0x'): Answer => ({
  status: 400,
  messages: [{ message, detail, data: revert }],
});

const hash = hashOf(150);
const blocks: [block: unknown, answer: Answer][] = [
  ...['latest', 'LATEST', 'pending', 'safe', 'finalized', '', null, 200, '200', '0xc8'].map(
    (block): [unknown, Answer] => [block, one],
  ),
  ...[
    150,
    '150',
    '0x96',
    '0X96',
    `0x${hash}`,
    `0X${hash.toUpperCase()}`,
    `0x${hash.slice(0, 64)}`,
    '0',
    'earliest',
  ].map((block): [unknown, Answer] => [block, { status: 200, result: word(0) }]),
  ...['9223372036854775808', '99999999999999999999'].map((block): [unknown, Answer] => [
    block,
    refused(`Decimal value out of range for block: ${block}`),
  ]),
  ...['0x8000000000000000', '0xffffffffffffffff'].map((block): [unknown, Answer] => [
    block,
    refused(`Hex value out of range for block: ${block}`),
  ]),
  ...[
    hash,
    '-1',
    -1,
    '0x',
    '0xg',
    'newest',
    '1.5',
    '123456789012345678901',
    `0x${'1'.repeat(17)}`,
    `0x${'a'.repeat(63)}`,
  ].map((block): [unknown, Answer] => [block, refused(`Invalid block value: ${block}`)]),
  ...['201', '9223372036854775807', '0x7fffffffffffffff', `0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(48)}`].map(
    (block): [unknown, Answer] => [block, refused('Unknown block number')],
  ),
];

const address = 'invalid hexadecimal string';
const initCode = '0x608060405234801560005750600080fd39f3';
const cases: [name: string, body: object, answer: Answer][] = [
  ['nothing but a target', { to: storage }, failed('CONTRACT_REVERT_EXECUTED')],
  ['members that nobody knows', { ...slot0, nonsense: [1], accessList: [] }, one],
  ['null for all', { ...slot0, block: null, from: null, gas: null, gasPrice: null, value: null, estimate: null }, one],
  ['hex without 0x', { to: storage.slice(2), data: slot0.data.slice(2), from: payer.slice(2) }, one],
  ['hex with 0X', { to: `0X${storage.slice(2)}`, data: `0X${slot0.data.slice(2)}` }, one],
  ['text for numbers and flags', { ...slot0, gas: '50000', estimate: 'false' }, one],
  ['data of wrong digits', { to: storage, data: '0xgg' }, refused(`data field ${address}`)],
  [
    'data of odd digits',
    { to: storage, data: '0x123' },
    refused("data field '0x123' contains invalid odd length characters"),
  ],
  ['data as long as may be', { to: longZero(5000), data: `0x${'00'.repeat(524_288)}` }, { status: 200, result: '0x' }],
  ['data that are longer', { to: storage, data: `0x${'0'.repeat(1_048_577)}` }, refused(`data field ${address}`)],
  ['an empty sender', { ...slot0, from: '' }, refused(`from field ${address}`)],
  ['a short sender', { ...slot0, from: '0x01' }, refused(`from field ${address}`)],
  ['a long sender', { ...slot0, from: `${payer}00` }, refused(`from field ${address}`)],
  ['a short target', { ...slot0, to: '0x01' }, refused(`to field ${address}`)],
  ['only 0x as target', { ...slot0, to: '0x' }, refused(`to field ${address}`)],
  ['the least gas', { to: longZero(5000), gas: 21_000 }, { status: 200, result: '0x' }],
  ['less gas', { ...slot0, gas: 20_999 }, refused('gas field must be greater than or equal to 21000')],
  ['most gas', { ...slot0, gas: 15_000_000 }, one],
  ['more gas', { ...slot0, gas: 15_000_001 }, refused('gas field must be less than or equal to 15000000')],
  [
    'more gas, and another rule',
    { ...slot0, gas: 15_000_001, value: -1 },
    refused('value field must be greater than or equal to 0'),
  ],
  ['a negative price', { ...slot0, gasPrice: -1 }, refused('gasPrice field must be greater than or equal to 0')],
  ['a negative value', { ...slot0, value: -1 }, refused('value field must be greater than or equal to 0')],
  ['a value of nobody', { ...slot0, value: 1 }, refused('from field must not be empty')],
  ['a value for nobody', { from: payer, value: 1 }, refused('to field must not be empty')],
  [
    'a value for an empty target',
    { from: payer, to: '', value: 1, data: '0x6001' },
    refused('to field must not be empty'),
  ],
  [
    'a value for init code',
    { from: payer, value: 1, data: initCode, gas: 100_000 },
    failed('CONTRACT_REVERT_EXECUTED'),
  ],
  ['two rules', { to: '0x1', from: '0x1' }, refused(`from field ${address}`, `to field ${address}`)],
  ['no number', { ...slot0, gas: 'much' }, refused('JSON parse error: gas must be an integer')],
  ['no flag', { ...slot0, estimate: 'maybe' }, refused('JSON parse error: estimate must be true or false')],
  ['a creation', { data: '0x6001600c60003960016000f300', to: null }, { status: 200, result: '0x00' }],
  ['a creation by an empty target', { data: '0x6001600c60003960016000f300', to: '' }, { status: 200, result: '0x00' }],
  [
    'a sender whom nobody knows',
    { ...slot0, from: longZero(9999) },
    failed('PAYER_ACCOUNT_NOT_FOUND', 'Sender account not found.', ''),
  ],
  ['nobody as target', { to: longZero(9999), data: '0x01020304' }, { status: 200, result: '0x' }],
  [
    'a contract before it was there',
    { ...slot0, to: longZero(1006), block: 100 },
    failed('INVALID_CONTRACT_ID', '', ''),
  ],
  ['gas below the intrinsic', { ...slot0, gas: 21_000 }, failed('INSUFFICIENT_GAS', '', '')],
  ['gas that does not suffice', { ...slot0, gas: 21_200 }, failed('INSUFFICIENT_GAS')],
  ['a value', { to: longZero(2002), from: payer, value: 1_000_000 }, { status: 200, result: '0x' }],
  ['an estimate', { to: longZero(2002), from: payer, value: 1, estimate: true }, { status: 200, result: '0x592c' }],
  [
    'a revert without a reason',
    { to: reverter, data: data('revertWithNothing()') },
    failed('CONTRACT_REVERT_EXECUTED'),
  ],
  [
    'a revert with a reason',
    { to: reverter, data: data('revertPure()') },
    failed('CONTRACT_REVERT_EXECUTED', 'RevertReasonPure', data('Error(string)', ['string'], ['RevertReasonPure'])),
  ],
  [
    'a revert with an error',
    { to: reverter, data: data('revertWithCustomErrorPure()') },
    failed('CONTRACT_REVERT_EXECUTED', '', '0x0bd3d39c'),
  ],
  [
    'a panic',
    { to: reverter, data: data('revertWithPanic()') },
    failed('CONTRACT_REVERT_EXECUTED', '', data('Panic(uint256)', ['uint256'], ['18'])),
  ],
  [
    'a call of the token service that failed, and then the contract',
    { to: asker, data: data('isTokenFrozen(address,address)', ['address', 'address'], [longZero(9999), payer]) },
    {
      status: 400,
      messages: [
        {
          message: 'CONTRACT_REVERT_EXECUTED',
          detail: 'Token isFrozen failed!',
          data: data('Error(string)', ['string'], ['Token isFrozen failed!']),
        },
        { message: 'INVALID_TOKEN_ID', detail: '', data: '' },
      ],
    },
  ],
];

describe.each(dialects)('%s', (dialect) => {
  it.each(blocks)('block %j', async (block, answer) => {
    expect(await post(apps[dialect]!, { ...slot0, block })).toEqual(answer);
  });

  it.each(cases)('%s', async (_, body, answer) => {
    expect(await post(apps[dialect]!, body)).toEqual(answer);
  });

  it.each(['{', '[]', '"0x"', '{"to":}', 'to=0x1'])('a body that is no JSON object: %j', async (body) => {
    const { status, messages } = await post(apps[dialect]!, body);
    expect({ status, count: messages?.length }).toEqual({ status: 400, count: 1 });
    expect(messages![0]).toMatchObject({ message: 'Bad Request', data: '' });
    expect(messages![0]!.detail).toMatch(/^JSON parse error: ./);
  });

  it('no body', async () => {
    expect(await post(apps[dialect]!, '')).toEqual(refused('Failed to read request'));
  });

  it.each(['text/plain;charset=UTF-8', 'application/octet-stream'])('a body of the type %s', async (type) => {
    expect(await post(apps[dialect]!, slot0, type)).toEqual({
      status: 415,
      messages: [{ message: 'Unsupported Media Type', detail: `Content-Type '${type}' is not supported`, data: '' }],
    });
  });

  it('may be asked from any page, and its answers are not cached', async () => {
    const app = apps[dialect]!;
    const url = '/api/v1/contracts/call';
    const asked = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('POST') as string,
      'access-control-allow-headers': 'content-type',
    });
    for (const payload of [slot0, { to: '0x' }]) {
      const { headers } = await app.inject({
        method: 'POST',
        url,
        headers: { origin: 'https://example.com', 'content-type': 'application/json' },
        payload,
      });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(headers['cache-control']).toBeUndefined();
    }
  });
});

describe('a payer that needs its balance', () => {
  it.each<[string, object, Answer]>([
    ['with enough', { value: 1000 }, { status: 200, result: '0x' }],
    ['with too little', { value: 1001 }, failed('INSUFFICIENT_PAYER_BALANCE', '', '')],
    ['with a price and too little', { value: 1001, gasPrice: 1 }, failed('INSUFFICIENT_PAYER_BALANCE', '', '')],
    ['without a value', { value: 0 }, { status: 200, result: '0x' }],
    ['without a value, with a price', { value: 0, gasPrice: 1 }, { status: 200, result: '0x' }],
    ['for an estimate', { value: 1001, estimate: true }, failed('INSUFFICIENT_PAYER_BALANCE', '', '')],
  ])('%s', async (_, more, answer) => {
    const app = openServer(rows.db, 'hiero', { settings: { checkPayerBalance: true } });
    expect(await post(app, { from: payer, to: longZero(2002), ...more })).toEqual(answer);
    await app.close();
  });
});

describe('throttles', () => {
  const exceeded = (detail: string): Answer => ({
    status: 429,
    messages: [{ message: 'Too Many Requests', detail, data: '' }],
  });

  async function withLimits(given: object, ask: (app: App) => Promise<void>): Promise<void> {
    const calls = createCalls({
      db: rows.db,
      system: usualRealm,
      network: { chainId: 298n },
      limits: { ...unlimited, ...given },
    });
    const app = openServer(rows.db, 'hiero', { calls });
    try {
      await ask(app);
    } finally {
      await app.close();
      await calls.close();
    }
  }

  it('bound requests a second', () =>
    withLimits({ requestsPerSecond: 1 }, async (app) => {
      const answers = await Promise.all([1, 2].map(() => post(app, slot0)));
      expect(answers).toEqual([one, exceeded('Requests per second rate limit exceeded')]);
    }));

  it('bound gas a second, and get back what a call does not use', () =>
    // A fifth of the gas is back within a second; the second call begins after a few milliseconds.
    withLimits({ gasPerSecond: 15_000_000 }, async (app) => {
      expect(await Promise.all([1, 2].map(() => post(app, slot0)))).toEqual([
        one,
        exceeded('Gas per second rate limit exceeded.'),
      ]);
      expect(await post(app, { ...slot0, gas: 14_900_000 })).toEqual(one);
      expect(await post(app, { ...slot0, gas: 14_800_000 })).toEqual(one);
    }));

  it('do what filters say', () =>
    withLimits(
      {
        filters: [
          {
            action: 'reject',
            rate: 100,
            limit: 9,
            conditions: [{ field: 'data', isWhole: false, text: selectorOf('slot1()') }],
          },
          {
            action: 'throttle',
            rate: 1,
            limit: 9,
            conditions: [{ field: 'from', isWhole: true, text: payer.slice(2) }],
          },
        ],
      },
      async (app) => {
        expect(await post(app, slot0)).toEqual(one);
        expect(await post(app, { to: storage, data: data('slot1()') })).toEqual(exceeded('Invalid request'));
        expect(await Promise.all([1, 2].map(() => post(app, { ...slot0, from: payer })))).toEqual([
          one,
          exceeded('Requests per second rate limit exceeded'),
        ]);
      },
    ));
});

it('a contract sends itself in spec, and 0.0.2 in its place in hiero', async () => {
  // CALLER: MSTORE, RETURN a word.
  const body = { from: storage, data: '0x335f5260205ff3' };
  expect(await post(apps.spec!, body)).toEqual({ status: 200, result: word(BigInt(storage)) });
  expect(await post(apps.hiero!, body)).toEqual({ status: 200, result: word(2) });
});

describe('state overrides', () => {
  const alias = `0x${'ee'.repeat(20)}`;
  const nobody = `0x${'dd'.repeat(20)}`;
  const balanceOf = (of: string) => ({ to: codes, data: data('getAccountBalance(address)', ['address'], [of]) });
  const with_ = (call: object, ...state_overrides: object[]) => ({ ...call, state_overrides });
  const slot = (number: number) => ({ to: storage, data: data(`slot${number}()`) });
  const answer = (number: number | bigint): Answer => ({ status: 200, result: word(number) });
  const entries = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ key: word(index), value: word(index + 7) }));
  /** By nonce 5 of the storage contract: the hash of an RLP list of both. */
  const created = keccak256(Buffer.from(`d694${storage.slice(2)}05`, 'hex'));
  const runtime = () => `0x${code.StorageContract!.evm.deployedBytecode.object}`;

  it('are refused by hiero, unless there are none', async () => {
    const app = apps.hiero!;
    expect(await post(app, with_(slot0, { address: storage, balance: '0x1' }))).toEqual(
      refused('State overrides are not supported.'),
    );
    expect(await post(app, with_(slot0))).toEqual(one);
    expect(await post(app, { ...slot0, state_overrides: null })).toEqual(one);
  });

  const cases: [name: string, body: () => object, answer: Answer][] = [
    ['balance, in tinybar', () => with_(balanceOf(payer), { address: payer, balance: '0x64' }), answer(100)],
    [
      'balance, by the other address',
      () => with_(balanceOf(longZero(2003)), { address: alias, balance: '0x64' }),
      answer(100),
    ],
    ['balance of nobody', () => with_(balanceOf(nobody), { address: nobody, balance: '64' }), answer(100)],
    ['balance as a number', () => with_(balanceOf(nobody), { address: nobody, balance: 64 }), answer(64)],
    ['nobody without an override', () => balanceOf(nobody), answer(0)],
    [
      'balance of the contract that sends',
      () =>
        with_(
          { to: codes, data: data('getAccountBalance(address)', ['address'], [codes]) },
          { address: codes, balance: '0x7' },
        ),
      answer(7),
    ],
    [
      'nobody as sender, with a balance',
      () => with_({ ...slot0, from: nobody }, { address: nobody, balance: '0x64' }),
      answer(1),
    ],
    ['code of nobody', () => with_({ ...slot(0), to: nobody }, { address: nobody, code: runtime() }), answer(0)],
    [
      'code and state of nobody',
      () => with_({ ...slot(1), to: nobody }, { address: nobody, code: runtime(), state: entries(2) }),
      answer(8),
    ],
    ['code of a contract', () => with_(slot(0), { address: storage, code: '0x60055f5260205ff3' }), answer(5)],
    [
      'code that is nonsense',
      () => with_(slot(0), { address: storage, code: '0xfe' }),
      failed('CONTRACT_EXECUTION_EXCEPTION'),
    ],
    ['a slot of state', () => with_(slot(0), { address: storage, state: entries(1) }), answer(7)],
    [
      'no slot of state: zero',
      () => with_(slot(0), { address: storage, state: [{ key: word(9), value: word(9) }] }),
      answer(0),
    ],
    ['an empty state: none', () => with_(slot(0), { address: storage, state: [], state_diff: entries(1) }), answer(7)],
    ['a slot of a difference', () => with_(slot(0), { address: storage, state_diff: entries(1) }), answer(7)],
    [
      'no slot of a difference: as it was',
      () => with_(slot(0), { address: storage, state_diff: [{ key: word(9), value: word(9) }] }),
      answer(1),
    ],
    [
      'state and an estimate',
      () => with_({ ...slot(0), estimate: true }, { address: storage, code: '0x00' }),
      { status: 200, result: '0x59cc' },
    ],
    [
      'nonce, which says where a creation is',
      () => with_({ to: storage, data: '0x' }, { address: storage, nonce: '0x5', code: '0x5f5f5ff05f5260205ff3' }),
      answer(BigInt(`0x${created.toString('hex', 12)}`)),
    ],
    ['100 slots', () => with_(slot(1), { address: storage, state: entries(100) }), answer(8)],
    [
      '101 slots',
      () => with_(slot(1), { address: storage, state: entries(101) }),
      refused('state_overrides[0].state size must be between 0 and 100'),
    ],
    [
      '101 differences',
      () => with_(slot(1), { address: storage, state_diff: entries(101) }),
      refused('state_overrides[0].state_diff size must be between 0 and 100'),
    ],
    [
      'state and difference',
      () => with_(slot(0), { address: storage, state: entries(1), state_diff: entries(1) }),
      refused('state and state_diff are mutually exclusive'),
    ],
    [
      'no address',
      () => with_(slot(0), { balance: '0x1' }),
      refused('state_overrides[0].address field must not be null'),
    ],
    [
      'a short address',
      () => with_(slot(0), { address: '0x12' }),
      refused('state_overrides[0].address field invalid hexadecimal string'),
    ],
    [
      'a long balance',
      () => with_(slot(0), { address: storage, balance: `0x${'1'.repeat(17)}` }),
      refused('state_overrides[0].balance field invalid hexadecimal string'),
    ],
    [
      'a long nonce',
      () => with_(slot(0), { address: storage, nonce: `0x${'1'.repeat(17)}` }),
      refused('state_overrides[0].nonce field invalid hexadecimal string'),
    ],
    [
      'code of other digits',
      () => with_(slot(0), { address: storage, code: '0xzz' }),
      refused('state_overrides[0].code field invalid hexadecimal string'),
    ],
    [
      'a short key',
      () => with_(slot(0), { address: storage, state: [{ key: '0x1', value: word(1) }] }),
      refused('state_overrides[0].state[0].key field invalid hexadecimal string'),
    ],
    [
      'no value',
      () => with_(slot(0), { address: storage, state: [{ key: word(1) }] }),
      refused('state_overrides[0].state[0].value field must not be null'),
    ],
  ];
  it.each(cases)('%s', async (_, body, expected) => {
    expect(await post(apps.spec!, body())).toEqual(expected);
  });
});
