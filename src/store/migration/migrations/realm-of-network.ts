// Statements of the migration "realm of the network". Frozen, as all migrations are.

export const realmOfNetwork: readonly string[] = [
  'alter table mirrored_network add column shard int8',
  'alter table mirrored_network add column realm int8',
];
