import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import { decodeEntityId } from '../../protocol/hapi/entity-id.ts';
import { inRealm, systemEntityId } from '../../protocol/hapi/system-entity.ts';
import type { Row } from '../../schema/tables.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import type { BulkOperation, TableChanges } from './block-changes.ts';
import { type BlockWriter, createBlockWriter } from './block-writer.ts';

let database: ScratchDatabase;
let db: Database;
let writer: BlockWriter;

beforeEach(async () => {
  database = await createScratchDatabase();
  db = openDatabase({ connectionString: database.connectionString });
  writer = await createBlockWriter({ connectionString: database.connectionString });
});

afterEach(async () => {
  await writer.close();
  await db.close();
  await database.close();
});

const dayNs = 86_400_000_000_000n;
const hbar = 100_000_000n;

function account(id: bigint, from: bigint, fields: Row<'entity'>): Row<'entity'> {
  const numbers = { id, num: id, realm: 0n, shard: 0n };
  return { ...numbers, type: 'ACCOUNT', deleted: false, timestamp_range: { from, to: null }, ...fields };
}

function write(rows: TableChanges, ...operations: BulkOperation[]): Promise<void> {
  return writer.writeBlock({ parts: [rows, ...operations] });
}

let questions = 0;
const rowsOf = (text: string) => {
  questions += 1;
  return db.query<Record<string, unknown>>({ name: `test-${questions}`, text });
};

test('the first snapshot of a month is whole, later ones hold what changed, and the treasury is in all', async () => {
  const snapshot = (timestamp: bigint, previousTimestamp: bigint | null, whole: boolean): BulkOperation => ({
    operation: 'takeBalanceSnapshot',
    timestamp,
    treasuryId: 2n,
    previousTimestamp,
    whole,
    name: `snapshot ${timestamp}`,
  });
  const transfer = { crypto_transfer: [{ amount: 1n, consensus_timestamp: 10n, entity_id: 3n, payer_account_id: 3n }] };
  await write(
    {
      ...transfer,
      entity: [
        account(3n, 10n, { balance: 30n, balance_timestamp: 10n }),
        account(4n, 10n, { balance: 40n, balance_timestamp: 10n }),
        account(5n, 10n, { balance: 0n, balance_timestamp: 10n, deleted: true }),
      ],
      token_account: [
        {
          account_id: 3n,
          token_id: 70n,
          associated: true,
          balance: 7n,
          balance_timestamp: 10n,
          timestamp_range: { from: 10n, to: null },
        },
        {
          account_id: 4n,
          token_id: 70n,
          associated: false,
          balance: 0n,
          balance_timestamp: 10n,
          timestamp_range: { from: 10n, to: null },
        },
      ],
    },
    snapshot(20n, null, true),
  );
  await write({ entity: [{ id: 4n, balance: 2n, balance_timestamp: 30n }] }, snapshot(40n, 20n, false));
  await write(
    { token_account: [{ account_id: 4n, token_id: 70n, balance: 1n, balance_timestamp: 50n }] },
    snapshot(60n, 40n, true),
  );

  const balances = 'select consensus_timestamp as at, account_id as id, balance from account_balance order by 1, 2';
  expect((await rowsOf(balances)).map(({ at, id, balance }) => [at, id, balance])).toEqual([
    [20n, 2n, 0n],
    [20n, 3n, 30n],
    [20n, 4n, 40n],
    [20n, 5n, 0n],
    [40n, 2n, 0n],
    [40n, 4n, 42n],
    [60n, 2n, 0n],
    [60n, 3n, 30n],
    [60n, 4n, 42n],
  ]);
  const tokens = 'select consensus_timestamp as at, account_id as id, balance from token_balance order by 1, 2';
  expect((await rowsOf(tokens)).map(({ at, id, balance }) => [at, id, balance])).toEqual([
    [20n, 3n, 7n],
    [20n, 4n, 0n],
    [60n, 3n, 7n],
    [60n, 4n, 1n],
  ]);
  expect(await rowsOf('select count, synthetic, name from account_balance_file order by consensus_timestamp')).toEqual([
    { count: 4n, synthetic: true, name: 'snapshot 20' },
    { count: 2n, synthetic: true, name: 'snapshot 40' },
    { count: 3n, synthetic: true, name: 'snapshot 60' },
  ]);
});

