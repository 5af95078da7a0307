// Pages about nodes, staking and the network: every number is the API's, and what nodes write of themselves is text.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { shownText } from '../../../packages/test-support/http/read-page.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockRow, blockTimes, entityRow, priceRows } from '../../../packages/test-support/rpc/chain-rows.ts';

const hostile = '<b onclick=x>\u202eevil';
const bookAt = 100n;
const nodeKey = `1220${'cd'.repeat(32)}`;

function nodeRows(nodeId: bigint): SetupRow[] {
  const key = { consensus_timestamp: bookAt, node_id: nodeId };
  return [
    {
      table: 'address_book_entry',
      row: {
        ...{ ...key, description: hostile, memo: hostile, node_account_id: 3n + nodeId, stake: 0n },
        ...{ node_cert_hash: Buffer.from('0abc'), public_key: nodeId === 1n ? null : '3082' },
      },
    },
    ...[1, 2, 3].map((n) => ({
      table: 'address_book_service_endpoint',
      row: { ...key, ip_address_v4: `10.0.0.${n}`, domain_name: n === 3 ? hostile : '', port: 50_211 },
    })),
    {
      table: 'node_stake',
      row: {
        ...{ consensus_timestamp: 200n, epoch_day: 20_000n, node_id: nodeId, reward_rate: 6849n },
        ...{ max_stake: 9_000_000_000n, min_stake: 1n, stake: 500_000_000n * (nodeId + 1n), staking_period: 86_399n },
        ...{ stake_not_rewarded: 100_000_000n, stake_rewarded: 300_000_000n * nodeId },
      },
    },
  ];
}

const nodes = Array.from({ length: 30 }, (_, n) => BigInt(n));
const stakeTotal = 1_000_000_000_000n;
const rows: readonly SetupRow[] = [
  blockRow(0n),
  ...priceRows(5n, 50),
  entityRow(2n, { balance: 3_000_000_000_000_000_000n, balance_timestamp: 5n }),
  {
    table: 'address_book',
    row: { start_consensus_timestamp: bookAt, file_id: 102n, file_data: Buffer.alloc(1), node_count: 30 },
  },
  ...nodes.flatMap(nodeRows),
  {
    table: 'node',
    row: {
      ...{ node_id: 0n, admin_key: Buffer.from(nodeKey, 'hex'), created_timestamp: 1n, deleted: false },
      ...{ decline_reward: true, associated_registered_nodes: [7n], timestamp_range: '[1,)' },
    },
  },
  {
    table: 'network_stake',
    row: {
      ...{
        consensus_timestamp: 200n,
        epoch_day: 20_000n,
        max_stake_rewarded: 5n,
        max_staking_reward_rate_per_hbar: 17_808n,
      },
      ...{ max_total_reward: 6n, node_reward_fee_denominator: 10n, node_reward_fee_numerator: 1n },
      ...{
        reserved_staking_rewards: 7n,
        reward_balance_threshold: 8n,
        stake_total: stakeTotal,
        staking_period: 86_399n,
      },
      ...{ staking_period_duration: 1440n, staking_periods_stored: 365n, staking_reward_fee_denominator: 100n },
      ...{ staking_reward_fee_numerator: 7n, staking_reward_rate: 273_972_602_739n, staking_start_threshold: 9n },
      ...{ unreserved_staking_reward_balance: 10n },
    },
  },
  {
    table: 'registered_node',
    row: {
      ...{ registered_node_id: 7n, created_timestamp: 1n, deleted: false, description: hostile, type: [1] },
      service_endpoints: JSON.stringify([
        { block_node: { endpoint_apis: [hostile] }, domain_name: hostile, port: 443, requires_tls: true },
      ]),
      timestamp_range: '[1,)',
    },
  },
];

