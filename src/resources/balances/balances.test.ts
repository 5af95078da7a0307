// Lists of accounts, balances and tokens, where the specifications have no examples: refusals and their order, names of
// accounts, links, and conditions on the balances of a snapshot.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answers, openAnswers } from '../../../packages/test-support/http/answers.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const opaque = 'ebb9a1be370150759408cd7af48e9eda2b8ead57';
const alias = 'KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ';
const keyOne = '11'.repeat(32);
const keyTwo = '22'.repeat(32);
const dialects = ['spec', 'hiero'] as const;

const second = 1_000_000_000n;
/** Two snapshots of one month; account 1003 is only in the first, 1004 in none. */
const first = 1_700_000_000n * second;
const later = first + 900n * second;

let stored: StoredRows;
let answers: Answers;
beforeAll(async () => {
  const setup = {
    accounts: [
      { num: 1001n, balance: 5n, balance_timestamp: 7n, public_key: keyOne, evm_address: null, alias: null },
      { num: 1002n, balance: 6n, balance_timestamp: 9n, public_key: keyTwo, evm_address: opaque, alias: null },
      { num: 1003n, balance: null, balance_timestamp: null, public_key: keyOne, evm_address: null, alias },
      { num: 1004n, balance: 8n, balance_timestamp: 8n, public_key: null, evm_address: null, alias: null },
    ],
    tokens: ['Silver coin', 'Golden coin', 'Badge 100%'].map((name, place) => ({
      token_id: `0.0.${1500 + place}`,
      name,
      type: place === 2 ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON',
    })),
    entities: [1500n, 1501n, 1502n].map((num) => ({ num, type: 'TOKEN', public_key: num === 1501n ? keyOne : null })),
    tokenaccounts: [1001n, 1002n, 1003n].flatMap((account) =>
      ['0.0.1500', '0.0.1501'].map((token_id, place) => ({
        account_id: `0.0.${account}`,
        token_id,
        balance: account + BigInt(place),
        balance_timestamp: account,
        associated: account !== 1003n || place === 0,
      })),
    ),
  };
  const balances = [
    ...[2n, 1001n, 1002n, 1003n].map((account_id) => ({ account_id, consensus_timestamp: first, balance: 100n })),
    ...[2n, 1001n, 1002n].map((account_id) => ({ account_id, consensus_timestamp: later, balance: account_id })),
  ];
  const tokenBalances = [
    ...[1001n, 1002n, 1003n].map((account_id) => ({ account_id, consensus_timestamp: first, balance: 10n })),
    { account_id: 1001n, consensus_timestamp: later, balance: 0n },
  ];
  const rows = toSetupRows(setup, { shard: 0n, realm: 0n }).filter(({ table }) => !/_balance$/.test(table));
  stored = await storeRows([
    ...rows,
    ...balances.map((row) => ({ table: 'account_balance', row })),
    ...tokenBalances.map((row) => ({ table: 'token_balance', row: { ...row, token_id: 1500n } })),
  ]);
  answers = openAnswers(stored.db, { clock: () => later + second });
});
afterAll(async () => {
  await answers?.close();
  await stored?.close();
});

const refusalOf = (body: unknown) => (body as { _status: { messages: object[] } })._status.messages;
const messages = (...texts: string[]) => texts.map((message) => ({ message }));

