// Statements of the migration "mirror extent". Frozen, as all migrations are.

export const mirrorExtentTable: readonly string[] = [
  `create table mirror_extent (
  id int2 primary key check (id = 1),
  begun_at text not null,
  included text,
  excluded text,
  kept_from int8
)`,
];
