// Indexes that a first import has left out and that are still to be made. A table of ours, which the Hiero schema does not
// know. `definition`: the statement that PostgreSQL says the index is made with.

export const postponedIndexTableStatements: readonly string[] = [
  `create table postponed_index (
  definition text primary key
)`,
];