describe.each(dialects)('refusals in the dialect %s', (dialect) => {
  const ofAccount = (detail: string) => [{ message: 'Invalid parameter: account.id', detail }];
  it.each<[url: string, refusals: object[]]>([
    // In the order of the query.
    [
      'accounts?foo=1&foo=2&limit=0&balance=ne:true',
      messages('Unknown query parameter: foo', 'Invalid parameter: limit', 'Invalid parameter: balance'),
    ],
    ['accounts?account.balance=a:eq:1', messages('Invalid parameter: account.balance')],
    ['accounts?account.id=0.0.999999999999', messages('Invalid entity ID "0.0.999999999999"')],
    ['accounts?account.publickey=zz', messages('Invalid parameter: account.publickey')],
    [`balances?account.id=${opaque}&account.id=${alias}`, ofAccount('Only one EVM address or alias is allowed.')],
    [`balances?account.id=gt:${opaque}`, ofAccount('EVM address or alias only supports equals operator')],
    [`balances?account.id=0.0.${opaque}`, messages('Invalid parameter: account.id')],
    [`balances?account.id=0.${alias}`, messages('Invalid parameter: account.id')],
    ['balances?account.id=like:5', messages('Invalid parameter: account.id')],
    ['balances?account.id=x&limit=0', messages('Invalid parameter: limit')],
    ['balances?account.id=0.0.999999999999', messages('Invalid entity ID "0.0.999999999999"')],
    [
      'tokens?name=coin&token.id=x&account.id=5',
      messages('token.id and name can not be used together. Use a more specific name instead.'),
    ],
    ['tokens?name=x&account.id=5', messages('account.id and name cannot be used together')],
    ['tokens?name=ab', messages('Invalid parameter: name')],
    ['tokens?name=gt:abc', messages('Invalid parameter: name')],
    ['tokens?name=ab%00c', messages('Invalid parameter: name')],
    [`tokens?name=${'%E2%84%8F'.repeat(34)}`, messages('Invalid parameter: name')],
    ['tokens?account.id=eq:5', messages('Invalid parameter: account.id')],
    [
      'tokens?account.id=1&account.id=2',
      messages(dialect === 'spec' ? 'Invalid parameter: account.id' : 'Entity ID "1,2" is not a string'),
    ],
    [`tokens?token.id=${opaque}`, messages('Invalid parameter: token.id')],
    ['tokens?type=NFT', messages('Invalid parameter: type')],
    ['tokens?symbol=X', messages('Unknown query parameter: symbol')],
    ['tokens/0.0.x/balances?limit=0', messages('Invalid parameter: tokenid')],
    ['tokens/1500/balances?limit=0&foo=1', messages('Invalid parameter: limit', 'Unknown query parameter: foo')],
  ])('%s', async (url, refusals) => {
    const answer = await answers.get(dialect, `/api/v1/${url}`);
    expect([answer.status, refusalOf(answer.body)]).toEqual([400, refusals]);
  });
});

