// Statements of the migration "ledger scans". Frozen, as all migrations are.

export const ledgerScanTable: readonly string[] = [
  `create table ledger_scan (
  kind text primary key,
  consensus_timestamp int8 not null,
  account_id int8 not null,
  phase int2 not null default 0,
  position int8,
  previous_timestamp int8,
  is_whole bool,
  name text,
  balance int8,
  row_count int8 not null default 0
)`,
  `create table stake_at_period_end (
  id int8 primary key,
  decline_reward bool not null,
  staked_account_id int8 not null,
  staked_node_id int8 not null,
  stake_period_start int8 not null,
  balance int8 not null
)`,
  'create index on stake_at_period_end (staked_account_id) where staked_account_id <> 0',
];
