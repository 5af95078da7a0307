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
];
