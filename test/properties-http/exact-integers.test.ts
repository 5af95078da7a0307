// Integers of 64 bits to their last bit: what the tables can hold stands in answers digit by digit, and questions may
// name any time and id that their form allows, also beyond what an int64 holds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answers, openAnswers } from '../../packages/test-support/http/answers.ts';
import type { SetupRow } from '../../packages/test-support/rows/setup-row.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';

const most = 2n ** 63n - 1n;
const least = -(2n ** 63n);
/** The last nanosecond but one of an int64: times beyond the last one are taken to be the last. */
const last = most - 1n;
const lastTime = '9223372036.854775806';
const account = 1001n;
const contract = 2001n;
const token = 3001n;
const schedule = 4001n;
const highestNum = 2n ** 38n - 1n;
const odd = 9_007_199_254_740_993n;

const entity = (id: bigint, type: string, row: object = {}): SetupRow => ({
  table: 'entity',
  row: { id, num: id, realm: 0n, shard: 0n, type, memo: '', timestamp_range: '[0,)', created_timestamp: 0n, ...row },
});
const transaction = (at: bigint, row: object = {}): SetupRow => ({
  table: 'transaction',
  row: {
    consensus_timestamp: at,
    payer_account_id: account,
    type: 14,
    result: 22,
    valid_start_ns: at,
    max_fee: most,
    charged_tx_fee: most,
    valid_duration_seconds: most,
    high_volume: true,
    high_volume_pricing_multiplier: most,
    nft_transfer: `[{"is_approval":false,"receiver_account_id":${account},"sender_account_id":${account},"serial_number":${most},"token_id":${token}}]`,
    ...row,
  },
});
const hbar = (at: bigint, id: bigint, amount: bigint): SetupRow => ({
  table: 'crypto_transfer',
  row: { consensus_timestamp: at, payer_account_id: account, entity_id: id, amount, is_approval: false },
});
const result = (at: bigint, row: object): SetupRow => ({
  table: 'contract_result',
  row: {
    consensus_timestamp: at,
    contract_id: contract,
    payer_account_id: account,
    sender_id: account,
    function_parameters: Buffer.alloc(0),
    gas_limit: most,
    gas_used: most,
    gas_consumed: most,
    transaction_result: 22,
    transaction_index: 2 ** 31 - 1,
    ...row,
  },
});

const rows: SetupRow[] = [
  entity(account, 'ACCOUNT', {
    balance: most,
    balance_timestamp: last,
    created_timestamp: odd,
    auto_renew_period: most,
    expiration_timestamp: last,
    ethereum_nonce: most,
    staked_node_id: most,
    stake_period_start: 106_751n,
    max_automatic_token_associations: 2 ** 31 - 1,
  }),
  {
    table: 'entity_stake',
    row: {
      id: account,
      end_stake_period: most,
      pending_reward: most,
      staked_node_id_start: 0n,
      staked_to_me: most,
      stake_total_start: most,
      timestamp_range: '[0,)',
    },
  },
  entity(highestNum, 'ACCOUNT', { balance: odd }),
  entity(contract, 'CONTRACT', { ethereum_nonce: most, timestamp_range: `[${last},)`, expiration_timestamp: last }),
  entity(token, 'TOKEN', { auto_renew_period: odd, expiration_timestamp: last }),
  entity(schedule, 'SCHEDULE'),
  {
    table: 'token',
    row: {
      token_id: token,
      created_timestamp: 1n,
      decimals: most,
      freeze_status: 0,
      initial_supply: most,
      kyc_status: 0,
      max_supply: most,
      name: 'n',
      symbol: 's',
      total_supply: most,
      treasury_account_id: highestNum,
      timestamp_range: '[1,)',
      type: 'FUNGIBLE_COMMON',
    },
  },
  {
    table: 'custom_fee',
    row: {
      entity_id: token,
      fixed_fees: `[{"amount":${most},"collector_account_id":${highestNum}}]`,
      fractional_fees: `[{"collector_account_id":${account},"numerator":${odd},"denominator":${most},"maximum_amount":${most},"minimum_amount":${least}}]`,
      timestamp_range: '[1,)',
    },
  },
  {
    table: 'token_account',
    row: { account_id: account, token_id: token, associated: true, balance: most, timestamp_range: '[1,)' },
  },
  transaction(last),
  transaction(odd),
  hbar(last, account, least),
  hbar(last, 3n, most),
  hbar(odd, account, most),
  {
    table: 'token_transfer',
    row: {
      consensus_timestamp: last,
      payer_account_id: account,
      token_id: token,
      account_id: account,
      amount: least,
      is_approval: false,
    },
  },
  result(last, { amount: most }),
  result(odd, { amount: least }),
  {
    table: 'record_file',
    row: {
      consensus_start: last - 5n,
      consensus_end: last,
      count: most,
      digest_algorithm: 0,
      file_hash: 'f',
      gas_used: most,
      hash: 'ab'.repeat(48),
      index: most,
      load_start: 0n,
      load_end: 0n,
      name: 'last',
      prev_hash: 'p',
      version: 6,
    },
  },
  {
    table: 'schedule',
    row: {
      schedule_id: schedule,
      consensus_timestamp: odd,
      creator_account_id: highestNum,
      payer_account_id: account,
      executed_timestamp: last,
      expiration_time: last,
      transaction_body: Buffer.of(1),
    },
  },
];

