// Statements of the migration "mirrored network". Frozen, as all migrations are.

export const mirroredNetworkTable: readonly string[] = [
  `create table mirrored_network (
  id int2 primary key check (id = 1),
  name text,
  chain_id int8
)`,
];
