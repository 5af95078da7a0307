// What no specification of the mirror node's says of contracts: order of refusals, texts, links, what is found by which
// name, null forms, and where this mirror answers better.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answers, openAnswers } from '../../../packages/test-support/http/answers.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import type { JsonObject } from '../../../packages/test-support/rows/spec-file.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const second = 1_000_000_000n;
const start = 1_700_000_000n * second;
const at = (seconds: number): bigint => start + BigInt(seconds) * second;
const time = (seconds: number): string => `${1_700_000_000 + seconds}.000000000`;
const payer = 9001n;
const hash = (byte: string): string => byte.repeat(32);
const ethereum = { payer_account_id: payer, gas_price: '0x2540be400', value: '0x02540be400', hash: hash('e1') };

const withShared = (shared: JsonObject, rows: JsonObject[]): JsonObject[] => rows.map((row) => ({ ...shared, ...row }));

const setup: JsonObject = {
  contracts: [
    { num: 5001n, evm_address: 'c1'.repeat(20), timestamp_range: `[${start},)` },
    { num: 5002n, evm_address: 'd1'.repeat(20), deleted: true, timestamp_range: `[${start},)` },
    { num: 5003n, timestamp_range: `[${start},)` },
  ],
  accounts: [{ num: 9001n, evm_address: 'a1'.repeat(20) }],
  recordFiles: [{ index: 7n, consensus_start: at(0), consensus_end: at(5), hash: '7a'.repeat(48), gas_used: -1n }],
  contractresults: withShared({ payer_account_id: payer, sender_id: payer }, [
    // Of no contract that anybody could name.
    {
      consensus_timestamp: at(1),
      contract_id: 0n,
      transaction_hash: hash('e1'),
      call_result: '',
      transaction_index: null,
    },
    { consensus_timestamp: at(2), contract_id: 5001n, transaction_hash: hash('e2'), transaction_result: 33n },
    { consensus_timestamp: at(3), contract_id: 5001n, transaction_hash: hash('e2'), call_result: '01' },
    { consensus_timestamp: at(4), contract_id: 5001n, transaction_hash: hash('e2'), transaction_result: 33n },
    // In no block.
    { consensus_timestamp: at(9), contract_id: 5001n, transaction_hash: hash('e9'), call_result: '02' },
  ]),
  ethereumtransactions: [{ ...ethereum, consensus_timestamp: at(1), gas_limit: 77n, call_data: 'abcd' }],
  transactions: [1, 2, 3].map((index) => ({
    consensus_timestamp: at(index),
    payerAccountId: payer,
    valid_start_timestamp: at(0) + 5n,
    nonce: index === 3 ? 1n : 0n,
    result: index === 1 ? 22n : 33n,
    transaction_hash: hash(index === 1 ? 'e1' : 'b2') + 'f1'.repeat(16),
  })),
  contractlogs: [
    { consensus_timestamp: at(1), contract_id: 5001n, index: 0n, topic0: [], topic1: null, topic2: null, topic3: null },
    { consensus_timestamp: at(1), contract_id: 5003n, index: 1n, topic0: [0n], data: '', root_contract_id: 5001n },
    { consensus_timestamp: at(3), contract_id: 5001n, index: 0n, topic0: 'ab', transaction_index: null },
    { consensus_timestamp: at(9), contract_id: 5001n, index: 0n },
  ],
  transactionhashes: [{ consensus_timestamp: at(3), hash: hash('e1'), payer_account_id: payer }],
  contractactions: [
    { consensus_timestamp: at(1), payer_account_id: payer, index: 0n, caller: null, caller_type: null },
    {
      consensus_timestamp: at(1),
      payer_account_id: payer,
      index: 1n,
      call_operation_type: 6n,
      call_type: 4n,
      recipient_address: 'bb'.repeat(19),
      result_data_type: 0n,
    },
    { consensus_timestamp: at(1), payer_account_id: payer, index: 2n, recipient_account: 5001n, result_data_type: 13n },
  ],
  contractStates: ['00', '0101', '02'].map((slot) => ({
    contract_id: 5001n,
    slot: slot.padStart(64, '0'),
    value: slot,
    created_timestamp: at(1),
    modified_timestamp: at(2),
  })),
  contractStateChanges: withShared({ payer_account_id: payer }, [
    { consensus_timestamp: at(1), contract_id: 5001n, slot: '0101', value_read: '05', value_written: null },
    { consensus_timestamp: at(1), contract_id: 5001n, slot: '02' },
    { consensus_timestamp: at(1), contract_id: 5001n, slot: [0n] },
    { consensus_timestamp: at(2), contract_id: 5001n, slot: '02', value_written: '' },
    { consensus_timestamp: at(2), contract_id: 5003n, slot: '07', migration: true },
  ]),
};

