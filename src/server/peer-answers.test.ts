// What the mirror node's JavaScript answers to requests that few clients send, as it was seen from the server itself
// beside this one, on one database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { toSetupRows } from '../../packages/test-support/rows/setup-rows.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';

const hash = '0a'.repeat(32);
const unknownAddress = 'ab'.repeat(20);
/** Of one moment, in the order of the signature map, which is not that of their bytes. */
const prefixes = ['cc', 'aa', 'bb', 'a9'];

let stored: StoredRows;
let servers: Record<'spec' | 'hiero', ReturnType<typeof openServer>>;
beforeAll(async () => {
  const setup = {
    accounts: [1001n, 1002n, 1003n].map((num) => ({ num, balance: num, balance_timestamp: 5n })),
    tokens: [{ token_id: '0.0.1500' }],
    tokenaccounts: [{ account_id: '0.0.1001', token_id: '0.0.1500' }],
    contracts: [{ num: 5001n }, { num: 5002n }],
    contractresults: [
      { consensus_timestamp: 20n, contract_id: 5001n, sender_id: 1001n, payer_account_id: 1001n },
      { consensus_timestamp: 21n, contract_id: 5002n, sender_id: 1001n, payer_account_id: 1001n },
      { consensus_timestamp: 22n, contract_id: 0n, sender_id: 1002n, payer_account_id: 1002n },
    ],
    contractlogs: [{ consensus_timestamp: 20n, contract_id: 5001n, index: 0n }],
    contractactions: [{ consensus_timestamp: 20n, index: 0n, payer_account_id: 1001n }],
    recordFiles: [{ index: 7n, consensus_start: 20n, consensus_end: 30n }],
    schedules: [{ schedule_id: '0.0.6001', consensus_timestamp: 40n }],
    transactions: [
      { consensus_timestamp: 20n, payerAccountId: '0.0.1001', valid_start_timestamp: 10n, type: 7n, nonce: 0n },
    ],
  };
  const signatures = prefixes.map((prefix) => ({
    ...{ entity_id: 6001n, consensus_timestamp: 41n, public_key_prefix: Buffer.from(prefix, 'hex') },
    ...{ signature: Buffer.alloc(57), type: 3n },
  }));
  const later = { ...signatures[0]!, consensus_timestamp: 42n, public_key_prefix: Buffer.from('01', 'hex') };
  stored = await storeRows([
    ...toSetupRows(setup, { shard: 0n, realm: 0n }),
    ...[later, ...signatures].map((row) => ({ table: 'transaction_signature', row })),
  ]);
  servers = { spec: openServer(stored.db, 'spec'), hiero: openServer(stored.db, 'hiero') };
});
afterAll(async () => {
  for (const server of Object.values(servers ?? {})) await server.close();
  await stored?.close();
});

async function ask(url: string, dialect: 'spec' | 'hiero' = 'hiero', headers: Record<string, string> = {}) {
  const {
    statusCode: status,
    headers: given,
    body,
  } = await servers[dialect].inject({ url: `/api/v1/${url}`, headers });
  return { status, cacheControl: given['cache-control'], body: JSON.parse(body) as Record<string, unknown> };
}

const messagesOf = (body: object) =>
  (body as { _status?: { messages: { message: string }[] } })._status?.messages.map(({ message }) => message);

const ofTransaction = 'contracts/results/0.0.1001-0-10';
const notNumeric =
  'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds';

