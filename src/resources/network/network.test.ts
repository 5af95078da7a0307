// What is asked about the network as a whole, in both dialects: answers, bounds of time, refusals, pages.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const ns = 1_000_000_000n;
const day = 86_400n * ns;
/** 2026-03-15 */
const march = 1_773_532_800n * ns;
const settings = { ...defaultHttpSettings, clock: () => march + 3n * day };

const rates = (hbarEquiv: number, centEquiv: number, expiry: bigint) =>
  Buffer.from(
    proto.ExchangeRateSet.encode({
      currentRate: { hbarEquiv, centEquiv, expirationTime: { seconds: Number(expiry) } },
      nextRate: { hbarEquiv: 1, centEquiv: 10, expirationTime: { seconds: Number(expiry + 3600n) } },
    } as unknown as proto.IExchangeRateSet).finish(),
  );

const schedule = (gas: number, expiry: bigint) => {
  const of = (price: number) => ({
    transactionFeeSchedule: [
      proto.HederaFunctionality.EthereumTransaction,
      proto.HederaFunctionality.ContractCall,
      proto.HederaFunctionality.CryptoTransfer,
      proto.HederaFunctionality.ContractCreate,
    ].map((hederaFunctionality) => ({ hederaFunctionality, fees: [{ servicedata: { gas: price } }] })),
    expiryTime: { seconds: Number(expiry) },
  });
  const message = { currentFeeSchedule: of(gas), nextFeeSchedule: of(2 * gas) };
  return Buffer.from(
    proto.CurrentAndNextFeeSchedule.encode(message as unknown as proto.ICurrentAndNextFeeSchedule).finish(),
  );
};

/** [file, second, type, content] */
const files: [bigint, bigint, number, Buffer][] = [
  [112n, 100n, 17, rates(30_000, 100_000, 1000n)],
  [112n, 200n, 19, rates(30_000, 300_000, 2000n).subarray(0, 5)],
  [112n, 201n, 16, rates(30_000, 300_000, 2000n).subarray(5)],
  [112n, 202n, 19, Buffer.alloc(0)],
  [112n, 300n, 19, Buffer.from([255, 255])],
  [111n, 110n, 17, schedule(852_999, 1000n)],
];

const balances: [bigint, bigint, bigint][] = [
  [2n, 1_000_000_000_000_000_000n, march - 100n * day],
  [2n, 2_000_000_000_000_000_000n, march - 20n * day],
  [42n, 5n, march - 25n * day],
  [42n, 7n, march],
  [1000n, 99n, march],
];

function nodeRows(nodeId: bigint, at: bigint): SetupRow[] {
  const key = { consensus_timestamp: at, node_id: nodeId };
  return [
    {
      table: 'address_book_entry',
      row: {
        ...key,
        ...{ description: `node ${nodeId}`, memo: 'm', node_account_id: 3n + nodeId },
        ...{ node_cert_hash: Buffer.from('0abc'), public_key: nodeId === 1n ? null : '3082', stake: 0n },
      },
    },
    ...[5600, 50211].map((port) => ({
      table: 'address_book_service_endpoint',
      row: { ...key, ip_address_v4: '10.0.0.1', domain_name: '', port },
    })),
  ];
}