let stored: StoredRows;
let answers: Answers;
beforeAll(async () => {
  stored = await storeRows(toSetupRows(setup, { shard: 0n, realm: 0n }));
  answers = openAnswers(stored.db, { clock: () => at(100) });
});
afterAll(async () => {
  await answers?.close();
  await stored?.close();
});

const api = '/api/v1/contracts';
const noId =
  'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds';
const noRange = 'Cannot search topics without a valid timestamp range: ';
const week = 7 * 86_400;
const bounds = (from: string, to: string) => `timestamp=${from}&timestamp=${to}`;

describe('refusals', () => {
  it.each<[url: string, status: number, messages: string[]]>([
    [`?contract.id=0x${'c1'.repeat(20)}`, 400, ['Invalid parameter: contract.id']],
    [`?contract.id=gt:${'c1'.repeat(20)}`, 400, ['Invalid parameter: contract.id']],
    ['?contract.id=0.0.999999999999', 400, ['Invalid parameter: contractid']],
    [
      '?contract.id=x&limit=0&foo=1&foo=2',
      400,
      [
        'Invalid parameter: contract.id',
        'Invalid parameter: limit',
        'Unknown query parameter: foo',
        'Unknown query parameter: foo',
      ],
    ],
    ['/x/results?limit=0', 400, ['Invalid parameter: contractid']],
    ['/0.0.999999999999/results?limit=0', 400, ['Invalid parameter: limit']],
    ['/0.0.999999999999/results', 400, ['Invalid parameter: contractid']],
    ['/5001/results?hbar=x', 400, ['Invalid parameter: hbar']],
    [
      '/5001/results?transaction.index=1',
      400,
      [
        'Invalid parameter usage: transaction.index - transaction.index requires block.number or block.hash filter to be specified',
      ],
    ],
    [`/5001/results?from=0x${'ee'.repeat(20)}`, 404, ['Not found']],
    // `hbar` before the path, the path before names.
    [`/x/results/y?hbar=1`, 400, ["Invalid hbar parameter value: 1. Must be 'true' or 'false'"]],
    ['/x/results/y?foo=1', 400, ['Invalid parameter: contractid', 'Invalid parameter: timestamp']],
    ['/5001/results/y?foo=1', 400, ['Invalid parameter: timestamp']],
    [`/5001/results/${time(3)}?foo=1&foo=2`, 400, ['Unknown query parameter: foo']],
    [`/0.0.999999999999/results/${time(3)}`, 400, ['Invalid parameter: contractid']],
    [`/${'ee'.repeat(20)}/results/${time(3)}`, 404, ['Not found']],
    [`/5003/results/${time(3)}`, 404, ['Not found']],
    ['/5001/results/9999999999', 404, ['Not found']],
    // The query before the path.
    [
      '/results/x?nonce=2147483648&hbar=x&foo=1',
      400,
      ['Invalid parameter: nonce', 'Invalid parameter: hbar', 'Unknown query parameter: foo'],
    ],
    ['/results/x?hbar=eq:true', 400, ["Invalid hbar parameter value: eq:true. Must be 'true' or 'false'"]],
    ['/results/x', 400, [noId]],
    [`/results/0x${'e1'.repeat(48)}`, 400, [noId]],
    ['/results/0.0.9001@1700000000.5', 400, [noId]],
    ['/results/0.0.999999999999-1-1', 400, ['Invalid entity ID "0.0.999999999999"']],
    ['/results/0.0.9001-9223372036854775807-1', 404, ['Not found']],
    [`/results/${hash('ff')}`, 404, ['Not found']],
    ['/results/x/actions?index=ne:1', 400, ['Invalid parameter: index']],
    ['/results/x/actions?index=1.5', 400, ['Invalid parameter: index']],
    ['/results/x/actions', 400, [noId]],
    [`/results/${hash('ff')}/actions`, 404, ['Not found']],
    ['/x/state?slot=0xg', 400, ['Invalid parameter: contractid']],
    ['/5001/state?slot=ne:1', 400, ['Invalid parameter: slot']],
    ['/5001/state?timestamp=ne:1', 400, ['Not equals (ne) operator is not supported for timestamp']],
    ['/results/logs?index=0x10', 400, ['Invalid parameter: index']],
    ['/results/logs?index=1', 400, ['timestamp must have eq operator']],
    ['/results/logs?index=gt:1', 400, ['index without a timestamp parameter filter']],
    ['/results/logs?timestamp=1&timestamp=2', 400, ['Only one equal (eq) operator is allowed for timestamp']],
    [
      `/results/logs?transaction.hash=${hash('e1')}&transaction.hash=${hash('e1')}`,
      400,
      ['Only one transaction.hash filter is allowed'],
    ],
    ['/results/logs?transaction.hash=ab', 400, ['Invalid parameter: transaction.hash']],
    [`/5001/results/logs?transaction.hash=${hash('e1')}`, 400, ['Unknown query parameter: transaction.hash']],
    ['/results/logs?topic0=gt:1', 400, ['Invalid parameter: topic0']],
    ['/results/logs?topic0=1', 400, [`${noRange}No timestamp range or eq operator provided`]],
    ['/results/logs?topic0=1&timestamp=ne:1', 400, [`${noRange}Not equals operator not supported for timestamp param`]],
    [
      '/results/logs?topic1=1&timestamp=gt:1&timestamp=gte:2',
      400,
      [`${noRange}Multiple gt or gte operators not permitted for timestamp param`],
    ],
    [
      '/results/logs?topic2=1&timestamp=lt:1&timestamp=lte:2',
      400,
      [`${noRange}Multiple lt or lte operators not permitted for timestamp param`],
    ],
    [
      '/results/logs?topic3=1&timestamp=1&timestamp=lte:2',
      400,
      [`${noRange}Cannot combine eq with ne, gt, gte, lt, or lte for timestamp param`],
    ],
    [
      '/results/logs?topic0=1&timestamp=gt:1',
      400,
      [`${noRange}Timestamp range must have gt (or gte) and lt (or lte), or eq operator`],
    ],
    [
      `/results/logs?topic0=1&${bounds('gte:1', `lte:${week + 1}`)}`,
      400,
      [`${noRange}Timestamp range by the lower and upper bounds must be positive and within 7d`],
    ],
    [
      '/results/logs?topic0=1&timestamp=gt:1&timestamp=lt:1',
      400,
      [`${noRange}Timestamp range by the lower and upper bounds must be positive and within 7d`],
    ],
    ['/results/logs?topic0=1&timestamp=1&timestamp=2', 400, ['Only one equal (eq) operator is allowed for timestamp']],
  ])('%s', async (url, status, messages) => {
    const answer = await answers.get('hiero', `${api}${url}`);
    const found = (answer.body._status as { messages: { message: string }[] } | undefined)?.messages;
    expect([answer.status, found?.map(({ message }) => message)]).toEqual([status, messages]);
  });
});

