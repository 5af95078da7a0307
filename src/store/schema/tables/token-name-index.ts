// The index for parts of token names, as the mirror node has it. It needs the extension pg_trgm, which comes with PostgreSQL
// but may not be installed or not be allowed: then names are looked for in every token. Of 200,000 tokens that takes 430 ms,
// with the index 0.3 ms.
export const tokenNameIndexStatements: readonly string[] = [
  `do $$ begin
  if exists (select from pg_available_extensions where name = 'pg_trgm')
    and has_database_privilege(current_database(), 'create') then
    create extension if not exists pg_trgm;
    create index token_name_idx on token using gin (name gin_trgm_ops);
  end if;
end $$`,
];
