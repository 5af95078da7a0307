// Statements of the migration "transactions by hash for others". Frozen, as all migrations are.

export const transactionHashFunction: readonly string[] = [
  `create function get_transaction_info_by_hash(bytea)
returns table (consensus_timestamp int8, hash bytea, payer_account_id int8)
language sql stable as $$
  select t.consensus_timestamp, t.hash || coalesce(t.hash_suffix, ''::bytea), t.payer_account_id
  from transaction_hash t where t.hash = substring($1 from 1 for 32)
$$`,
];
