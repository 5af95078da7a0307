// Statements of the migration "postponed indexes". Frozen, as all migrations are.

export const postponedIndexTable: readonly string[] = [
  `create table postponed_index (
  definition text primary key
)`,
];
