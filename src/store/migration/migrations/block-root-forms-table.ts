// Statements of the migration "block root forms". Frozen, as all migrations are.

export const blockRootFormsTable: readonly string[] = [
  `create table block_root_forms (
  consensus_end int8 not null,
  newer bytea not null,
  older bytea not null,
  primary key (consensus_end)
)`,
];
