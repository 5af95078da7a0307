// Work over whole tables that a block began and that goes on in ranges between the blocks after it. Tables of ours, which
// the Hiero schema does not know: no answer is read from them.

export const ledgerScanTableStatements: readonly string[] = [
  // consensus_timestamp: it shows the ledger as of that moment. account_id: the treasury, or the account that pays the
  // rewards. phase, position: which table is at hand, and its last id that is done. balance: of the treasury, whose row is
  // written last. row_count: of account_balance so far.
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
  // Accounts that take part in a period, as they stood at its end, while rewards are worked out.
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
