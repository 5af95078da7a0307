// What part of the ledger the database holds. One row; a table of ours, which the Hiero schema does not know.

export const mirrorExtentTableStatements: readonly string[] = [
  `create table mirror_extent (
  id int2 primary key check (id = 1),
  begun_at text not null,
  included text,
  excluded text,
  kept_from int8,
  knows_beginning bool
)`,
];
