// Which revision of the import wrote the blocks that end after a consensus time, up to the next row. A table of ours, which
// the Hiero schema does not know.

export const importRevisionTableStatements: readonly string[] = [
  `create table import_revision (
  after int8 primary key,
  revision int4 not null,
  begun_at timestamptz not null default now()
)`,
];
