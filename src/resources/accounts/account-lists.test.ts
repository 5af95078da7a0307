// What the specifications do not show of the lists under accounts/{id}: the order of refusals, links, and ids of
// nothing.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answers, openAnswers } from '../../../packages/test-support/http/answers.ts';
import { recordQueries } from '../../../packages/test-support/postgres/record-queries.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const opaque = 'ebb9a1be370150759408cd7af48e9eda2b8ead57';
const dialects = ['spec', 'hiero'] as const;

let stored: StoredRows;
let answers: Answers;
beforeAll(async () => {
  const setup = {
    accounts: [
      { num: 1001n, evm_address: null },
      { num: 1002n, evm_address: opaque },
    ],
    tokens: [{ token_id: '0.0.1500' }, { token_id: '0.0.1501' }],
    tokenaccounts: [
      ...['0.0.1500', '0.0.1501', '0.0.1502'].map((token_id) => ({ account_id: '0.0.1001', token_id })),
      { account_id: '0.0.9998', token_id: '0.0.1500' },
    ],
    nfts: [1n, 2n, 3n].flatMap((serial_number) =>
      ['0.0.1500', '0.0.1501'].map((token_id) => ({
        account_id: '0.0.1001',
        serial_number,
        token_id,
        spender: serial_number === 3n ? null : `0.0.${2000n + serial_number}`,
      })),
    ),
    cryptoAllowances: [2001n, 2002n, 2003n].map((spender) => ({ owner: 1001n, spender, amount: spender })),
    tokenAllowances: [2001n, 2002n, 2003n].flatMap((spender) =>
      [1500n, 1501n].map((token_id) => ({ owner: 1001n, spender, token_id, amount: 5n })),
    ),
    stakingRewardTransfers: [1n, 2n, 3n, 4n].map((second) => ({
      account_id: second === 4n ? 9998n : 1001n,
      amount: second,
      consensus_timestamp: second * 1_000_000_000n,
    })),
  };
  stored = await storeRows(toSetupRows(setup, { shard: 0n, realm: 0n }));
  answers = openAnswers(stored.db);
});
afterAll(async () => {
  await answers?.close();
  await stored?.close();
});

const of = (path: string) => `/api/v1/accounts/0.0.1001/${path}`;
const messagesOf = (body: unknown) =>
  (body as { _status: { messages: { message: string }[] } })._status.messages.map(({ message }) => message);