/** Ends the staking period of this epoch day; its rate is in tinybar for each whole hbar. */
function endPeriod(day: bigint, rate: bigint, rows: TableChanges = {}, rewardAccountId = 800n): Promise<void> {
  const others = rows.node_stake ?? [];
  const timestamp = (day + 1n) * dayNs + 1n;
  const stake = {
    consensus_timestamp: timestamp,
    epoch_day: day,
    max_stake: 0n,
    min_stake: 0n,
    node_id: 0n,
    reward_rate: rate,
    stake: 0n,
    stake_not_rewarded: 0n,
    stake_rewarded: 0n,
    staking_period: timestamp - 2n,
  };
  return write(
    { ...rows, node_stake: [stake, ...others.map((one) => ({ ...stake, ...one }))] },
    { operation: 'updatePendingRewards', timestamp, rewardAccountId },
  );
}

async function pendingRewards(): Promise<Record<string, bigint>> {
  const rows = await rowsOf('select id::text, pending_reward from entity_stake where id <> 800 order by id');
  return Object.fromEntries(rows.map(({ id, pending_reward }) => [id, pending_reward])) as Record<string, bigint>;
}

test('rewards are earned on the stake that a whole period began with', async () => {
  const start = 100n * dayNs;
  const staked = { staked_node_id: 0n, stake_period_start: 100n };
  await write({
    entity: [
      account(800n, start, { balance: 0n }),
      account(3n, start, { balance: 10n * hbar + 99n, ...staked }),
      account(4n, start, { balance: 5n * hbar, staked_account_id: 3n }),
      account(5n, start, { balance: 20n * hbar, ...staked, decline_reward: true }),
      account(6n, start, { balance: 30n * hbar }),
    ],
  });
  // The period in which they began to stake earns nothing; stake is noted at its end.
  await endPeriod(100n, 7n);
  expect(await pendingRewards()).toEqual({ 3: 0n });
  expect(await rowsOf('select * from entity_stake where id = 3')).toMatchObject([
    { end_stake_period: 100n, staked_node_id_start: 0n, staked_to_me: 5n * hbar, stake_total_start: 15n * hbar + 99n },
  ]);
  // What changes during a period counts from the next one.
  const late = { id: 3n, balance: 100n * hbar, balance_timestamp: 102n * dayNs - 5n };
  await write({ entity: [late] });
  await endPeriod(101n, 7n);
  expect(await pendingRewards()).toEqual({ 3: 7n * 15n });
  // Nor does what the same block moves after the period has ended.
  await endPeriod(102n, 2n, {
    entity: [{ id: 3n, balance: -50n * hbar, balance_timestamp: 103n * dayNs + 2n }],
    crypto_transfer: [
      { amount: -50n * hbar, consensus_timestamp: 103n * dayNs + 2n, entity_id: 3n, payer_account_id: 3n },
    ],
  });
  expect(await pendingRewards()).toEqual({ 3: 7n * 15n + 2n * 115n });
  await endPeriod(103n, 1n);
  expect(await pendingRewards()).toEqual({ 3: 7n * 15n + 2n * 115n + 115n });
  // A reward that was paid moves the start of the account's period to the day before.
  const paid = account(3n, 104n * dayNs + 7n, { stake_period_start: 103n });
  await write({ entity: [paid] });
  await endPeriod(104n, 1n);
  expect(await pendingRewards()).toEqual({ 3: 65n });
  const nothing = { pending_reward: 0n, staked_to_me: 0n, stake_total_start: 0n };
  expect(await rowsOf('select * from entity_stake where id = 800')).toMatchObject([
    { end_stake_period: 104n, ...nothing },
  ]);
  const history = await rowsOf(
    'select end_stake_period, timestamp_range from entity_stake_history where id = 3 order by 1',
  );
  expect(history.map((row) => row.end_stake_period)).toEqual([100n, 101n, 102n, 103n]);
});