const list = async (
  url: string,
  member: string,
  dialect: 'spec' | 'hiero' = 'hiero',
): Promise<{ items: JsonObject[]; next: unknown }> => {
  const { status, body } = await answers.get(dialect, `${api}${url}`);
  expect([url, status]).toEqual([url, 200]);
  return { items: body[member] as JsonObject[], next: (body.links as JsonObject).next };
};

it.each<[url: string, ids: string[], next: string | null]>([
  ['', ['0.0.5003', '0.0.5002', '0.0.5001'], null],
  ['?limit=1&order=asc', ['0.0.5001'], '?limit=1&order=asc&contract.id=gt:0.0.5001'],
  ['?contract.id=gte:5002&limit=1', ['0.0.5003'], '?contract.id=gte:5002&contract.id=lt:0.0.5003&limit=1'],
  ['?contract.id=5001&contract.id=5003', ['0.0.5003', '0.0.5001'], null],
  [`?contract.id=0.0.${'c1'.repeat(20)}&contract.id=5003`, ['0.0.5003', '0.0.5001'], null],
  // Deleted, so nothing lives there.
  [`?contract.id=${'d1'.repeat(20)}`, [], null],
  [`?contract.id=${'0'.repeat(36)}138b`, ['0.0.5003'], null],
  ['?contract.id=ne:5002&contract.id=lt:5003', ['0.0.5001'], null],
  ['?contract.id=gt:5003&contract.id=lt:5002', [], null],
])('contracts%s', async (url, ids, next) => {
  const { items, next: link } = await list(url, 'contracts');
  expect(items.map((item) => item.contract_id)).toEqual(ids);
  expect(link).toBe(next && `${api}${next}`);
});

