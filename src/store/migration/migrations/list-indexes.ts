// Statements of the migration "list indexes". Frozen, as all migrations are. The index that goes is the beginning of the one
// that comes.

export const listIndexes: readonly string[] = [
  'create index on nft_allowance (spender, owner, token_id)',
  'drop index if exists nft_allowance_spender_idx',
  `do $$ begin
  if exists (select from pg_available_extensions where name = 'pg_trgm')
    and has_database_privilege(current_database(), 'create') then
    create extension if not exists pg_trgm;
    create index token_name_idx on token using gin (name gin_trgm_ops);
  end if;
end $$`,
];
