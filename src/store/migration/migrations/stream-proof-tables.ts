// Statements of the migration "stream proofs". Frozen, as all migrations are.

export const streamProofTables: readonly string[] = [
  `create table block_proof (
  consensus_end int8 not null,
  place int2 not null,
  kind text not null,
  verified bool not null,
  reason text,
  proof bytea not null,
  primary key (consensus_end, place)
)`,
  `create table wrapped_block_tree (
  leaf_count int8 not null,
  hashes bytea not null,
  primary key (leaf_count)
) with (fillfactor = 80)`,
];