describe.each(dialects)('what is found in the dialect %s', (dialect) => {
  const at = (ns: bigint) => `${ns / second}.000000000`;
  it.each<[url: string, member: string, key: string, keys: unknown[]]>([
    ['accounts', 'accounts', 'account', ['0.0.1001', '0.0.1002', '0.0.1003', '0.0.1004']],
    ['accounts?account.id=1004&account.id=1001&account.id=ne:1001', 'accounts', 'account', ['0.0.1004']],
    [`accounts?account.id=${opaque}`, 'accounts', 'account', []],
    ['accounts?account.balance=gte:6&order=desc', 'accounts', 'account', ['0.0.1004', '0.0.1002']],
    ['accounts?account.balance=gte:6&balance=false&limit=1', 'accounts', 'account', ['0.0.1001']],
    ['accounts?account.balance=6&account.balance=5', 'accounts', 'account', []],
    [`accounts?account.publickey=${keyOne}`, 'accounts', 'account', ['0.0.1001', '0.0.1003']],
    [`accounts?account.publickey=0x302a300506032b6570032100${keyTwo}`, 'accounts', 'account', ['0.0.1002']],
    [`accounts?account.publickey=gt:${keyOne}`, 'accounts', 'account', ['0.0.1002']],
    ['balances', 'balances', 'balance', [8n, null, 6n, 5n]],
    [`balances?account.id=${opaque}`, 'balances', 'balance', [6n]],
    [`balances?account.id=eq:${alias}&account.id=1001`, 'balances', 'account', ['0.0.1003', '0.0.1001']],
    [`balances?account.id=${'ab'.repeat(20)}`, 'balances', 'account', []],
    [`balances?account.publickey=${keyOne}&account.publickey=${keyTwo}`, 'balances', 'account', []],
    [`balances?timestamp=${at(later)}`, 'balances', 'balance', [100n, 1002n, 1001n, 2n]],
    [`balances?timestamp=lt:${at(later)}&order=asc`, 'balances', 'balance', [100n, 100n, 100n, 100n]],
    [`balances?timestamp=ne:${at(later)}&order=asc&limit=2`, 'balances', 'account', ['0.0.2', '0.0.1001']],
    // The newest balance counts, not an older one.
    [`balances?timestamp=${at(later)}&account.balance=100`, 'balances', 'account', ['0.0.1003']],
    [`balances?timestamp=${at(later)}&account.publickey=${keyOne}`, 'balances', 'account', ['0.0.1003', '0.0.1001']],
    [
      `balances?timestamp=${at(later)}&account.publickey=${keyOne}&account.publickey=${keyTwo}`,
      'balances',
      'account',
      [],
    ],
    ['balances?timestamp=1', 'balances', 'account', []],
    ['balances?timestamp=9999999999', 'balances', 'account', ['0.0.1003', '0.0.1002', '0.0.1001', '0.0.2']],
    ['tokens/1500/balances', 'balances', 'balance', [1003n, 1002n, 1001n]],
    ['tokens/1501/balances?order=asc', 'balances', 'balance', [1002n, 1003n]],
    ['tokens/1500/balances?account.id=1001&account.id=1002', 'balances', 'balance', []],
    ['tokens/1500/balances?account.balance=gt:1001&account.id=lt:1003', 'balances', 'balance', [1002n]],
    [
      `tokens/1500/balances?account.publickey=${keyTwo}&account.publickey=${keyOne}`,
      'balances',
      'account',
      ['0.0.1003', '0.0.1001'],
    ],
    [`tokens/1500/balances?account.publickey=ne:${keyOne}`, 'balances', 'account', ['0.0.1002']],
    [`tokens/1500/balances?timestamp=${at(later)}`, 'balances', 'balance', [10n, 10n, 0n]],
    [`tokens/1500/balances?timestamp=${at(later)}&account.balance=gt:0&limit=1`, 'balances', 'account', ['0.0.1003']],
    [`tokens/1500/balances?timestamp=${at(later)}&account.publickey=${keyTwo}`, 'balances', 'account', ['0.0.1002']],
    ['tokens', 'tokens', 'token_id', ['0.0.1500', '0.0.1501', '0.0.1502']],
    ['tokens?name=COIN&name=old', 'tokens', 'token_id', ['0.0.1501']],
    ['tokens?name=s_lv%25n', 'tokens', 'token_id', ['0.0.1500']],
    ['tokens?name=100%5C%25', 'tokens', 'token_id', ['0.0.1502']],
    ['tokens?name=00%25%5C', 'tokens', 'token_id', ['0.0.1502']],
    ['tokens?type=ne:fungible_common', 'tokens', 'token_id', ['0.0.1502']],
    ['tokens?type=gt:fungible_common&type=all', 'tokens', 'token_id', ['0.0.1502']],
    ['tokens?account.id=1003', 'tokens', 'token_id', ['0.0.1500']],
    [`tokens?account.id=${opaque}`, 'tokens', 'token_id', []],
    ['tokens?token.id=ne:1501&token.id=gt:1500', 'tokens', 'token_id', ['0.0.1502']],
    [`tokens?publickey=${keyOne}`, 'tokens', 'token_id', ['0.0.1501']],
  ])('%s', async (url, member, key, keys) => {
    const { status, body } = await answers.get(dialect, `/api/v1/${url}`);
    expect([status, (body[member] as Record<string, unknown>[] | undefined)?.map((item) => item[key])]).toEqual([
      200,
      keys,
    ]);
  });

  it.each<[url: string, timestamp: string | null]>([
    ['balances', '0.000000009'],
    ['balances?account.id=1003', null],
    ['balances?account.id=7', null],
    [`balances?timestamp=${at(later)}`, at(later)],
    [`balances?timestamp=${at(later)}&account.id=7`, null],
    ['tokens/1500/balances', '0.000001003'],
    [`tokens/1500/balances?timestamp=lt:${at(later)}`, at(first)],
    ['tokens/1700/balances', null],
  ])('%s is as of %s', async (url, timestamp) => {
    expect((await answers.get(dialect, `/api/v1/${url}`)).body.timestamp).toBe(timestamp);
  });

  it.each<[url: string, next: string | null]>([
    ['accounts?limit=2', 'accounts?limit=2&account.id=gt:0.0.1002'],
    ['balances?limit=1&account.id=gte:1002', 'balances?limit=1&account.id=gte:1002&account.id=lt:0.0.1004'],
    [`balances?limit=1&account.id=${opaque}`, null],
    ['tokens?limit=1&type=all', 'tokens?limit=1&type=all&token.id=gt:0.0.1500'],
    ['tokens?limit=1&name=coin', null],
    ['tokens/1500/balances?limit=1', 'tokens/1500/balances?limit=1&account.id=lt:0.0.1003'],
  ])('%s goes on at %s', async (url, next) => {
    const { body } = await answers.get(dialect, `/api/v1/${url}`);
    expect(body.links).toEqual({ next: next && `/api/v1/${next}` });
  });

  it('balances that were not requested are null', async () => {
    const { body } = await answers.get(dialect, '/api/v1/accounts?balance=false&account.id=1001');
    expect((body.accounts as { balance: unknown }[])[0]!.balance).toBeNull();
  });
});