const rows: SetupRow[] = [
  ...files.map(([entity_id, second, transaction_type, file_data]) => ({
    table: 'file_data',
    row: { entity_id, consensus_timestamp: second * ns, transaction_type, file_data },
  })),
  ...balances.map(([account_id, balance, consensus_timestamp]) => ({
    table: 'account_balance',
    row: { account_id, balance, consensus_timestamp },
  })),
  ...[2n, 750n, 751n].map((id) => ({
    table: 'entity',
    row: {
      ...{ id, num: id, shard: 0n, realm: 0n, type: 'ACCOUNT', memo: '', timestamp_range: '[1,)' },
      ...{ balance: 10n * id, balance_timestamp: id * ns },
    },
  })),
  ...[5n, 6n].map((at) => ({
    table: 'network_stake',
    row: {
      ...{ consensus_timestamp: at, epoch_day: 1n, max_stake_rewarded: 10n, max_staking_reward_rate_per_hbar: 17808n },
      ...{ max_total_reward: 20n, node_reward_fee_denominator: 0n, node_reward_fee_numerator: 1n },
      ...{ reserved_staking_rewards: 30n, reward_balance_threshold: 40n, stake_total: 35_000_000_000_000_000n + at },
      ...{ staking_period: 1_654_991_999_999_999_999n, staking_period_duration: 1440n, staking_periods_stored: 365n },
      ...{ staking_reward_fee_denominator: 3n, staking_reward_fee_numerator: 1n, staking_reward_rate: 100n },
      ...{ staking_start_threshold: 25n, unreserved_staking_reward_balance: 50n },
    },
  })),
  ...[
    { start_consensus_timestamp: 1n, end_consensus_timestamp: 10n, file_id: 102n },
    { start_consensus_timestamp: 11n, end_consensus_timestamp: null, file_id: 102n },
    { start_consensus_timestamp: 12n, end_consensus_timestamp: null, file_id: 101n },
  ].map((row) => ({ table: 'address_book', row: { ...row, file_data: Buffer.alloc(0), node_count: 0 } })),
  ...nodeRows(0n, 1n),
  ...Array.from({ length: 30 }, (_, index) => nodeRows(BigInt(index), 11n)).flat(),
  ...nodeRows(7n, 12n),
  ...[8n, 9n].map((at) => ({
    table: 'node_stake',
    row: {
      ...{ consensus_timestamp: at, epoch_day: 1n, node_id: 0n, max_stake: 1000n, min_stake: -1n, reward_rate: at },
      ...{ stake: 900n, stake_not_rewarded: -1n, stake_rewarded: 800n, staking_period: 86_399_999_999_999n },
    },
  })),
  {
    table: 'node',
    row: {
      ...{
        node_id: 0n,
        account_id: 777n,
        admin_key: null,
        associated_registered_nodes: [4n, 5n],
        decline_reward: true,
      },
      ...{ created_timestamp: 1n, deleted: false, timestamp_range: '[1,)' },
      grpc_proxy_endpoint: JSON.stringify({ domain_name: 'proxy', ip_address_v4: '', port: 443 }),
    },
  },
];

const open: StoredRows[] = [];
const apps: Record<string, FastifyInstance> = {};
beforeAll(async () => {
  for (const [prefix, content] of [
    ['', rows],
    ['empty ', []],
  ] as const) {
    const stored = await storeRows(content);
    open.push(stored);
    for (const name of ['spec', 'hiero'] as const) apps[`${prefix}${name}`] = openServer(stored.db, name, { settings });
  }
});
afterAll(async () => {
  for (const app of Object.values(apps)) await app.close();
  for (const stored of open) await stored.close();
});

const ask = async (name: string, path: string) => {
  const { statusCode, payload, headers } = await apps[name]!.inject(`/api/v1/network/${path}`);
  return { status: statusCode, text: payload, body: () => JSON.parse(payload), headers };
};
const dialects = ['spec', 'hiero'] as const;
const sentence = (name: string, detail: string, message: string) => {
  if (name.endsWith('spec')) return { _status: { messages: [{ message: detail }] } };
  return { _status: { messages: [{ detail, message }] } };
};

