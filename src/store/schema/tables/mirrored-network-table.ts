// Which network the database was filled for, so that a process that answers from it knows it. One row; a table of ours,
// which the Hiero schema does not know.

export const mirroredNetworkTableStatements: readonly string[] = [
  `create table mirrored_network (
  id int2 primary key check (id = 1),
  name text,
  chain_id int8,
  shard int8,
  realm int8
)`,
];