let stored: StoredRows;
let app: ReturnType<typeof openServer>;
beforeAll(async () => {
  stored = await storeRows(rows);
  app = openServer(stored.db, 'spec', { settings: { clock: () => blockTimes(0n).end } });
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

const visit = async (path: string) => {
  const { statusCode, body } = await app.inject(path);
  expect([path, statusCode, body.length < 80_000]).toEqual([path, 200, true]);
  expect(body).not.toMatch(/<b onclick|\u202e/);
  return body;
};
const factOf = (body: string, name: string) => {
  const [, value] = new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`).exec(body) ?? [];
  return value === undefined ? null : shownText(value);
};

it('lists all nodes, 25 a page, with what is staked to them', async () => {
  const seen: string[] = [];
  let url: string | null = '/demo/nodes';
  while (url !== null) {
    const body: string = await visit(url);
    seen.push(...[...body.matchAll(/href="\/demo\/node\/(\d+)"/g)].map(([, id]) => id!));
    url = /<a href="([^"]+)" rel="next">/.exec(body)?.[1]?.replaceAll('&#38;', '&') ?? null;
  }
  expect(seen).toEqual(nodes.map(String));
  const [, second] = (await visit('/demo/nodes')).match(/<tr><td class="at-title">.*?<\/tr>/g)!;
  // 1 hbar without and 3 with rewards, of 10,000; 10 count in consensus.
  expect(shownText(second!)).toMatch(
    / 0\.0\.4 4 ℏ 0\.04 % 10 ℏ 6,849 10\.0\.0\.1 :50211 10\.0\.0\.2 :50211 and 1 more$/,
  );
});

it('shows one node', async () => {
  const body = await visit('/demo/node/0');
  expect(body).toContain('&#60;b onclick=x&#62;<span class="hidden-character">U+202E</span>evil');
  expect(body).toContain(`<a href="/demo/accountsWithKey/${'cd'.repeat(32)}">its accounts</a>`);
  expect(body).toContain('href="/api/v1/network/nodes?node.id=0"');
  expect(
    [
      'Account',
      'Staked',
      'Of all stake',
      'Weight in consensus',
      'Takes rewards',
      'Registered services',
      'Public key',
    ].map((name) => factOf(body, name)),
  ).toEqual(['0.0.3', '1 ℏ', '0.01 %', '5 ℏ', 'No', '7', '0x3082']);
  // Without later changes, and without a key.
  const other = await visit('/demo/node/1');
  expect([factOf(other, 'Admin key'), factOf(other, 'Public key'), factOf(other, 'Takes rewards')]).toEqual([
    null,
    null,
    null,
  ]);
});

it.each<[string, number]>([
  ['/demo/node/99', 404],
  ['/demo/node/x', 400],
  ['/demo/node/99999999999999999999', 400],
  ['/demo/node/0?limit=1', 400],
  ['/demo/network?x=1', 400],
  ['/demo/staking?x=1', 400],
  ['/demo/nodes?x=1', 400],
  ['/demo/network/registered-nodes?type=x', 400],
])('%s is %d', async (path, status) => {
  expect((await app.inject(path)).statusCode).toBe(status);
});

it('shows supply, rates, prices and stake as the API does', async () => {
  const body = await visit('/demo/network');
  const supply = (await app.inject('/api/v1/network/supply')).json();
  expect(supply.released_supply).toBe('2000000000000000000');
  expect([factOf(body, 'Released'), factOf(body, 'Of all'), factOf(body, 'Staked')]).toEqual([
    '20,000,000,000 ℏ',
    '40 %',
    '10,000 ℏ',
  ]);
  expect([factOf(body, 'One &#8463; now'), factOf(body, 'Then')]).toEqual(['$0.01 1 ¢ are 1 ℏ', '–']);
  // 50 tinybar × 21,000 are 0.0105 hbar, at a cent each.
  expect(shownText(body)).toContain('Contract call 50 $0.000105');
});

it('shows what staking earns', async () => {
  const body = await visit('/demo/staking');
  const names = ['Staked', 'Rewards of the period', 'Highest reward', 'Fees that go to nodes', 'Length of a period'];
  expect(names.map((name) => factOf(body, name))).toEqual([
    '10,000 ℏ',
    '2,739.72602739 ℏ',
    '17,808 tinybar for 1 ℏ a period',
    '10 %',
    '24 hours',
  ]);
});

it('lists registered services by kind', async () => {
  const body = await visit('/demo/network/registered-nodes?type=BLOCK_NODE');
  expect(shownText(body)).toContain('Block node');
  expect(body).toContain('<option value="BLOCK_NODE" selected>');
  expect(await visit('/demo/network/registered-nodes?type=MIRROR_NODE')).toContain('No service fits.');
});

it('says what is not known of an empty ledger', async () => {
  const own = await storeRows([]);
  const empty = openServer(own.db, 'spec');
  const bodyOf = async (path: string) => (await empty.inject(path)).body;
  expect(await bodyOf('/demo/nodes')).toContain('No address book has been imported yet.');
  expect(await bodyOf('/demo/staking')).toContain('No staking period has ended yet.');
  const network = shownText(await bodyOf('/demo/network'));
  for (const what of ['The supply', 'The stake', 'The exchange rate', 'The price of gas'])
    expect(network).toContain(`${what} is not known here.`);
  await empty.close();
  await own.close();
});
