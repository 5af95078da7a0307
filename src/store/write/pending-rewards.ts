// Computes, at the end of a staking period, the unpaid reward of each account, as part of the block
// that ended the period. Stake counts in whole hbar; an account's stake is its balance and what accounts staked to it
// hold.
import type pg from 'pg';
import { quoteNames } from '../schema/sql-names.ts';
import { tables } from '../schema/tables.ts';
import type { BulkOperation } from './block-changes.ts';

type PendingRewards = Extract<BulkOperation, { operation: 'updatePendingRewards' }>;

export async function updatePendingRewards(
  client: pg.Client,
  { timestamp, rewardAccountId, unstored = [] }: PendingRewards,
): Promise<void> {
  const accounts = unstored.map(({ accountId }) => accountId);
  const values = [timestamp, accounts, unstored.map(({ amount }) => amount), rewardAccountId];
  await client.query({ name: 'update-pending-rewards', text: updatePending, values });
}

/** Rewards older than this many periods are forfeited. */
const periodsKept = 365;
const tinybarPerHbar = 100_000_000;

const stakeColumns = Object.keys(tables.entity_stake.columns);
const endedColumns = stakeColumns.map((column) =>
  column === 'timestamp_range' ? 'int8range(lower(s.timestamp_range), $1)' : `s.${column}`,
);
const replacedColumns = stakeColumns.filter((column) => column !== 'id');

/** Accounts as they stood at the end of the period: balances without what this block moved after it. */
const accountsAtEnd = `later as (
  select entity_id, sum(amount)::int8 as amount from (
    select entity_id, amount from crypto_transfer where consensus_timestamp > $1
    union all select * from unnest($2::int8[], $3::int8[])
  ) moved group by entity_id
),
versions as (
  select id, decline_reward, staked_account_id, staked_node_id, stake_period_start from entity
  where deleted is not true and type in ('ACCOUNT', 'CONTRACT') and timestamp_range @> $1::int8
  union all
  select id, decline_reward, staked_account_id, staked_node_id, stake_period_start from entity_history
  where deleted is not true and type in ('ACCOUNT', 'CONTRACT') and timestamp_range @> $1::int8
),
accounts as (
  select v.id, v.decline_reward, coalesce(v.staked_account_id, 0) as staked_account_id,
    coalesce(v.staked_node_id, -1) as staked_node_id, coalesce(v.stake_period_start, -1) as stake_period_start,
    coalesce(e.balance, 0) - coalesce(later.amount, 0) as balance
  from versions v join entity e on e.id = v.id left join later on later.entity_id = v.id
),
staked_to as (
  select staked_account_id as id, sum(balance)::int8 as amount from accounts where staked_account_id <> 0 group by 1
)`;

/**
 * A row of the account that pays the rewards ($4) marks a computed period. Accounts that stake to no node, or decline
 * rewards, keep the row of their last period. A node without a rate in the period, as one that was removed, pays nothing,
 * and what it owes stays.
 */
const updatePending = `with period as (
  select epoch_day as day from node_stake where consensus_timestamp = $1 limit 1
),
rates as (
  select node_id, reward_rate from node_stake where consensus_timestamp = $1
),
forfeited_rates as (
  select distinct on (n.node_id) n.node_id, n.reward_rate from node_stake n, period
  where n.epoch_day = period.day - ${periodsKept} order by n.node_id, n.consensus_timestamp
),
forfeited_stakes as (
  select distinct on (s.id) s.* from period, entity_stake_history s
  where s.end_stake_period = period.day - ${periodsKept + 1} order by s.id, s.timestamp_range desc
),
${accountsAtEnd},
rewards as (
  select a.id, period.day as end_stake_period, a.staked_node_id as staked_node_id_start,
    coalesce(t.amount, 0) as staked_to_me,
    case when a.staked_node_id < 0 then 0 else a.balance + coalesce(t.amount, 0) end as stake_total_start,
    case
      when coalesce(s.staked_node_id_start, -1) < 0 then 0
      when r.reward_rate is null then s.pending_reward
      when a.stake_period_start > period.day - 1 then 0
      else greatest(0,
        case when a.stake_period_start = period.day - 1 then 0 else s.pending_reward end
        + r.reward_rate * (s.stake_total_start / ${tinybarPerHbar})
        - case when a.stake_period_start < period.day - ${periodsKept}
            then coalesce(fr.reward_rate * (fs.stake_total_start / ${tinybarPerHbar}), 0) else 0 end)
    end as pending_reward,
    int8range($1, null) as timestamp_range
  from period cross join accounts a
  left join entity_stake s on s.id = a.id
  left join staked_to t on t.id = a.id
  left join rates r on r.node_id = s.staked_node_id_start
  left join forfeited_stakes fs on fs.id = a.id
  left join forfeited_rates fr on fr.node_id = fs.staked_node_id_start
  where a.id = $4 or (a.staked_node_id >= 0 and not a.decline_reward)
),
kept as (
  insert into entity_stake_history (${quoteNames(stakeColumns)})
  select ${endedColumns.join(', ')} from entity_stake s join rewards on rewards.id = s.id
  where lower(s.timestamp_range) < $1
)
insert into entity_stake (${quoteNames(stakeColumns)}) select ${quoteNames(stakeColumns)} from rewards
on conflict (id) do update set ${replacedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`;