let stored: StoredRows;
let answers: Answers;
beforeAll(async () => {
  stored = await storeRows(rows);
  answers = openAnswers(stored.db);
});
afterAll(async () => {
  await answers?.close();
  await stored?.close();
});

const dialects: DialectName[] = ['spec', 'hiero'];

describe.each(dialects)('in dialect %s', (dialect) => {
  it.each<[string, string[]]>([
    [
      `/api/v1/accounts/0.0.${account}`,
      [
        `"auto_renew_period":${most}`,
        `"balance":{"balance":${most},"timestamp":"${lastTime}","tokens":[{"token_id":"0.0.${token}","balance":${most}}]}`,
        `"created_timestamp":"9007199.254740993"`,
        `"ethereum_nonce":${most}`,
        `"expiry_timestamp":"${lastTime}"`,
        `"max_automatic_token_associations":2147483647`,
        `"pending_reward":${most}`,
        `"staked_node_id":${most}`,
        `"stake_period_start":"9223286400.000000000"`,
        `"charged_tx_fee":${most}`,
        `"high_volume_pricing_multiplier":${most}`,
        `"max_fee":"${most}"`,
        `"valid_duration_seconds":"${most}"`,
        `"serial_number":${most}`,
        `{"account":"0.0.3","amount":${most},"is_approval":false},{"account":"0.0.${account}","amount":${least},"is_approval":false}`,
        `{"token_id":"0.0.${token}","account":"0.0.${account}","amount":${least},"is_approval":false}`,
        `"transaction_id":"0.0.${account}-9223372036-854775806"`,
      ],
    ],
    [
      `/api/v1/tokens/0.0.${token}`,
      [
        `"auto_renew_period":${odd}`,
        `"decimals":"${most}"`,
        `"initial_supply":"${most}"`,
        `"max_supply":"${most}"`,
        `"total_supply":"${most}"`,
        `"expiry_timestamp":${last}`,
        `"treasury_account_id":"0.0.${highestNum}"`,
        `"amount":${most},"collector_account_id":"0.0.${highestNum}"`,
        `"amount":{"numerator":${odd},"denominator":${most}}`,
        `"maximum":${most},"minimum":${least}`,
      ],
    ],
    [
      `/api/v1/contracts/0.0.${contract}`,
      [`"nonce":${most}`, `"expiration_timestamp":"${lastTime}"`, `"timestamp":{"from":"${lastTime}","to":null}`],
    ],
    [
      '/api/v1/contracts/results?internal=true',
      [
        `"amount":${most},`,
        `"amount":${least},`,
        `"gas_consumed":${most},"gas_limit":${most},"gas_used":${most}`,
        `"timestamp":"${lastTime}"`,
        `"block_number":${most}`,
        `"block_gas_used":${most}`,
        '"transaction_index":2147483647',
      ],
    ],
    // In weibar the amount of a result leaves the 64 bits.
    ['/api/v1/contracts/results?hbar=false', [`"amount":${most * 10n ** 10n},`, `"amount":${least * 10n ** 10n},`]],
    [
      `/api/v1/schedules/0.0.${schedule}`,
      [
        `"creator_account_id":"0.0.${highestNum}"`,
        `"expiration_time":"${lastTime}"`,
        `"executed_timestamp":"${lastTime}"`,
      ],
    ],
  ])('%s', async (url, texts) => {
    const { status, text } = await answers.get(dialect, url);
    expect([url, status]).toEqual([url, 200]);
    for (const expected of texts) expect(text).toContain(expected);
  });

  const transactionsAt = async (url: string) => {
    const { status, body } = await answers.get(dialect, url);
    return status === 200
      ? (body.transactions as { consensus_timestamp: string }[]).map((t) => t.consensus_timestamp)
      : status;
  };
  const oddTime = '9007199.254740993';
  const path = `/api/v1/accounts/0.0.${account}`;

  it.each<[string, unknown]>([
    [`timestamp=${lastTime}`, [lastTime]],
    [`timestamp=lt:${lastTime}`, [oddTime]],
    [`timestamp=gte:${lastTime}`, [lastTime]],
    [`timestamp=gt:${lastTime}`, []],
    [`timestamp=gt:9223372036.854775805`, [lastTime]],
    ['timestamp=lte:9999999999.999999999', [lastTime, oddTime]],
    ['timestamp=lt:9223372036.854775808', [lastTime, oddTime]],
    ['timestamp=gte:9223372036.854775808', []],
    ['timestamp=9999999999.999999999', []],
    // The account's only version holds at that time too; `spec` leaves out the moment alone.
    ['timestamp=ne:9999999999.999999999', dialect === 'spec' ? [lastTime, oddTime] : 404],
    ['timestamp=gte:0&timestamp=lte:9999999999', [lastTime, oddTime]],
    ['timestamp=gt:0.000000000&limit=1&order=asc', [oddTime]],
    ['limit=2', [lastTime, oddTime]],
  ])('transactions with %s', async (query, expected) => {
    const found = await transactionsAt(`${path}?${query}`);
    expect([query, found]).toEqual([query, expected]);
  });

  it.each<[string, unknown]>([
    [`timestamp=${lastTime}`, [lastTime]],
    [`timestamp=gt:${lastTime}`, []],
    ['timestamp=lte:9999999999.999999999', [lastTime, oddTime]],
    ['timestamp=gte:9999999999', []],
    [`block.number=${most}`, [lastTime]],
    [`block.number=0x${most.toString(16)}`, [lastTime]],
    [`block.number=${most - 1n}`, []],
    [`block.number=${most + 1n}`, dialect === 'spec' ? [] : 400],
    [`block.number=0x${(most + 1n).toString(16)}`, dialect === 'spec' ? [] : 400],
    [`block.number=${most}&transaction.index=2147483647`, [lastTime]],
    [`block.number=${most}&transaction.index=2147483646`, []],
    ['transaction.index=2147483647', 400],
    [`from=0.0.${highestNum}`, dialect === 'spec' ? 400 : []],
    ['from=0.0.9999999999', []],
    [`from=0.0.${highestNum + 1n}`, 400],
    [`from=0x${'0'.repeat(24)}${'f'.repeat(16)}`, 404],
    [`limit=${most}`, dialect === 'spec' ? 400 : [lastTime, oddTime]],
    [`limit=${most + 1n}`, 400],
    ['limit=0', 400],
  ])('results with %s', async (query, expected) => {
    const { status, body } = await answers.get(dialect, `/api/v1/contracts/results?${query}`);
    const found = status === 200 ? (body.results as { timestamp: string }[]).map(({ timestamp }) => timestamp) : status;
    expect([query, found]).toEqual([query, expected]);
  });

  it.each<[string, number]>([
    [`/api/v1/tokens/0.0.${token}?timestamp=9999999999.999999999`, 200],
    [`/api/v1/tokens/0.0.${token}?timestamp=lt:${lastTime}`, 200],
    [`/api/v1/tokens/0.0.${token}?timestamp=lt:0.000000001`, 404],
    [`/api/v1/tokens/0.0.${token}?timestamp=0.000000001`, 200],
    [`/api/v1/contracts/0.0.${contract}?timestamp=${lastTime}`, 200],
    [`/api/v1/contracts/0.0.${contract}?timestamp=lt:${lastTime}`, 404],
    [`/api/v1/contracts/0.0.${contract}?timestamp=gt:${lastTime}`, 200],
    [`/api/v1/contracts/0.0.${contract}?timestamp=gte:9999999999.999999999`, 200],
    [`/api/v1/contracts/0.0.${contract}?timestamp=ne:${lastTime}`, dialect === 'spec' ? 200 : 404],
    [`/api/v1/contracts/0.0.${contract}?timestamp=ne:9223372036.854775805`, 200],
    [`/api/v1/schedules?schedule.id=gt:${highestNum}`, 200],
    [`/api/v1/schedules?schedule.id=gt:${highestNum + 1n}`, 400],
    [`/api/v1/schedules?account.id=lte:1023.65535.${highestNum}`, 200],
    [`/api/v1/schedules?account.id=lte:1024.0.1`, 400],
    [`/api/v1/schedules?account.id=lte:0.65536.1`, 400],
    [`/api/v1/accounts/1024.0.1`, 400],
    [`/api/v1/accounts/${most}`, 400],
    // The specification's ids have ten digits at most.
    [`/api/v1/accounts/0.0.${highestNum}`, dialect === 'spec' ? 400 : 200],
    [`/api/v1/accounts/${highestNum}`, dialect === 'spec' ? 400 : 200],
    [`/api/v1/accounts/0x${highestNum.toString(16).padStart(40, '0')}`, 200],
  ])('%s is %i', async (url, expected) => {
    const { status, text } = await answers.get(dialect, url);
    expect([url, status, text.slice(0, 80)]).toEqual([url, expected, expect.any(String)]);
  });
});