describe('refusals', () => {
  it.each<[url: string, ...messages: string[]]>([
    // Of the older rule each value is refused, also where it is repeated.
    [`${ofTransaction}?nonce=x&nonce=x`, 'Invalid parameter: nonce', 'Invalid parameter: nonce'],
    ['balances?order=up&order=up', 'Invalid parameter: order', 'Invalid parameter: order'],
    // −0 is no number of an entity.
    ['accounts/-0', 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['contracts/-0', 'Invalid entity ID "0.0.-0"'],
    ['tokens/-0', 'Invalid parameter: tokenid'],
    ['schedules/-0', 'Invalid parameter: scheduleid'],
    ['accounts?account.id=-0', 'Invalid entity ID "0.0.-0"'],
    ['topics/-0/messages', 'Invalid entity ID "0.0.-0"'],
    ['contracts/results?from=-0', 'Invalid parameter: from'],
    // An address is named as it was written.
    [`schedules?account.id=7.${unknownAddress}`, `Invalid entity ID "7.${unknownAddress}"`],
    // One account, but not before all values are good.
    ['tokens?account.id=gt:1001&limit=0', 'Invalid parameter: limit'],
    ['tokens?account.id=gt:1001', 'Invalid parameter: account.id'],
    ['tokens?account.id=1001&account.id=1002', 'Entity ID "1001,1002" is not a string'],
    ['tokens?account.id[]=1001', 'Entity ID "1001" is not a string'],
    ['tokens?account.id=1001&account.id=999999999999', 'Invalid entity ID "0.0.999999999999"'],
    ['tokens?account.id=ne:1001&token.id=999999999999', 'Invalid entity ID "0.0.999999999999"'],
    ['tokens?name=&token.id=1', 'Invalid parameter: name'],
    // Positions of any size are read, and `ne` is refused once all values are good.
    [`${ofTransaction}/actions?index=ne:1&order=up`, 'Invalid parameter: order'],
    [`${ofTransaction}/actions?index=ne:1`, 'Invalid parameter: index'],
    ['contracts/results/x/actions?index=ne:1', 'Invalid parameter: index'],
    ['contracts/results/x/actions?index=9223372036854775808', notNumeric],
    [`${ofTransaction}/actions?index=-1`, 'Invalid parameter: index'],
    ['contracts/results/logs?index=9223372036854775808', 'timestamp must have eq operator'],
    // Logs and storage: topics, then the contract, then what makes no page.
    ['contracts/-1/results/logs?index=1', 'Invalid parameter: contractid'],
    [
      'contracts/-1/results/logs?topic0=1',
      'Cannot search topics without a valid timestamp range: No timestamp range or eq operator provided',
    ],
    ['contracts/5001/results/logs?index=ne:1', 'Not equal (ne) operator is not supported for index'],
    ['contracts/-1/state?timestamp=ne:1', 'Invalid parameter: contractid'],
    ['contracts/5001/state?timestamp=ne:1', 'Not equals (ne) operator is not supported for timestamp'],
    // Where two things are wrong, the first.
    [
      `contracts/results/logs?timestamp=ne:1&transaction.hash=${hash}&transaction.hash=${hash}`,
      'Not equal (ne) operator is not supported for timestamp',
    ],
    [
      `contracts/results/logs?index=1&transaction.hash=${hash}&timestamp=ne:1&transaction.hash=${hash}`,
      'Only one transaction.hash filter is allowed',
    ],
    // The last word of a path in another case.
    ['contracts/RESULTS', 'Invalid parameter: contractid'],
    ['contracts/results/LOGS?foo=1&topic0=1', 'Unknown query parameter: foo'],
    [
      'contracts/results/LOGS?topic0=1',
      'Cannot search topics without a valid timestamp range: No timestamp range or eq operator provided',
    ],
    ['contracts/results/LOGS', notNumeric],
    [
      `contracts/5001/results/20?hbar[x]=true`,
      "Invalid hbar parameter value: [object Object]. Must be 'true' or 'false'",
    ],
  ])('%s', async (url, ...messages) => {
    const { status, body } = await ask(url);
    expect([status, messagesOf(body)]).toEqual([400, messages]);
  });

  it('credentials are judged before a path that cannot be read', async () => {
    const { status, body } = await ask('accounts/%', 'hiero', { authorization: 'Basic eDp5' });
    expect([status, messagesOf(body)]).toEqual([401, ['Invalid credentials']]);
  });
});

describe('what is found', () => {
  const balances = (body: Record<string, unknown>) =>
    (body.balances as { account: string }[]).map((item) => item.account);
  const accounts = (body: Record<string, unknown>) =>
    (body.accounts as { account: string }[]).map((item) => item.account);
  it.each<[url: string, see: (body: Record<string, unknown>) => unknown, seen: unknown]>([
    // An order counts where it stands alone.
    ['accounts?order=desc&limit=1', accounts, ['0.0.5002']],
    ['accounts?order=asc&order=desc&limit=1', accounts, ['0.0.1001']],
    ['accounts?order=desc&order=desc&limit=1', accounts, ['0.0.1001']],
    ['accounts?order=eq:desc&limit=1', accounts, ['0.0.1001']],
    ['accounts?order[]=desc&limit=1', accounts, ['0.0.1001']],
    ['balances?order=asc&limit=1', balances, ['0.0.1001']],
    ['balances?order=asc&order=asc&limit=1', balances, ['0.0.5002']],
    ['balances?order=lt:asc&limit=1', balances, ['0.0.5002']],
    [
      'contracts?order=desc&order=asc&limit=1',
      (body) => (body.contracts as object[])[0],
      expect.objectContaining({ contract_id: '0.0.5001' }),
    ],
    // The last of several counts, also where it was there before.
    ['balances?limit=2&limit=1&limit=2', balances, ['0.0.5002', '0.0.5001']],
    ['accounts?account.balance=1001&account.balance=1001', accounts, ['0.0.1001']],
    // An operator before `true` makes it false.
    [
      'accounts?balance=eq:true&limit=1',
      (body) => (body.accounts as object[])[0],
      expect.objectContaining({ balance: null }),
    ],
    [
      'accounts?balance=TRUE&limit=1',
      (body) => (body.accounts as object[])[0],
      expect.not.objectContaining({ balance: null }),
    ],
    // Contract 0 is every contract, but has no logs.
    [
      'contracts/0/results',
      (body) => (body.results as { timestamp: string }[]).map((item) => item.timestamp),
      ['0.000000022', '0.000000021', '0.000000020'],
    ],
    [
      'contracts/0.0.0/results?limit=1',
      (body) => body.links as object,
      { next: '/api/v1/contracts/0.0.0/results?limit=1&timestamp=lt:0.000000022' },
    ],
    ['contracts/0/results', (body) => Object.keys((body.results as object[])[0]!).at(-1), 'hash'],
    // Nothing lives there, whatever is asked of it.
    [`contracts/${unknownAddress}/results/logs?index=1`, (body) => body.logs, []],
    [`contracts/${unknownAddress}/state?timestamp=ne:1`, (body) => body.state, []],
    ['contracts/5001/results/LOGS', (body) => (body.logs as object[]).length, 1],
    [`${ofTransaction}/actions?index=lt:9223372036854775808`, (body) => (body.actions as object[]).length, 1],
    [`${ofTransaction}/actions?index=gt:9223372036854775808`, (body) => body.actions, []],
  ])('%s', async (url, see, seen) => {
    const { status, body } = await ask(url);
    expect([status, status === 200 ? see(body) : messagesOf(body)]).toEqual([200, seen]);
  });

  it.each(['spec', 'hiero'] as const)(
    'signatures of one moment are in the order of the signature map, %s',
    async (dialect) => {
      const expected = [...prefixes, '01'].map((prefix) => Buffer.from(prefix, 'hex').toString('base64'));
      const { body } = await ask('schedules/6001', dialect);
      const { body: list } = await ask('schedules', dialect);
      for (const schedule of [body, (list.schedules as (typeof body)[])[0]!]) {
        expect((schedule.signatures as { public_key_prefix: string }[]).map((item) => item.public_key_prefix)).toEqual(
          expected,
        );
      }
    },
  );
});

// Those of accounts/{id}/…, blocks and contracts stand in a list by path, as it was typed up to the first of these
// words.
describe('how long an answer may be kept', () => {
  it.each<[path: string, seconds: number, otherwise: number]>([
    ['/API/v1/blocks/7', 1, 600],
    ['/api/v1/BLOCKS/7', 1, 600],
    ['/api/v1/blocks/7', 600, 600],
    ['/api/V1/contracts', 1, 10],
    ['/api/v1/Contracts/results', 1, 10],
    ['/api/v1/contracts/5001/RESULTS', 1, 1],
    ['/API/v1/contracts/results/logs', 1, 10],
    ['/API/v1/accounts/1001/rewards', 1, 60],
    ['/api/v1/accounts/1001/REWARDS', 60, 60],
    ['/API/v1/accounts', 10, 10],
    ['/API/V1/accounts/1001', 2, 2],
    ['/API/v1/tokens/', 10, 10],
    ['/API/v1/schedules', 10, 10],
  ])('%s: %d s', async (path, seconds, otherwise) => {
    for (const [dialect, expected] of [
      ['hiero', seconds],
      ['spec', otherwise],
    ] as const) {
      const { statusCode, headers } = await servers[dialect].inject({ url: path });
      expect([dialect, statusCode, headers['cache-control']]).toEqual([dialect, 200, `public, max-age=${expected}`]);
    }
  });
});