describe('one result', () => {
  const find = async (url: string) => (await answers.get('hiero', `${api}${url}`)).body;

  it('of an unknown contract is found by hash, by transaction id and by who paid', async () => {
    for (const url of [
      `/results/${hash('e1')}`,
      `/results/0x${hash('E1')}`,
      `/results/0.0.9001-${1_700_000_000}-5`,
      `/9001/results/${time(1)}`,
      `/0x${'a1'.repeat(20)}/results/${time(1)}`,
    ]) {
      expect([url, await find(url)]).toEqual([
        url,
        expect.objectContaining({
          address: null,
          contract_id: null,
          transaction_index: null,
          gas_limit: 77n,
          function_parameters: '0xabcd',
          amount: 1n,
          gas_price: '0x1',
          block_number: 7n,
          block_gas_used: null,
          hash: `0x${hash('e1')}`,
        }),
      ]);
    }
  });

  it('is in weibar with `hbar=false`', async () => {
    expect(await find(`/results/${hash('e1')}?hbar=false`)).toMatchObject({
      amount: 10_000_000_000n,
      gas_price: '0x2540be400',
    });
  });

  it('has its members in the documented order', async () => {
    expect(Object.keys(await find(`/results/${hash('e2')}`)).join()).toBe(
      'address,amount,bloom,call_result,child,contract_id,created_contract_ids,error_message,from,function_parameters,gas_consumed,' +
        'gas_limit,gas_used,timestamp,to,hash,block_hash,block_number,logs,result,transaction_index,state_changes,status,' +
        'failed_initcode,access_list,block_gas_used,chain_id,gas_price,max_fee_per_gas,max_priority_fee_per_gas,r,s,type,v,nonce',
    );
  });

  it('of several with one hash is the one that succeeded; with one id and nonce, too', async () => {
    expect((await find(`/results/${hash('e2')}`)).timestamp).toBe(time(3));
    expect((await find('/results/0.0.9001-1700000000-5')).timestamp).toBe(time(1));
    expect((await find('/results/0.0.9001-1700000000-5?nonce=1')).timestamp).toBe(time(3));
    expect((await find('/results/0.0.9001-1700000000-000000005?nonce=0&nonce=1')).timestamp).toBe(time(3));
  });

  it('is partial where no call result was kept', async () => {
    expect((await answers.get('hiero', `${api}/5001/results/${time(2)}`)).status).toBe(206);
    expect((await answers.get('hiero', `${api}/5001/results/${time(3)}`)).status).toBe(200);
  });

  it('names no block where none holds its time', async () => {
    expect(await find(`/results/${hash('e9')}`)).toMatchObject({ block_hash: '0x', block_number: null });
  });

  it('lists logs and storage changes; a migration only for its own contract', async () => {
    const { logs, state_changes } = await find(`/results/${hash('e1')}`);
    expect(logs).toEqual([
      expect.objectContaining({ index: 0n, address: `0x${'c1'.repeat(20)}`, topics: [`0x${'0'.repeat(64)}`] }),
      expect.objectContaining({ index: 1n, data: '0x', address: `0x${'0'.repeat(36)}138b` }),
    ]);
    expect((state_changes as JsonObject[]).map(({ slot, value_written }) => [slot, value_written])).toEqual([
      [`0x${'00'.padStart(64, '0')}`, expect.stringMatching(/a1a1$/)],
      [`0x${'0101'.padStart(64, '0')}`, null],
      [`0x${'02'.padStart(64, '0')}`, expect.stringMatching(/a1a1$/)],
    ]);
    expect((await find(`/9001/results/${time(2)}`)).state_changes).toHaveLength(1);
    expect((await find(`/5003/results/${time(2)}`)).state_changes).toHaveLength(2);
  });
});

