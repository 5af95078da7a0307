import { describe, expect, it } from 'vitest';
import { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import { importTransactions, timestampAt } from '../../../../packages/test-support/streams/import-transactions.ts';

/** 2023-11-14T22:13:20Z is day 19675. */
const dayOfTransactions = 19_675n;

describe('the network', () => {
  it('says what its nodes weigh, for the day before', async () => {
    const node = (nodeId: number) => ({
      nodeId,
      maxStake: 900,
      minStake: 1,
      stake: 500,
      stakeRewarded: 300,
      stakeNotRewarded: 200,
      rewardRate: 7,
    });
    const { rows, problems } = await importTransactions([
      {
        body: {
          nodeStakeUpdate: {
            endOfStakingPeriod: { seconds: 1_699_919_999, nanos: 999_999_999 },
            nodeStake: [node(0), node(1)],
            maxStakingRewardRatePerHbar: 17_808,
            nodeRewardFeeFraction: { numerator: 0, denominator: 100 },
            stakingRewardFeeFraction: { numerator: 100, denominator: 100 },
            stakingPeriod: 1440,
            stakingPeriodsStored: 365,
            stakingRewardRate: 3,
            stakingStartThreshold: 25,
            maxStakeRewarded: 1,
            maxTotalReward: 2,
            reservedStakingRewards: 3,
            rewardBalanceThreshold: 4,
            unreservedStakingRewardBalance: 5,
          },
        },
      },
    ]);
    expect(problems).toEqual([]);
    const period = {
      consensus_timestamp: timestampAt(0),
      epoch_day: dayOfTransactions - 1n,
      staking_period: 1_699_919_999_999_999_999n,
    };
    expect(rows('network_stake')).toEqual([
      {
        ...period,
        max_stake_rewarded: 1n,
        max_staking_reward_rate_per_hbar: 17_808n,
        max_total_reward: 2n,
        node_reward_fee_denominator: 100n,
        node_reward_fee_numerator: 0n,
        reserved_staking_rewards: 3n,
        reward_balance_threshold: 4n,
        stake_total: 1000n,
        staking_period_duration: 1440n,
        staking_periods_stored: 365n,
        staking_reward_fee_denominator: 100n,
        staking_reward_fee_numerator: 100n,
        staking_reward_rate: 3n,
        staking_start_threshold: 25n,
        unreserved_staking_reward_balance: 5n,
      },
    ]);
    const stake = { max_stake: 900n, min_stake: 1n, stake: 500n, stake_rewarded: 300n, stake_not_rewarded: 200n };
    expect(rows('node_stake')).toEqual([
      { ...period, ...stake, node_id: 0n, reward_rate: 7n },
      { ...period, ...stake, node_id: 1n, reward_rate: 7n },
    ]);
  });

  it('has nodes that come, change and go', async () => {
    const { rows } = await importTransactions([
      {
        body: {
          nodeCreate: {
            accountId: { accountNum: 12 },
            adminKey: { ed25519: Buffer.alloc(32, 1) },
            declineReward: true,
            grpcProxyEndpoint: { domainName: 'proxy.example', port: 443 },
          },
        },
        receipt: { nodeId: 9 },
      },
      { body: { nodeUpdate: { nodeId: 9, declineReward: {} } } },
      { body: { nodeDelete: { nodeId: 9 } } },
    ]);
    const range = (from: number, to: number | null) => ({
      from: timestampAt(from),
      to: to === null ? null : timestampAt(to),
    });
    const admin_key = proto.Key.encode({ ed25519: Buffer.alloc(32, 1) }).finish();
    const created = { node_id: 9n, account_id: 12n, admin_key, created_timestamp: timestampAt(0) };
    expect(rows('node')).toMatchObject([
      {
        ...created,
        decline_reward: true,
        grpc_proxy_endpoint: { domain_name: 'proxy.example', ip_address_v4: '', port: 443 },
        timestamp_range: range(0, 1),
      },
      { ...created, decline_reward: false, deleted: false, timestamp_range: range(1, 2) },
      { ...created, decline_reward: false, deleted: true, timestamp_range: range(2, null) },
    ]);
    expect(rows('transaction').map((row) => row.entity_id)).toEqual([12n, null, null]);
  });

  it('freezes at a time, or at an hour of its own day, whether that is over or not', async () => {
    const day = dayOfTransactions * 86_400_000_000_000n;
    const hour = 3_600_000_000_000n;
    // The transactions are of 22:13.
    const cases: [object, bigint, bigint | null][] = [
      [{ startTime: { seconds: 5 } }, 5_000_000_000n, null],
      [{ startTime: { seconds: 5 }, endHour: 7 }, 5_000_000_000n, null],
      [{}, day, day],
      [{ startHour: 23, startMin: 30 }, day + 23n * hour + hour / 2n, day + 24n * hour],
      [{ startHour: 1, endHour: 2 }, day + hour, day + 2n * hour],
      [{ startHour: 23, endHour: 1 }, day + 23n * hour, day + 25n * hour],
      // The hours alone decide.
      [
        { startHour: 23, startMin: 30, endHour: 23, endMin: 15 },
        day + 23n * hour + hour / 2n,
        day + 23n * hour + hour / 4n,
      ],
    ];
    for (const [body, start, end] of cases) {
      const freeze = { ...body, freezeType: 2, fileHash: Buffer.of(1), updateFile: { fileNum: 150 } };
      const { rows } = await importTransactions([{ body: { freeze } }]);
      expect(rows('network_freeze')).toEqual([
        {
          consensus_timestamp: timestampAt(0),
          start_time: start,
          end_time: end,
          file_hash: Buffer.of(1),
          file_id: 150n,
          payer_account_id: 1000n,
          type: 2,
        },
      ]);
    }
  });

  it('gives random bytes or a random number', async () => {
    const { rows } = await importTransactions([
      { body: { utilPrng: {} }, record: { prngBytes: Buffer.alloc(48, 3) } },
      { body: { utilPrng: { range: 10 } }, record: { prngNumber: 0 } },
      { body: { utilPrng: { range: 10 } } },
    ]);
    expect(rows('prng').map((row) => [row.range, row.prng_bytes, row.prng_number])).toEqual([
      [0, Buffer.alloc(48, 3), null],
      [10, null, 0],
    ]);
  });
});
