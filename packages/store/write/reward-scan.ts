// The unpaid reward of each account at the end of a staking period. Stake counts in whole hbar; an account's stake is
// its balance plus that of accounts staked to it, so all of them are read before the first reward is computed.
import type pg from 'pg';
import { quoteNames } from '../../schema/sql-names.ts';
import { tables } from '../../schema/tables.ts';
import type { BulkOperation, WritableChanges } from './block-changes.ts';
import type { IdRange, Scan, ScanKind } from './scan.ts';

type PendingRewards = Extract<BulkOperation, { operation: 'updatePendingRewards' }>;

export const rewardScan: ScanKind<PendingRewards> = {
  phases: [
    { table: 'entity', column: 'id', fill: keepRange },
    { table: 'stake_at_period_end', column: 'id', fill: updateRange },
  ],
  async begin(client, { timestamp, rewardAccountId, unstored = [] }, { written }) {
    await client.query({ name: 'begin-reward-scan', text: beginScan, values: [timestamp, rewardAccountId] });
    const changed = written.flatMap(changedAccounts);
    const amounts = [unstored.map(({ accountId }) => accountId), unstored.map(({ amount }) => amount)];
    const values = [timestamp, rewardAccountId, changed, ...amounts];
    await client.query({ name: 'stakes-of-block', text: stakesOfBlock, values });
  },
  async keep(client, scan, part) {
    const changed = scan.phase === 0 ? changedAccounts(part) : [];
    if (changed.length === 0) return 0;
    const values = [scan.consensus_timestamp, scan.account_id, changed];
    await client.query({ name: 'keep-stakes', text: stakesOfChange, values });
    return 0;
  },
  async end(client) {
    await client.query('truncate stake_at_period_end');
  },
};

/** Rewards older than this many periods are forfeited. */
const periodsKept = 365;
const tinybarPerHbar = 100_000_000;

const beginScan = `insert into ledger_scan (kind, consensus_timestamp, account_id) values ('updatePendingRewards', $1, $2)`;

const stakeColumns = Object.keys(tables.entity_stake.columns);
const endedColumns = stakeColumns.map((column) =>
  column === 'timestamp_range' ? 'int8range(lower(s.timestamp_range), $1)' : `s.${column}`,
);
const replacedColumns = stakeColumns.filter((column) => column !== 'id');

const version = 'id, decline_reward, staked_account_id, staked_node_id, stake_period_start';
const isHolder = `deleted is not true and type in ('ACCOUNT', 'CONTRACT')`;

/** What takes part in a period: who earns, who adds to another's stake, who pays ($2), which marks a period. */
const stakesOf = (from: string, balance: string): string => `insert into stake_at_period_end
  (id, decline_reward, staked_account_id, staked_node_id, stake_period_start, balance)
select a.id, coalesce(a.decline_reward, false), coalesce(a.staked_account_id, 0), coalesce(a.staked_node_id, -1),
  coalesce(a.stake_period_start, -1), ${balance}
from ${from}
where a.id = $2 or a.staked_account_id <> 0 or (a.staked_node_id >= 0 and a.decline_reward is not true)
on conflict do nothing`;

/** As of the end of the period ($1): rows that later blocks changed were processed before. */
const stored = (place: string): string => `(select * from entity
  where ${place} and ${isHolder} and coalesce(balance_timestamp, 0) <= $1 and lower(timestamp_range) <= $1) a`;

const stakesOfRange = stakesOf(stored('id > $3 and id <= $4'), 'coalesce(a.balance, 0)');
const stakesOfChange = stakesOf(stored('id = any($3)'), 'coalesce(a.balance, 0)');

/** Of the accounts that the (stored) block changed: without its changes after the end of the period. */
const stakesOfBlock = `with later as (
  select entity_id, sum(amount)::int8 as amount from (
    select entity_id, amount from crypto_transfer where consensus_timestamp > $1
    union all select * from unnest($4::int8[], $5::int8[])
  ) moved group by entity_id
),
versions as (
  select ${version} from entity where id = any($3) and ${isHolder} and timestamp_range @> $1::int8
  union all
  select ${version} from entity_history where id = any($3) and ${isHolder} and timestamp_range @> $1::int8
)
${stakesOf(
  'versions a join entity e on e.id = a.id left join later on later.entity_id = a.id',
  'coalesce(e.balance, 0) - coalesce(later.amount, 0)',
)}`;