it.each<[url: string, times: string[], next: string | null]>([
  ['/5001/results', [time(9), time(4), time(3), time(2)], null],
  ['/5001/results?hbar=false&limit=2', [time(9), time(4)], `?hbar=false&limit=2&timestamp=lt:${time(4)}`],
  [`/5001/results?timestamp=gte:${time(3)}&order=asc`, [time(3), time(4), time(9)], null],
  [`/5001/results?timestamp=${time(3)}&timestamp=${time(9)}`, [time(9), time(3)], null],
  [`/5001/results?timestamp=ne:${time(3)}`, [time(9), time(4), time(2)], null],
  ['/5001/results?block.number=7&from=gte:9001', [time(4), time(3), time(2)], null],
  ['/5001/results?block.number=8', [], null],
  ['/5001/results?from=gt:9001', [], null],
  [`/${'ee'.repeat(20)}/results`, [], null],
])('results of one contract: %s', async (url, times, next) => {
  const { items, next: link } = await list(url, 'results');
  expect(items.map(({ timestamp }) => timestamp)).toEqual(times);
  expect(link).toBe(next && `${api}/5001/results${next}`);
});

describe('logs', () => {
  const day = bounds(`gte:${time(0)}`, `lte:${time(86_400)}`);
  it.each<[url: string, found: string[], next?: string]>([
    ['/results/logs', ['9/0', '3/0', '1/1', '1/0']],
    ['/results/logs?limit=2&order=asc', ['1/0', '1/1'], `?limit=2&order=asc&timestamp=gte:${time(1)}&index=gt:1`],
    [
      `/results/logs?limit=1&order=asc&timestamp=gte:${time(1)}`,
      ['1/0'],
      `?limit=1&order=asc&timestamp=gte:${time(1)}&index=gt:0`,
    ],
    [`/results/logs?timestamp=gte:${time(1)}&index=gt:0&order=asc`, ['1/1', '3/0', '9/0']],
    [`/results/logs?${bounds(`gte:${time(1)}`, `lte:${time(1)}`)}&index=1`, ['1/1']],
    [
      `/results/logs?limit=1&${bounds(`gte:${time(1)}`, `lte:${time(1)}`)}`,
      ['1/1'],
      `?limit=1&timestamp=gte:${time(1)}&timestamp=lte:${time(1)}&index=lt:1`,
    ],
    [`/results/logs?timestamp=${time(1)}&index=0&limit=1`, ['1/0']],
    ['/results/logs?timestamp=9999999999', []],
    // Both forms in which a topic of zeros is stored.
    [`/results/logs?topic0=0&${day}`, ['1/1', '1/0']],
    [`/results/logs?topic0=0x${'0'.repeat(64)}&topic0=0xab&${day}`, ['3/0', '1/1', '1/0']],
    [
      `/results/logs?topic0=00aB&${day}&topic1=8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925`,
      ['3/0'],
    ],
    [`/results/logs?topic0=ab&topic1=ab&${day}`, []],
    [`/results/logs?topic0=ab&timestamp=${time(3)}`, ['3/0']],
    // By Ethereum hash, by the hash of the ledger, and by the wrong end of it.
    [`/results/logs?transaction.hash=0x${hash('e1')}`, ['3/0']],
    [`/results/logs?transaction.hash=${hash('e1')}&order=asc`, ['1/0', '1/1']],
    [`/results/logs?transaction.hash=${hash('e1')}${'f1'.repeat(16)}`, ['1/1', '1/0']],
    [`/results/logs?transaction.hash=${hash('e1')}${'f2'.repeat(16)}`, []],
    [`/results/logs?transaction.hash=${hash('e1')}&timestamp=lt:${time(3)}`, ['1/1', '1/0']],
    ['/5001/results/logs', ['9/0', '3/0', '1/0']],
    [
      `/${'c1'.repeat(20)}/results/logs?order=asc&limit=1`,
      ['1/0'],
      `?order=asc&limit=1&timestamp=gte:${time(1)}&index=gt:0`,
    ],
    [`/${'ee'.repeat(20)}/results/logs`, []],
  ])('%s', async (url, found, next) => {
    const { items, next: link } = await list(url, 'logs');
    const seconds = ({ timestamp }: JsonObject) => Number(String(timestamp).split('.')[0]) - 1_700_000_000;
    expect(items.map((item) => `${seconds(item)}/${String(item.index)}`)).toEqual(found);
    expect(link).toBe(next === undefined ? null : `${api}${url.split('?')[0]}${next}`);
  });

  it('say in which block they are, and null where that is not known', async () => {
    const { items } = await list('/results/logs?order=asc', 'logs');
    expect(items.map((item) => [item.block_number, item.transaction_index, item.root_contract_id])).toEqual([
      [7n, 0n, null],
      [7n, 0n, '0.0.5001'],
      [7n, null, null],
      [null, 0n, null],
    ]);
    expect(items[3]!.block_hash).toBe('0x');
  });

  it('are searched over as many days as are set', async () => {
    const short = openAnswers(stored.db, { clock: () => at(100), maxTimestampRange: 3_600n * second });
    const { text } = await short.get('spec', `${api}/results/logs?topic0=0&${day}`);
    expect(text).toContain('must be positive and within 1h');
    await short.close();
  });
});

