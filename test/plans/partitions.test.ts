// A list reads no more than its page beside a partition that is empty or small, as the next year's is at first: reading
// that one from end to end costs nothing, which made PostgreSQL read and sort every row of an account.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyRange, toRange } from '../../packages/kit/range.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { createPartitions } from '../../packages/store/write/partitions.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { PlanKind } from './explain-query.ts';
import { judgePlans } from './judge-plans.ts';
import type { PlanQuestion } from './plan-question.ts';

const start = BigInt(Date.UTC(2023, 11, 31)) * 1_000_000n;
const nextYear = BigInt(Date.UTC(2024, 0, 1)) * 1_000_000n;
const minute = 60_000_000_000n;
/** Has a row a second; the others have one each. */
const busy = 5_000n;
const token = 9_000n;

const fill = [
  `insert into staking_reward_transfer (account_id, amount, consensus_timestamp, payer_account_id)
   select case when n % 2 = 0 then ${busy} else 10000 + n end, n, ${start} + n * 1000000, 2 from generate_series(1::int8, 20000) n`,
  `insert into account_balance (account_id, balance, consensus_timestamp)
   select 2, 1, ${start} + n * ${minute} from generate_series(1::int8, 60) n`,
  `insert into account_balance (account_id, balance, consensus_timestamp)
   select 10000 + n, n, ${start} + ${minute} from generate_series(1::int8, 20000) n`,
  `insert into token_balance (account_id, token_id, balance, consensus_timestamp)
   select 10000 + n, case when n % 2 = 0 then ${token} else 20000 + n end, n, ${start} + ${minute} from generate_series(1::int8, 20000) n`,
];

const page = { order: 'desc' as const, limit: 25 };
const timestamp = toRange([{ operator: 'lte', value: nextYear + minute }]);
const ofAccounts = { ...page, balance: anyRange, timestamp };
const questions: PlanQuestion[] = [
  ...(['asc', 'desc'] as const).flatMap((order) =>
    [anyRange, timestamp].map(
      (range, index): PlanQuestion => [
        `rewards, ${order}, ${index}`,
        (ledger) =>
          ledger.stakingRewards.list({ ...page, order, members: ['amount'], accountId: busy, timestamp: range }),
      ],
    ),
  ),
  ['balances', (ledger) => ledger.balances.list({ ...ofAccounts, id: anyRange, publicKey: [], tokenBalanceLimit: 50 })],
  [
    'balances of a token',
    (ledger) => ledger.balances.listOfToken({ ...ofAccounts, tokenId: token, account: anyRange, publicKey: null }),
  ],
];

/** Few of the 10,000 rewards, and balances, that the account and the token have; 60 are of the treasury. */
const mostRows = 100;

describe.each<[string, string[]]>([
  ['empty, analyzed', ['vacuum analyze']],
  ['empty, without statistics', []],
  [
    'small, analyzed',
    [
      `insert into staking_reward_transfer values (${busy}, 1, ${nextYear}, 2), (3, 1, ${nextYear + 1n}, 2)`,
      `insert into account_balance (account_id, balance, consensus_timestamp) values (3, 1, ${nextYear})`,
      `insert into token_balance (account_id, balance, consensus_timestamp, token_id) values (3, 1, ${nextYear}, 7)`,
      'vacuum analyze',
    ],
  ],
])('beside a partition that is %s', (_state, further) => {
  let scratch: ScratchDatabase;
  let client: pg.Client;
  let db: Database;
  beforeAll(async () => {
    scratch = await createScratchDatabase();
    client = new pg.Client({ connectionString: scratch.connectionString });
    await client.connect();
    await createPartitions().ensure(client, start, nextYear);
    for (const statement of [
      `insert into entity (id, num, shard, realm, type, memo, timestamp_range) values (${busy}, ${busy}, 0, 0, 'ACCOUNT', '', '[1,)')`,
      ...fill,
      ...further,
    ])
      await client.query(statement);
    db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
  });
  afterAll(async () => {
    await db?.close();
    await client?.end();
    await scratch?.close();
  });

  it.each<PlanKind>(['force_custom_plan', 'force_generic_plan'])('%s', async (kind) => {
    for (const [name, ask] of questions) {
      const faults = await judgePlans(ask, { db, client, kind, now: nextYear + minute, mostRows });
      const excessive = faults.flatMap((fault) => fault.excessive);
      expect([name, excessive]).toEqual([name, []]);
    }
  });
});