/**
 * A row of the account that pays the rewards ($2) marks a computed period. Accounts that stake to no node, or decline
 * rewards, keep the row of their last period. A node without a rate in the period, such as a removed one, adds nothing,
 * and pending rewards stay until they are forfeited: of an account that has staked to it for longer than they are kept,
 * what it earned in the periods that count is added up again. Where the stakes of that time are not stored, they stay.
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
accounts as (
  select * from stake_at_period_end where id > $3 and id <= $4
),
forfeited_stakes as (
  select distinct on (s.id) s.* from period, accounts a join entity_stake_history s on s.id = a.id
  where a.stake_period_start < period.day - ${periodsKept} and s.end_stake_period = period.day - ${periodsKept + 1}
  order by s.id, s.timestamp_range desc
),
unpaid as (
  select f.id from forfeited_stakes f join entity_stake s on s.id = f.id
  where not exists (select from rates r where r.node_id = s.staked_node_id_start)
),
kept_rates as (
  select distinct on (n.epoch_day, n.node_id) n.epoch_day, n.node_id, n.reward_rate from node_stake n, period
  where n.epoch_day > period.day - ${periodsKept} and exists (select from unpaid)
  order by n.epoch_day, n.node_id, n.consensus_timestamp
),
kept_rewards as (
  select s.id, sum(n.reward_rate * (s.stake_total_start / ${tinybarPerHbar}))::int8 as amount
  from unpaid u join entity_stake_history s on s.id = u.id
  join kept_rates n on n.epoch_day = s.end_stake_period + 1 and n.node_id = s.staked_node_id_start
  group by s.id
),
staked_to as (
  select staked_account_id as id, sum(balance)::int8 as amount from stake_at_period_end
  where staked_account_id <> 0 and staked_account_id > $3 and staked_account_id <= $4 group by 1
),
rewards as (
  select a.id, period.day as end_stake_period, a.staked_node_id as staked_node_id_start,
    coalesce(t.amount, 0) as staked_to_me,
    case when a.staked_node_id < 0 then 0 else a.balance + coalesce(t.amount, 0) end as stake_total_start,
    case
      when coalesce(s.staked_node_id_start, -1) < 0 then 0
      when r.reward_rate is null then
        case when u.id is null then s.pending_reward else least(s.pending_reward, coalesce(k.amount, 0)) end
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
  left join unpaid u on u.id = a.id
  left join kept_rewards k on k.id = a.id
  left join forfeited_rates fr on fr.node_id = fs.staked_node_id_start
  where a.id = $2 or (a.staked_node_id >= 0 and not a.decline_reward)
),
kept as (
  insert into entity_stake_history (${quoteNames(stakeColumns)})
  select ${endedColumns.join(', ')} from entity_stake s join rewards on rewards.id = s.id
  where lower(s.timestamp_range) < $1
)
insert into entity_stake (${quoteNames(stakeColumns)}) select ${quoteNames(stakeColumns)} from rewards
on conflict (id) do update set ${replacedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`;

async function keepRange(client: pg.Client, scan: Scan, { from, to }: IdRange): Promise<number> {
  const values = [scan.consensus_timestamp, scan.account_id, from, to];
  await client.query({ name: 'stakes-of-range', text: stakesOfRange, values });
  return 0;
}

async function updateRange(client: pg.Client, scan: Scan, { from, to }: IdRange): Promise<number> {
  const values = [scan.consensus_timestamp, scan.account_id, from, to];
  await client.query({ name: 'update-pending-rewards', text: updatePending, values });
  return 0;
}

function changedAccounts(part: WritableChanges['parts'][number]): bigint[] {
  return 'entity' in part ? (part.entity ?? []).map(({ id }) => id!) : [];
}