it.each<[url: string, positions: bigint[], next: string | null]>([
  ['', [0n, 1n, 2n], null],
  ['?limit=1', [0n], '?limit=1&index=gt:0'],
  ['?limit=1&order=desc&index=lte:1', [1n], '?limit=1&order=desc&index=lt:1'],
  ['?index=1&index=2', [], null],
  ['?index=gte:1&index=lt:2', [1n], null],
])('calls of a transaction%s', async (query, positions, next) => {
  const { items, next: link } = await list(`/results/${hash('e1')}/actions${query}`, 'actions');
  expect(items.map(({ index }) => index)).toEqual(positions);
  expect(link).toBe(next && `${api}/results/${hash('e1')}/actions${next}`);
});

it('calls say what is known of both sides', async () => {
  const { items } = await list(`/results/${hash('e1')}/actions`, 'actions');
  expect(items[0]).toMatchObject({ caller: null, caller_type: null, from: null, recipient: null, to: null });
  expect(items[1]).toMatchObject({
    call_operation_type: 'CREATE2',
    call_type: 'SYSTEM',
    to: `0x${'bb'.repeat(19).padStart(40, '0')}`,
  });
  expect(items[1]).not.toHaveProperty('result_data_type');
  expect(items[2]).toMatchObject({
    recipient: '0.0.5001',
    recipient_type: 'ACCOUNT',
    result_data_type: 'ERROR',
    to: `0x${'0'.repeat(36)}1389`,
  });
  // A transaction without any.
  expect((await list(`/results/${hash('e2')}/actions`, 'actions')).items).toEqual([]);
});