test.each<[string, Row<'entity'>]>([
  ['stopped staking', { staked_node_id: -1n, stake_period_start: 102n }],
  ['stakes to an account', { staked_node_id: -1n, staked_account_id: 4n }],
  ['declines rewards', { staked_node_id: 0n, stake_period_start: 102n, decline_reward: true }],
  ['is gone', { staked_node_id: 0n, stake_period_start: 100n, deleted: true }],
])(
  'an account that %s keeps the row of its last period; it starts again when it stakes again',
  async (_what, fields) => {
    const staked = { balance: 10n * hbar, staked_node_id: 0n, stake_period_start: 100n };
    await write({ entity: [account(800n, 1n, { balance: 50n * hbar }), account(3n, 100n * dayNs, staked)] });
    for (const day of [100n, 101n]) await endPeriod(day, 7n);
    const last = {
      end_stake_period: 101n,
      pending_reward: 70n,
      staked_node_id_start: 0n,
      stake_total_start: 10n * hbar,
    };
    const stakes = () => rowsOf('select * from entity_stake order by id');
    const ofPayer = (day: bigint) => ({
      id: 800n,
      end_stake_period: day,
      stake_total_start: 0n,
      staked_node_id_start: -1n,
    });
    expect(await stakes()).toMatchObject([{ id: 3n, ...last }, ofPayer(101n)]);
    await write({ entity: [account(3n, 102n * dayNs + 7n, fields)] });
    for (const day of [102n, 103n]) await endPeriod(day, 9n);
    expect(await stakes()).toMatchObject([{ id: 3n, ...last }, ofPayer(103n)]);
    await write({
      entity: [account(3n, 104n * dayNs + 7n, { staked_node_id: 0n, decline_reward: false, stake_period_start: 104n })],
    });
    await endPeriod(104n, 9n);
    expect(await pendingRewards()).toEqual({ 3: 0n });
    await endPeriod(105n, 9n);
    expect(await pendingRewards()).toEqual({ 3: 90n });
  },
);

test('what a node owes stays where the period has no rate of it', async () => {
  const start = 100n * dayNs;
  const staked = { balance: 10n * hbar, staked_node_id: 5n };
  await write({
    entity: [
      account(3n, start, { ...staked, stake_period_start: 99n }),
      account(4n, start, { ...staked, staked_node_id: 0n, stake_period_start: 99n }),
    ],
  });
  const rate = { consensus_timestamp: 102n * dayNs + 1n, epoch_day: 101n, node_id: 5n, reward_rate: 3n };
  await endPeriod(100n, 7n);
  await endPeriod(101n, 7n, { node_stake: [rate] });
  expect(await pendingRewards()).toEqual({ 3: 30n, 4: 70n });
  // Also of an account whose period started again.
  await write({ entity: [account(3n, start + 2n * dayNs, { ...staked, stake_period_start: 102n })] });
  await endPeriod(102n, 7n);
  expect(await pendingRewards()).toEqual({ 3: 30n, 4: 140n });
  expect(await rowsOf('select end_stake_period from entity_stake where id = 3')).toEqual([{ end_stake_period: 102n }]);
});

test('what was earned more than 365 periods ago is forfeited', async () => {
  await write({
    entity: [account(3n, dayNs * 100n, { balance: 10n * hbar, staked_node_id: 0n, stake_period_start: 100n })],
  });
  for (let day = 100n; day <= 466n; day += 1n) {
    await endPeriod(day, day === 101n ? 1000n : 1n);
    if (day === 466n - 1n) expect(await pendingRewards()).toEqual({ 3: 10_000n + 364n * 10n });
  }
  // 366 periods were earned; the first, which paid 1,000 an hbar, is gone.
  expect(await pendingRewards()).toEqual({ 3: 365n * 10n });
});

// Ids of the second are negative.
test.each([
  { shard: 11n, realm: 12n },
  { shard: 700n, realm: 3n },
])('system accounts are those of shard $shard, realm $realm', async (system) => {
  const treasuryId = systemEntityId('treasury', system);
  const rewardAccountId = systemEntityId('stakingRewards', system);
  const [staker, backer] = [inRealm(1001n, system), inRealm(1002n, system)];
  const account = (id: bigint, fields: Row<'entity'>): Row<'entity'> => ({
    ...{ id, num: decodeEntityId(id).num, ...system, type: 'ACCOUNT', deleted: false, balance_timestamp: start },
    ...{ timestamp_range: { from: start, to: null }, ...fields },
  });
  const start = 100n * dayNs;
  await write({
    entity: [
      account(rewardAccountId, { balance: 0n }),
      account(staker, { balance: 3n * hbar, staked_node_id: 0n, stake_period_start: 99n }),
      account(backer, { balance: 4n * hbar, staked_account_id: staker }),
    ],
  });
  await endPeriod(100n, 10n, {}, rewardAccountId);
  await endPeriod(101n, 10n, {}, rewardAccountId);
  const stakes = await rowsOf('select id, pending_reward, stake_total_start from entity_stake order by id');
  expect(stakes).toEqual([
    { id: rewardAccountId, pending_reward: 0n, stake_total_start: 0n },
    { id: staker, pending_reward: 70n, stake_total_start: 7n * hbar },
  ]);
  const name = 'snapshot';
  const whole = { operation: 'takeBalanceSnapshot', treasuryId, previousTimestamp: null, whole: true, name } as const;
  await write({}, { ...whole, timestamp: 110n * dayNs });
  const [treasury] = await rowsOf(`select shard, realm, num from entity where num = 2`);
  expect(treasury).toEqual({ ...system, num: 2n });
  const balances = await rowsOf('select account_id, balance from account_balance order by account_id');
  expect(balances).toEqual([
    { account_id: treasuryId, balance: 0n },
    { account_id: rewardAccountId, balance: 0n },
    { account_id: staker, balance: 3n * hbar },
    { account_id: backer, balance: 4n * hbar },
  ]);
});