describe.each(dialects)('%s', (name) => {
  it('exchange rates of the newest file that can be read', async () => {
    const { status, text, headers } = await ask(name, 'exchangerate');
    expect([status, headers['cache-control'], text]).toEqual([
      200,
      'public, max-age=60',
      '{"current_rate":{"cent_equivalent":300000,"expiration_time":2000,"hbar_equivalent":30000},' +
        '"next_rate":{"cent_equivalent":10,"expiration_time":5600,"hbar_equivalent":1},"timestamp":"201.000000000"}',
    ]);
  });

  it.each([
    ['200', '100.000000000'],
    ['lt:201', '100.000000000'],
    ['lte:201', '201.000000000'],
    ['eq:250', '201.000000000'],
    ['lt:9223372036', '201.000000000'],
    ['gte:200', '201.000000000'],
    ['gt:200', null],
    ['lt:100', null],
    ['0', null],
    ['gte:150&timestamp=lt:200', null],
    ['gt:99&timestamp=lte:100', '100.000000000'],
    ['gt:9223372036', null],
  ])('exchangerate?timestamp=%s: %s', async (text, timestamp) => {
    const { status, body } = await ask(name, `exchangerate?timestamp=${text}`);
    if (timestamp !== null) expect([status, body().timestamp]).toEqual([200, timestamp]);
    else {
      const expected = name === 'spec' ? 'Not found' : 'File 0.0.112 not found';
      expect([status, body()]).toEqual([404, sentence(name, expected, 'Not Found')]);
    }
  });

  it.each([
    // 852 × 30,000 / 300,000
    ['', 85, '110.000000000'],
    ['?timestamp=150', 255, '110.000000000'],
    // Both next ones: 1705 × 1 / 10.
    ['?timestamp=2001', 170, '110.000000000'],
  ])('fees%s', async (query, gas, timestamp) => {
    const { body } = await ask(name, `fees${query}`);
    const fees = ['ContractCall', 'ContractCreate', 'EthereumTransaction'];
    expect(body()).toEqual({ fees: fees.map((transaction_type) => ({ gas, transaction_type })), timestamp });
    const reversed = await ask(name, `fees${query}${query ? '&' : '?'}order=desc`);
    expect(reversed.body().fees[0].transaction_type).toBe('EthereumTransaction');
  });

  it('fees without a file are not found', async () => {
    const { status, body } = await ask(name, 'fees?timestamp=lt:110');
    const expected = name === 'spec' ? 'Not found' : 'File 0.0.113 not found';
    expect([status, body()]).toEqual([404, sentence(name, expected, 'Not Found')]);
  });

  it('stake', async () => {
    const { text } = await ask(name, 'stake');
    expect(text).toBe(
      '{"max_stake_rewarded":10,"max_staking_reward_rate_per_hbar":17808,"max_total_reward":20,' +
        '"node_reward_fee_fraction":0.0,"reserved_staking_rewards":30,"reward_balance_threshold":40,' +
        '"stake_total":35000000000000006,"staking_period":{"from":"1654992000.000000000","to":"1655078400.000000000"},' +
        '"staking_period_duration":1440,"staking_periods_stored":365,"staking_reward_fee_fraction":0.33333334,' +
        '"staking_reward_rate":100,"staking_start_threshold":25,"unreserved_staking_reward_balance":50}',
    );
    const missing = await ask(`empty ${name}`, 'stake');
    const expected = name === 'spec' ? 'Not found' : 'No network stake data found';
    expect([missing.status, missing.body()]).toEqual([404, sentence(name, expected, 'Not Found')]);
  });

  const supply = (unreleased: bigint, at: bigint) => ({
    released_supply: String(5_000_000_000_000_000_000n - unreleased),
    timestamp: `${at / ns}.${String(at % ns).padStart(9, '0')}`,
    total_supply: '5000000000000000000',
  });
  it.each([
    ['', supply(20n + 7500n, 750n * ns)],
    [`?timestamp=${march / ns}`, supply(2_000_000_000_000_000_007n, march)],
    [`?timestamp=lt:${march / ns}`, supply(2_000_000_000_000_000_005n, march - 20n * day)],
    ['?timestamp=gt:1', supply(2_000_000_000_000_000_007n, march)],
    ['?timestamp=lt:9223372036', supply(2_000_000_000_000_000_007n, march)],
    [`?timestamp=gte:${march / ns}`, supply(7n, march)],
  ])('supply%s', async (query, expected) => {
    expect((await ask(name, `supply${query}`)).body()).toEqual(expected);
  });

  // Where clocks end, with int64 nanoseconds: to Java what lies behind is no time.
  it.each(['exchangerate?timestamp=lt:9999999999', 'supply?timestamp=lt:9999999999'])('%s', async (path) => {
    const { status, body } = await ask(name, path);
    if (name === 'spec') expect(status).toBe(200);
    else expect([status, body()]).toEqual([400, sentence(name, "Failed to convert 'timestamp'", 'Bad Request')]);
  });

  it('supply in words', async () => {
    for (const [q, text] of [
      ['totalcoins', '50000000000.00000000'],
      [name === 'spec' ? 'circulating' : 'CIRCULATING', '49999999999.99992480'],
    ]) {
      const answer = await ask(name, `supply?q=${q}`);
      expect([answer.text, answer.headers['content-type']]).toEqual([text, 'text/plain;charset=UTF-8']);
    }
  });

  it('supply: what is refused, what is not found', async () => {
    const range = await ask(name, 'supply?timestamp=gt:5&timestamp=lt:5');
    expect([range.status, range.body()]).toEqual([
      400,
      sentence(name, 'Invalid range provided for timestamp', 'Bad Request'),
    ]);
    const word = await ask(name, 'supply?q=all');
    const invalid = name === 'spec' ? 'Invalid parameter: q' : "Failed to convert 'q'";
    expect([word.status, word.body()]).toEqual([400, sentence(name, invalid, 'Bad Request')]);
    const missing = name === 'spec' ? 'Not found' : 'Network supply not found';
    for (const path of ['supply', 'supply?q=totalcoins', 'supply?timestamp=5']) {
      const answer = await ask(`empty ${name}`, path);
      expect([answer.status, answer.body()]).toEqual([404, sentence(name, missing, 'Not Found')]);
    }
  });

  it('nodes: the first, with all that is known', async () => {
    const { body, headers } = await ask(name, 'nodes?limit=1');
    expect(body()).toEqual({
      nodes: [
        {
          admin_key: null,
          associated_registered_nodes: [4, 5],
          decline_reward: true,
          description: 'node 0',
          file_id: '0.0.102',
          grpc_proxy_endpoint: { domain_name: 'proxy', ip_address_v4: '', port: 443 },
          max_stake: 1000,
          memo: 'm',
          min_stake: null,
          node_account_id: '0.0.777',
          node_id: 0,
          node_cert_hash: '0x0abc',
          public_key: '0x3082',
          reward_rate_start: 9,
          service_endpoints: [5600, 50211].map((port) => ({ domain_name: '', ip_address_v4: '10.0.0.1', port })),
          stake: 900,
          stake_not_rewarded: null,
          stake_rewarded: 800,
          staking_period: { from: '86400.000000000', to: '172800.000000000' },
          timestamp: { from: '0.000000011', to: null },
        },
      ],
      links: { next: '/api/v1/network/nodes?limit=1&node.id=gt:0' },
    });
    expect(headers.link).toBe('</api/v1/network/nodes?limit=1&node.id=gt:0>; rel="next"');
  });

  it('nodes: one that only its address book knows', async () => {
    const [node] = (await ask(name, 'nodes?node.id=1')).body().nodes;
    expect(node).toMatchObject({ node_account_id: '0.0.4', public_key: '0x', decline_reward: null, stake: null });
    expect([node.staking_period, node.associated_registered_nodes, node.max_stake]).toEqual([null, [], null]);
  });

  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
  it.each([
    ['', upTo(10)],
    ['limit=100', upTo(25)],
    ['limit=26&order=desc', upTo(30).toReversed().slice(0, 25)],
    ['node.id=3&node.id=9&node.id=lt:9', [3]],
    ['node.id=gte:27', [27, 28, 29]],
    ['node.id=9223372036854775807', []],
    ['file.id=101', [7]],
    ['file.id=eq:0.0.102&node.id=lt:2', [0, 1]],
    ['file.id=0.0.5', []],
  ])('nodes?%s', async (query, ids) => {
    const { nodes } = (await ask(name, `nodes?${query}`)).body();
    expect(nodes.map(({ node_id }: { node_id: number }) => node_id)).toEqual(ids);
  });

  it.each(['asc', 'desc'])('pages of nodes, %s, lead through all of them', async (order) => {
    const seen: number[] = [];
    let path: string | null = `nodes?limit=7&order=${order}`;
    while (path !== null) {
      const { nodes, links } = (await ask(name, path)).body();
      seen.push(...nodes.map(({ node_id }: { node_id: number }) => node_id));
      path = links.next?.slice('/api/v1/network/'.length) ?? null;
    }
    expect(seen).toEqual(order === 'asc' ? upTo(30) : upTo(30).toReversed());
  });

  it.each([
    ['file.id=ne:102', 'Only equality operator is supported for file.id'],
    ['node.id=gt:5&node.id=lt:5', 'Invalid range provided for node.id'],
  ])('nodes?%s is refused', async (query, text) => {
    const { status, body } = await ask(name, `nodes?${query}`);
    expect([status, body()]).toEqual([400, sentence(name, text, 'Bad Request')]);
  });

  it.each([
    ['limit=0', ['limit']],
    ['limit=x&node.id=-1', ['limit', 'node.id']],
    ['file.id=0x66', ['file.id']],
    ['order=up', ['order']],
  ])('nodes?%s is refused by name', async (query, names) => {
    const { status, body } = await ask(name, `nodes?${query}`);
    const messages = names.map((parameter) => ({ message: `Invalid parameter: ${parameter}` }));
    expect([status, body()]).toEqual([400, { _status: { messages } }]);
  });
});

it('one limit is enough', async () => {
  const { status, body } = await ask('hiero', 'nodes?limit=1&limit=2');
  expect([status, body()]).toEqual([
    400,
    sentence('hiero', 'Only a single instance is supported for limit', 'Bad Request'),
  ]);
});

it('the largest page of all lists holds in spec', async () => {
  expect((await ask('spec', 'nodes?limit=101')).status).toBe(400);
  expect((await ask('hiero', 'nodes?limit=101')).status).toBe(200);
});

it.each([
  ['fees?timestamp=1,2,3', 'timestamp size must be between 0 and 2'],
  ['exchangerate?timestamp=ne:1', "Failed to convert 'timestamp'"],
])('%s', async (path, detail) => {
  expect((await ask('hiero', path)).body()).toEqual(sentence('hiero', detail, 'Bad Request'));
});