const slot = (digits: string): string => `0x${digits.padStart(64, '0')}`;

it.each<[query: string, slots: string[], next: string | null]>([
  ['', ['0', '2', '101'], null],
  ['?limit=1&slot=gt:0', ['2'], `?limit=1&slot=gt:${slot('2')}`],
  ['?slot=2&slot=0x0101', ['2', '101'], null],
  ['?slot=lt:0', [], null],
  [`?slot=gt:${'f'.repeat(64)}`, [], null],
  [`?timestamp=${time(1)}&slot=0&slot=00101`, ['0', '101'], null],
  [`?timestamp=gt:${time(1)}`, ['2'], null],
  [`?timestamp=lt:${time(1)}`, [], null],
  ['?timestamp=9999999999&slot=2', ['2'], null],
])('storage%s', async (query, slots, next) => {
  const { items, next: link } = await list(`/5001/state${query}`, 'state');
  expect(items.map((item) => item.slot)).toEqual(slots.map(slot));
  expect(link).toBe(next && `${api}/5001/state${next}`);
});

type PastCase = [dialect: 'spec' | 'hiero', query: string, slots: string[], next: string | null];
it.each<PastCase>([
  ['spec', '', ['0', '2', '101'], null],
  ['spec', '&order=desc&limit=2', ['101', '2'], `&order=desc&limit=2&slot=lt:${slot('2')}`],
  ['spec', '&slot=gt:2', ['101'], null],
  ['spec', '&slot=gte:2&slot=lt:101', ['2'], null],
  // By the bytes that are stored, 0101 before 02.
  ['hiero', '', ['0', '101', '2'], null],
  ['hiero', '&order=desc&limit=2', ['2', '101'], `&order=desc&limit=2&slot=lt:${slot('101')}`],
  ['hiero', '&slot=gt:2', [], null],
  ['hiero', '&slot=gt:0&slot=lt:2', ['101'], null],
  // No number lies between the two, but bytes do. Another page may follow where no number would.
  ['hiero', '&slot=gt:100&slot=lt:102&limit=1', ['101'], `&slot=lt:102&slot=gt:${slot('101')}&limit=1`],
  ['hiero', '&slot=gt:1&slot=lte:2&limit=1', ['101'], `&slot=lte:2&slot=gt:${slot('101')}&limit=1`],
])('storage in the past in the dialect %s, %s', async (dialect, query, slots, next) => {
  const path = `/5001/state?timestamp=${time(1)}`;
  const { items, next: link } = await list(`${path}${query}`, 'state', dialect);
  expect(items.map((item) => item.slot)).toEqual(slots.map(slot));
  expect(link).toBe(next && `${api}${path}${next}`);
});

it('storage in the past is what was written last, or else read', async () => {
  const { items } = await list(`/5001/state?timestamp=${time(2)}`, 'state');
  expect(items.map(({ value, timestamp }) => [value, timestamp])).toEqual([
    [slot('a1a1'), time(1)],
    [slot('05'), time(1)],
    [slot('0'), time(2)],
  ]);
  expect((await list(`/${'ee'.repeat(20)}/state`, 'state')).items).toEqual([]);
});
