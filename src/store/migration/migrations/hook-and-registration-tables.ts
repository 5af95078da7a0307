// Hooks with their storage, services that registered with the network, and the network's ledger ids.
export const hookAndRegistrationTables: readonly string[] = [
  `create type hook_extension_point as enum ('ACCOUNT_ALLOWANCE_HOOK')`,
  `create type hook_type as enum ('EVM')`,
  `create table "hook" (
  "admin_key" bytea,
  "contract_id" int8 not null,
  "created_timestamp" int8 not null,
  "deleted" bool not null default false,
  "extension_point" hook_extension_point not null default 'ACCOUNT_ALLOWANCE_HOOK',
  "hook_id" int8 not null,
  "owner_id" int8 not null,
  "timestamp_range" int8range not null,
  "type" hook_type not null default 'EVM',
  primary key ("owner_id", "hook_id")
) with (fillfactor = 80)`,
  `create table "hook_history" (
  "admin_key" bytea,
  "contract_id" int8 not null,
  "created_timestamp" int8 not null,
  "deleted" bool not null default false,
  "extension_point" hook_extension_point not null default 'ACCOUNT_ALLOWANCE_HOOK',
  "hook_id" int8 not null,
  "owner_id" int8 not null,
  "timestamp_range" int8range not null,
  "type" hook_type not null default 'EVM'
)`,
  `create index on "hook_history" ("owner_id", "hook_id", lower(timestamp_range))`,
  `create table "hook_storage" (
  "created_timestamp" int8 not null,
  "deleted" bool not null default false,
  "hook_id" int8 not null,
  "key" bytea not null,
  "modified_timestamp" int8 not null,
  "owner_id" int8 not null,
  "value" bytea not null,
  primary key ("owner_id", "hook_id", "key")
) with (fillfactor = 80)`,
  `create table "hook_storage_change" (
  "consensus_timestamp" int8 not null,
  "deleted" bool not null default false,
  "hook_id" int8 not null,
  "key" bytea not null,
  "owner_id" int8 not null,
  "value_read" bytea not null,
  "value_written" bytea,
  primary key ("owner_id", "hook_id", "key", "consensus_timestamp")
)`,
  `create table "registered_node" (
  "admin_key" bytea,
  "created_timestamp" int8,
  "deleted" bool not null default false,
  "description" text,
  "registered_node_id" int8 not null,
  "service_endpoints" jsonb,
  "timestamp_range" int8range not null,
  "type" int2[],
  primary key ("registered_node_id")
) with (fillfactor = 80)`,
  `create table "registered_node_history" (
  "admin_key" bytea,
  "created_timestamp" int8,
  "deleted" bool not null default false,
  "description" text,
  "registered_node_id" int8 not null,
  "service_endpoints" jsonb,
  "timestamp_range" int8range not null,
  "type" int2[]
)`,
  `create index on "registered_node_history" ("registered_node_id", lower(timestamp_range))`,
  `create table "ledger" (
  "consensus_timestamp" int8 not null,
  "history_proof_verification_key" bytea not null,
  "ledger_id" bytea not null,
  "node_contributions" jsonb not null,
  primary key ("ledger_id")
) with (fillfactor = 80)`,
];