describe.each(dialects)('refusals in the dialect %s', (dialect) => {
  it.each<[url: string, status: number, ...messages: string[]]>([
    // The path before the query.
    ['/api/v1/accounts/0.0.x/tokens?limit=0', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['/api/v1/accounts/0.0.9999/tokens?limit=0', 404, 'Not found'],
    ['/api/v1/accounts/0.0.9999/rewards?x=1', 404, 'Not found'],
    [`/api/v1/accounts/${'ab'.repeat(20)}/nfts?limit=0`, 404, 'Not found'],
    ['/api/v1/accounts/AEBAG/allowances/crypto?limit=0', 404, 'No account with a matching alias found'],
    // Values, then names.
    [
      of('tokens?x=1&token.id=y&limit=0'),
      400,
      'Invalid parameter: token.id',
      'Invalid parameter: limit',
      'Unknown query parameter: x',
    ],
    [of(`tokens?token.id=${opaque}`), 400, 'Invalid parameter: token.id'],
    [of('tokens?token.id=ne:0.0.1500'), 400, 'Not equal (ne) comparison operator is not supported for token.id'],
    [of('tokens?token.id=0.0.999999999999'), 400, 'Invalid entity ID "0.0.999999999999"'],
    [of('rewards?timestamp=ne:1&timestamp=2'), 400, 'Not equals (ne) operator is not supported for timestamp'],
    [
      of('allowances/crypto?spender.id=ne:1'),
      400,
      'Not equal (ne) comparison operator is not supported for spender.id',
    ],
    [
      of(`allowances/crypto?spender.id=ne:${opaque}`),
      400,
      'Not equal (ne) comparison operator is not supported for spender.id',
    ],
    [of('allowances/tokens?spender.id=ne:1'), 400, 'Not equal (ne) operator is not supported for spender.id'],
    [of('allowances/tokens?token.id=1500'), 400, 'token.id without a spender.id parameter filter'],
    [of('allowances/tokens?spender.id=1&spender.id=2'), 400, 'Only one equal (eq) operator is allowed for spender.id'],
    [of('allowances/tokens?spender.id=gt:1&token.id=gt:2'), 400, 'spender.id must have gte or eq operator'],
    [of(`allowances/tokens?token.id=${opaque}`), 400, 'Invalid parameter: token.id'],
    [of('nfts?spender.id=gt:1&spender.id=gte:2'), 400, 'Multiple range params not allowed for spender.id'],
    [of('nfts?spender.id=lt:1&spender.id=lte:2'), 400, 'Multiple range params not allowed for spender.id'],
    [of('nfts?spender.id=ne:1'), 400, 'Not equals (ne) comparison operator is not supported'],
    [of('nfts?spender.id=ne:1&serialnumber=1'), 400, 'serialnumber without a token.id parameter filter'],
    [of('nfts?token.id=gt:1&token.id=gte:2'), 400, 'Only one gt/gte operator is allowed for token.id'],
    [of('nfts?serialnumber=0&token.id=1'), 400, 'Invalid parameter: serialnumber'],
  ])('%s', async (url, status, ...messages) => {
    const answer = await answers.get(dialect, url);
    expect([answer.status, messagesOf(answer.body)]).toEqual([status, messages]);
  });
});

describe.each(dialects)('what is found in the dialect %s', (dialect) => {
  it.each<[url: string, member: string, key: string, keys: unknown[]]>([
    [of('tokens'), 'tokens', 'token_id', ['0.0.1500', '0.0.1501', '0.0.1502']],
    [of('tokens?token.id=1501&token.id=1500&token.id=lt:1501'), 'tokens', 'token_id', ['0.0.1500']],
    [of('tokens?token.id=gt:1501&token.id=lt:1501'), 'tokens', 'token_id', []],
    // An address of no account is no alternative, and none that is asked for alone.
    [of(`allowances/crypto?spender.id=${opaque}`), 'allowances', 'spender', []],
    [of(`allowances/crypto?spender.id=${opaque}&spender.id=2002`), 'allowances', 'spender', ['0.0.2002']],
    [of(`allowances/crypto?spender.id=gte:${opaque}&spender.id=2002`), 'allowances', 'spender', []],
    [of(`nfts?spender.id=${opaque}&spender.id=2001`), 'nfts', 'token_id', ['0.0.1501', '0.0.1500']],
    [of('nfts?token.id=1500&serialnumber=gt:9223372036854775807'), 'nfts', 'token_id', []],
    [of('rewards?timestamp=1&timestamp=3'), 'rewards', 'amount', [3n, 1n]],
    [of('rewards?timestamp=1&timestamp=3&timestamp=lt:3'), 'rewards', 'amount', [1n]],
    [of('rewards?timestamp=9999999999'), 'rewards', 'amount', []],
    [of('rewards?timestamp=gte:2&timestamp=lt:2'), 'rewards', 'amount', []],
    // An unknown owner.
    ['/api/v1/accounts/0.0.9999/nfts', 'nfts', 'token_id', []],
    ['/api/v1/accounts/0.0.9999/allowances/tokens', 'allowances', 'token_id', []],
    [`/api/v1/accounts/${opaque}/allowances/crypto`, 'allowances', 'spender', []],
  ])('%s', async (url, member, key, keys) => {
    const { status, body } = await answers.get(dialect, url);
    expect([status, (body[member] as Record<string, unknown>[]).map((item) => item[key])]).toEqual([200, keys]);
  });
});

describe.each(dialects)('accounts that are unknown, or have nothing, in the dialect %s', (dialect) => {
  const statements: string[] = [];
  let asked: Answers;
  beforeAll(() => {
    asked = openAnswers(recordQueries(stored.db, ({ name }) => statements.push(name)));
  });
  afterAll(() => asked?.close());

  it.each<[list: string, member: string, condition: string]>([
    ['tokens', 'tokens', 'token.id=gt:1501&token.id=lt:1501'],
    ['rewards', 'rewards', 'timestamp=gte:2&timestamp=lt:2'],
  ])('%s', async (list, member, nothing) => {
    const get = (account: string, query = '') => asked.get(dialect, `/api/v1/accounts/${account}/${list}?${query}`);
    const empty = { [member]: [], links: { next: null } };
    // 9998 has a token and a reward, but no entity.
    for (const account of ['0.0.9999', '9998', `0x${'0'.repeat(36)}270f`]) {
      for (const query of [
        '',
        nothing,
        'limit=1&order=desc',
        'limit=0',
        'x=1',
        `${list === 'tokens' ? 'token.id' : 'timestamp'}=7`,
      ]) {
        const { status, body } = await get(account, query);
        expect([account, query, status, messagesOf(body)]).toEqual([account, query, 404, ['Not found']]);
      }
    }
    for (const account of ['0.0.1002', `0x${opaque}`, opaque]) {
      for (const query of ['', nothing]) {
        const { status, body } = await get(account, query);
        expect([account, query, status, body]).toEqual([account, query, 200, empty]);
      }
      expect((await get(account, 'limit=0')).status).toBe(400);
    }
    // Known and listed by one statement.
    statements.length = 0;
    expect((await get('0.0.1001')).body[member]).toHaveLength(3);
    expect((await get('0.0.1002')).body).toEqual(empty);
    expect((await get('0.0.9999')).status).toBe(404);
    expect(statements).toHaveLength(3);
    expect(new Set(statements).size).toBe(1);
  });
});

it.each<[url: string, next: string | null]>([
  [of('tokens?limit=2'), of('tokens?limit=2&token.id=gt:0.0.1501')],
  [of('tokens?limit=1&token.id=lte:1500'), null],
  [of('rewards?limit=2&timestamp=gt:0'), of('rewards?limit=2&timestamp=gt:0&timestamp=lt:2.000000000')],
  [of('allowances/crypto?limit=1&order=asc'), of('allowances/crypto?limit=1&order=asc&spender.id=gt:0.0.2001')],
  [of('allowances/tokens?limit=1'), of('allowances/tokens?limit=1&spender.id=gte:0.0.2001&token.id=gt:0.0.1500')],
  [
    of('allowances/tokens?limit=1&spender.id=2002'),
    of('allowances/tokens?limit=1&spender.id=2002&token.id=gt:0.0.1500'),
  ],
  [of('allowances/tokens?limit=1&spender.id=2002&token.id=1500'), null],
  [of('nfts?limit=1'), of('nfts?limit=1&token.id=lte:0.0.1501&serialnumber=lt:3')],
  [
    of('nfts?limit=1&token.id=gt:1&serialnumber=2'),
    of('nfts?limit=1&token.id=gt:1&token.id=lt:0.0.1501&serialnumber=2'),
  ],
])('%s goes on at %s', async (url, next) => {
  for (const dialect of dialects) {
    const { body } = await answers.get(dialect, url);
    expect((body.links as { next: string | null }).next).toBe(next);
  }
});

it('a bound of one value of the first key gives each NFT once', async () => {
  const url = of('nfts?token.id=gte:1500&token.id=lte:1500&serialnumber=gte:1&serialnumber=lte:3&order=asc');
  const { body } = await answers.get('hiero', url);
  expect((body.nfts as { serial_number: bigint }[]).map((nft) => nft.serial_number)).toEqual([1n, 2n, 3n]);
});
