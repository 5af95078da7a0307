// Which revision of the import wrote the blocks that end after a consensus time, up to the next row. A table of ours, which
// the Hiero schema does not know. blocks_revision: of the rows of single moments, where these were imported again.

export const importRevisionTableStatements: readonly string[] = [
  `create table import_revision (
  after int8 primary key,
  revision int4 not null,
  blocks_revision int4
)`,
];
