// Statements of the migration "importer state". Frozen, as all migrations are.

export const importerStateTable: readonly string[] = [
  `create table importer_state (
  id int2 primary key check (id = 1),
  seen_at timestamptz not null,
  is_ended bool not null,
  newest_file int8,
  rejected_permille int8 not null,
  block_ms int8 not null,
  missing_ms int8 not null,
  missing text,
  source_problem text,
  write_problem text,
  halted_file text,
  halted_reason text
)`,
];