test('what a removed node owes is forfeited when the periods in which it was earned are too long ago', async () => {
  const start = dayNs * 100n;
  const staked = { balance: 10n * hbar, stake_period_start: 100n };
  await write({
    entity: [
      account(3n, start, { ...staked, staked_node_id: 5n }),
      account(4n, start, { ...staked, staked_node_id: 6n }),
      account(5n, start, { ...staked, staked_node_id: 0n }),
    ],
  });
  // Node 5 pays in nine periods, node 6 in ten, and again much later.
  const paysOf: Record<number, (day: bigint) => boolean> = {
    5: (day) => day >= 101n && day <= 109n,
    6: (day) => day === 101n || (day >= 130n && day <= 138n) || day >= 480n,
    0: () => true,
  };
  const rateOf = (node: bigint, day: bigint): bigint => 1000n + ((day * (node + 3n)) % 7n) * 500n;
  const kept: Record<string, Record<string, bigint>> = {};
  for (let day = 100n; day <= 510n; day += 1n) {
    const rows = [5n, 6n]
      .filter((node) => paysOf[Number(node)]!(day))
      .map((node) => ({
        ...{ consensus_timestamp: (day + 1n) * dayNs + 1n, epoch_day: day },
        ...{ node_id: node, reward_rate: node === 5n ? 5000n : rateOf(node, day) },
      }));
    const balance = { id: 4n, balance: hbar, balance_timestamp: (day + 1n) * dayNs - 9n };
    await endPeriod(day, rateOf(0n, day), {
      node_stake: rows,
      // What the account has is more each period: each is forfeited with the stake that it was earned with.
      ...(day < 140n && { entity: [balance] }),
    });
    kept[`${day}`] = await pendingRewards();
  }
  const ofFive = (day: bigint) => kept[`${day}`]!['3'];
  expect([109n, 300n, 465n].map(ofFive)).toEqual([450_000n, 450_000n, 450_000n]);
  expect([466n, 467n, 468n, 473n].map(ofFive)).toEqual([400_000n, 350_000n, 300_000n, 50_000n]);
  expect([474n, 475n, 510n].map(ofFive)).toEqual([0n, 0n, 0n]);
  // By a count of its own: the rewards of the last 365 periods.
  for (const [id, node] of [
    ['4', 6n],
    ['5', 0n],
  ] as const) {
    const stakeOf = (day: bigint): bigint => (id === '5' ? 10n : 10n + (day < 140n ? day : 140n) - 100n);
    for (let day = 101n; day <= 510n; day += 1n) {
      let sum = 0n;
      for (let earned = day - 364n; earned <= day; earned += 1n) {
        if (earned > 100n && paysOf[Number(node)]!(earned)) sum += rateOf(node, earned) * stakeOf(earned);
      }
      expect([id, day, kept[`${day}`]![id]]).toEqual([id, day, sum]);
    }
  }
});

test('what a removed node owes stays where the stakes of the time are not stored', async () => {
  const staked = { balance: 10n * hbar, staked_node_id: 5n, stake_period_start: 100n };
  const stake = {
    ...{ id: 3n, end_stake_period: 499n, pending_reward: 77n, staked_node_id_start: 5n, staked_to_me: 0n },
    ...{ stake_total_start: 10n * hbar, timestamp_range: { from: 1n, to: null } },
  };
  await write({ entity: [account(3n, dayNs * 100n, staked)], entity_stake: [stake] });
  await endPeriod(500n, 7n);
  expect(await pendingRewards()).toEqual({ 3: 77n });
});
