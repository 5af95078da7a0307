-- The schema as the first version of the program (schema version 1) made it. Frozen: never edited, however the schema changes.
create table ledger_mirror_schema (
  version int4 primary key,
  name text not null,
  installed_at timestamptz not null default now()
);
create type entity_type as enum ('UNKNOWN', 'ACCOUNT', 'CONTRACT', 'FILE', 'TOPIC', 'TOKEN', 'SCHEDULE');
create type token_type as enum ('FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE');
create type token_supply_type as enum ('INFINITE', 'FINITE');
create type token_pause_status as enum ('NOT_APPLICABLE', 'PAUSED', 'UNPAUSED');
create type errata_type as enum ('INSERT', 'DELETE');
create type airdrop_state as enum ('PENDING', 'CLAIMED', 'CANCELLED');
create table "record_file" (
  "bytes" bytea,
  "consensus_end" int8 not null,
  "consensus_start" int8 not null,
  "count" int8 not null,
  "digest_algorithm" int4 not null,
  "file_hash" text not null,
  "gas_used" int8  default -1,
  "hapi_version_major" int4,
  "hapi_version_minor" int4,
  "hapi_version_patch" int4,
  "hash" text not null,
  "index" int8 not null,
  "load_end" int8 not null,
  "load_start" int8 not null,
  "logs_bloom" bytea,
  "name" text not null,
  "prev_hash" text not null,
  "previous_wrapped_record_block_hash" bytea,
  "receipts_root" bytea,
  "round_end" int8,
  "round_start" int8,
  "sidecar_count" int4 not null default 0,
  "size" int4,
  "software_version_major" int4,
  "software_version_minor" int4,
  "software_version_patch" int4,
  "version" int4 not null,
  "wrapped_record_block_hash" bytea,
  primary key ("consensus_end")
);
create index on "record_file" (hash collate "C");
create index on "record_file" (index);
create table "sidecar_file" (
  "bytes" bytea,
  "consensus_end" int8 not null,
  "count" int4,
  "hash" bytea not null,
  "hash_algorithm" int4 not null,
  "id" int4 not null,
  "name" text not null,
  "size" int4,
  "types" int4[] not null,
  primary key ("consensus_end", "id")
);
create table "file_data" (
  "consensus_timestamp" int8 not null,
  "entity_id" int8 not null,
  "file_data" bytea,
  "transaction_type" int2 not null,
  primary key ("consensus_timestamp")
);
create index on "file_data" (entity_id, consensus_timestamp);
create table "entity" (
  "alias" bytea,
  "auto_renew_account_id" int8,
  "auto_renew_period" int8,
  "balance" int8,
  "balance_timestamp" int8,
  "created_timestamp" int8,
  "decline_reward" bool not null default false,
  "delegation_address" bytea,
  "deleted" bool,
  "ethereum_nonce" int8  default 0,
  "evm_address" bytea,
  "expiration_timestamp" int8,
  "id" int8 not null,
  "key" bytea,
  "max_automatic_token_associations" int4,
  "memo" text not null default '',
  "num" int8 not null,
  "obtainer_id" int8,
  "permanent_removal" bool,
  "proxy_account_id" int8,
  "public_key" text,
  "realm" int8 not null,
  "receiver_sig_required" bool,
  "shard" int8 not null,
  "stake_period_start" int8  default -1,
  "staked_account_id" int8,
  "staked_node_id" int8  default -1,
  "timestamp_range" int8range not null,
  "type" entity_type not null default 'UNKNOWN',
  primary key ("id")
) with (fillfactor = 80);
create index on "entity" (alias) where alias is not null;
create index on "entity" (evm_address) where evm_address is not null;
create index on "entity" (public_key, type) where public_key is not null;
create index on "entity" (type, id);
create index on "entity" (staked_account_id) where staked_account_id > 0;
create table "entity_history" (
  "alias" bytea,
  "auto_renew_account_id" int8,
  "auto_renew_period" int8,
  "balance" int8,
  "balance_timestamp" int8,
  "created_timestamp" int8,
  "decline_reward" bool not null default false,
  "delegation_address" bytea,
  "deleted" bool,
  "ethereum_nonce" int8  default 0,
  "evm_address" bytea,
  "expiration_timestamp" int8,
  "id" int8 not null,
  "key" bytea,
  "max_automatic_token_associations" int4,
  "memo" text not null default '',
  "num" int8 not null,
  "obtainer_id" int8,
  "permanent_removal" bool,
  "proxy_account_id" int8,
  "public_key" text,
  "realm" int8 not null,
  "receiver_sig_required" bool,
  "shard" int8 not null,
  "stake_period_start" int8  default -1,
  "staked_account_id" int8,
  "staked_node_id" int8  default -1,
  "timestamp_range" int8range not null,
  "type" entity_type not null default 'UNKNOWN'
);
create index on "entity_history" ("id", lower(timestamp_range));
create index on "entity_history" (alias) where alias is not null;
create index on "entity_history" (evm_address) where evm_address is not null;
create table "entity_stake" (
  "end_stake_period" int8 not null,
  "id" int8 not null,
  "pending_reward" int8 not null,
  "staked_node_id_start" int8 not null,
  "staked_to_me" int8 not null,
  "stake_total_start" int8 not null,
  "timestamp_range" int8range not null,
  primary key ("id")
) with (fillfactor = 80);
create table "entity_stake_history" (
  "end_stake_period" int8 not null,
  "id" int8 not null,
  "pending_reward" int8 not null,
  "staked_node_id_start" int8 not null,
  "staked_to_me" int8 not null,
  "stake_total_start" int8 not null,
  "timestamp_range" int8range not null
);
create index on "entity_stake_history" ("id", lower(timestamp_range));
create table "schedule" (
  "consensus_timestamp" int8 not null,
  "creator_account_id" int8 not null,
  "executed_timestamp" int8,
  "expiration_time" int8,
  "payer_account_id" int8 not null,
  "schedule_id" int8 not null,
  "transaction_body" bytea not null,
  "wait_for_expiry" bool not null default false,
  primary key ("schedule_id")
) with (fillfactor = 80);
create index on "schedule" (creator_account_id desc, schedule_id);
create table "account_balance" (
  "account_id" int8 not null,
  "balance" int8 not null,
  "consensus_timestamp" int8 not null,
  primary key ("account_id", "consensus_timestamp")
) partition by range ("consensus_timestamp");
create table "account_balance_file" (
  "bytes" bytea,
  "consensus_timestamp" int8 not null,
  "count" int8 not null,
  "file_hash" text,
  "load_end" int8,
  "load_start" int8,
  "name" text not null,
  "node_id" int8,
  "synthetic" bool not null default false,
  "time_offset" int4 not null default 0,
  primary key ("consensus_timestamp")
);
create table "token_balance" (
  "account_id" int8 not null,
  "balance" int8 not null,
  "consensus_timestamp" int8 not null,
  "token_id" int8 not null,
  primary key ("account_id", "token_id", "consensus_timestamp")
) partition by range ("consensus_timestamp");
create index on "token_balance" (token_id, account_id, consensus_timestamp);
create table "crypto_allowance" (
  "amount" int8 not null default 0,
  "amount_granted" int8,
  "owner" int8 not null,
  "payer_account_id" int8 not null,
  "spender" int8 not null,
  "timestamp_range" int8range not null,
  primary key ("owner", "spender")
) with (fillfactor = 80);
create index on "crypto_allowance" (spender);
create table "crypto_allowance_history" (
  "amount" int8 not null default 0,
  "amount_granted" int8,
  "owner" int8 not null,
  "payer_account_id" int8 not null,
  "spender" int8 not null,
  "timestamp_range" int8range not null
);
create index on "crypto_allowance_history" ("owner", "spender", lower(timestamp_range));
create table "token_allowance" (
  "amount" int8 not null default 0,
  "amount_granted" int8,
  "owner" int8 not null,
  "payer_account_id" int8 not null,
  "spender" int8 not null,
  "timestamp_range" int8range not null,
  "token_id" int8 not null,
  primary key ("owner", "spender", "token_id")
) with (fillfactor = 80);
create index on "token_allowance" (spender);
create table "token_allowance_history" (
  "amount" int8 not null default 0,
  "amount_granted" int8,
  "owner" int8 not null,
  "payer_account_id" int8 not null,
  "spender" int8 not null,
  "timestamp_range" int8range not null,
  "token_id" int8 not null
);
create index on "token_allowance_history" ("owner", "spender", "token_id", lower(timestamp_range));
create table "nft_allowance" (
  "approved_for_all" bool not null,
  "owner" int8 not null,
  "payer_account_id" int8 not null,
  "spender" int8 not null,
  "timestamp_range" int8range not null,
  "token_id" int8 not null,
  primary key ("owner", "spender", "token_id")
) with (fillfactor = 80);
create index on "nft_allowance" (spender);
create table "nft_allowance_history" (
  "approved_for_all" bool not null,
  "owner" int8 not null,
  "payer_account_id" int8 not null,
  "spender" int8 not null,
  "timestamp_range" int8range not null,
  "token_id" int8 not null
);
create index on "nft_allowance_history" ("owner", "spender", "token_id", lower(timestamp_range));
create table "token" (
  "created_timestamp" int8 not null,
  "decimals" int8 not null,
  "fee_schedule_key" bytea,
  "freeze_default" bool not null default false,
  "freeze_key" bytea,
  "freeze_status" int2 not null,
  "initial_supply" int8 not null,
  "kyc_key" bytea,
  "kyc_status" int2 not null,
  "max_supply" int8 not null default 9223372036854775807,
  "metadata" bytea,
  "metadata_key" bytea,
  "name" text not null,
  "pause_key" bytea,
  "pause_status" token_pause_status not null default 'NOT_APPLICABLE',
  "supply_key" bytea,
  "supply_type" token_supply_type not null default 'INFINITE',
  "symbol" text not null,
  "timestamp_range" int8range not null,
  "token_id" int8 not null,
  "total_supply" int8 not null default 0,
  "treasury_account_id" int8 not null,
  "type" token_type not null default 'FUNGIBLE_COMMON',
  "wipe_key" bytea,
  primary key ("token_id")
) with (fillfactor = 80);
create table "token_history" (
  "created_timestamp" int8 not null,
  "decimals" int8 not null,
  "fee_schedule_key" bytea,
  "freeze_default" bool not null default false,
  "freeze_key" bytea,
  "freeze_status" int2 not null,
  "initial_supply" int8 not null,
  "kyc_key" bytea,
  "kyc_status" int2 not null,
  "max_supply" int8 not null default 9223372036854775807,
  "metadata" bytea,
  "metadata_key" bytea,
  "name" text not null,
  "pause_key" bytea,
  "pause_status" token_pause_status not null default 'NOT_APPLICABLE',
  "supply_key" bytea,
  "supply_type" token_supply_type not null default 'INFINITE',
  "symbol" text not null,
  "timestamp_range" int8range not null,
  "token_id" int8 not null,
  "total_supply" int8 not null default 0,
  "treasury_account_id" int8 not null,
  "type" token_type not null default 'FUNGIBLE_COMMON',
  "wipe_key" bytea
);
create index on "token_history" ("token_id", lower(timestamp_range));
create table "custom_fee" (
  "entity_id" int8 not null,
  "fixed_fees" jsonb,
  "fractional_fees" jsonb,
  "royalty_fees" jsonb,
  "timestamp_range" int8range not null,
  primary key ("entity_id")
) with (fillfactor = 80);
create table "custom_fee_history" (
  "entity_id" int8 not null,
  "fixed_fees" jsonb,
  "fractional_fees" jsonb,
  "royalty_fees" jsonb,
  "timestamp_range" int8range not null
);
create index on "custom_fee_history" ("entity_id", lower(timestamp_range));
create table "token_account" (
  "account_id" int8 not null,
  "associated" bool not null default false,
  "automatic_association" bool,
  "balance" int8 not null default 0,
  "balance_timestamp" int8,
  "created_timestamp" int8,
  "freeze_status" int2,
  "kyc_status" int2,
  "timestamp_range" int8range not null,
  "token_id" int8 not null,
  primary key ("account_id", "token_id")
) with (fillfactor = 80);
create index on "token_account" (token_id, account_id);
create table "token_account_history" (
  "account_id" int8 not null,
  "associated" bool not null default false,
  "automatic_association" bool,
  "balance" int8 not null default 0,
  "balance_timestamp" int8,
  "created_timestamp" int8,
  "freeze_status" int2,
  "kyc_status" int2,
  "timestamp_range" int8range not null,
  "token_id" int8 not null
);
create index on "token_account_history" ("account_id", "token_id", lower(timestamp_range));
create table "nft" (
  "account_id" int8,
  "created_timestamp" int8,
  "delegating_spender" int8,
  "deleted" bool  default false,
  "metadata" bytea,
  "serial_number" int8 not null,
  "spender" int8,
  "timestamp_range" int8range not null,
  "token_id" int8 not null,
  primary key ("token_id", "serial_number")
) with (fillfactor = 80);
create index on "nft" (account_id, token_id, serial_number);
create table "nft_history" (
  "account_id" int8,
  "created_timestamp" int8,
  "delegating_spender" int8,
  "deleted" bool  default false,
  "metadata" bytea,
  "serial_number" int8 not null,
  "spender" int8,
  "timestamp_range" int8range not null,
  "token_id" int8 not null
);
create index on "nft_history" ("token_id", "serial_number", lower(timestamp_range));
create table "token_airdrop" (
  "amount" int8,
  "receiver_account_id" int8 not null,
  "sender_account_id" int8 not null,
  "serial_number" int8 not null,
  "state" airdrop_state not null,
  "timestamp_range" int8range not null,
  "token_id" int8 not null,
  primary key ("sender_account_id", "receiver_account_id", "token_id", "serial_number")
) with (fillfactor = 80);
create index on "token_airdrop" (receiver_account_id, sender_account_id, token_id, serial_number);
create table "token_airdrop_history" (
  "amount" int8,
  "receiver_account_id" int8 not null,
  "sender_account_id" int8 not null,
  "serial_number" int8 not null,
  "state" airdrop_state not null,
  "timestamp_range" int8range not null,
  "token_id" int8 not null
);
create index on "token_airdrop_history" ("sender_account_id", "receiver_account_id", "token_id", "serial_number", lower(timestamp_range));
create table "transaction" (
  "batch_key" bytea,
  "charged_tx_fee" int8,
  "congestion_pricing_multiplier" int8,
  "consensus_timestamp" int8 not null,
  "entity_id" int8,
  "errata" errata_type,
  "high_volume" bool not null default false,
  "high_volume_pricing_multiplier" int8,
  "index" int4,
  "initial_balance" int8  default 0,
  "inner_transactions" int8[],
  "itemized_transfer" jsonb,
  "max_custom_fees" bytea[],
  "max_fee" int8,
  "memo" bytea,
  "nft_transfer" jsonb,
  "node_account_id" int8,
  "nonce" int4 not null default 0,
  "parent_consensus_timestamp" int8,
  "payer_account_id" int8 not null,
  "result" int2 not null,
  "scheduled" bool not null default false,
  "transaction_bytes" bytea,
  "transaction_hash" bytea,
  "transaction_record_bytes" bytea,
  "type" int2 not null,
  "valid_duration_seconds" int8,
  "valid_start_ns" int8 not null,
  primary key ("consensus_timestamp")
) partition by range ("consensus_timestamp");
create index on "transaction" (payer_account_id, consensus_timestamp);
create index on "transaction" (valid_start_ns, payer_account_id);
create index on "transaction" (type, consensus_timestamp);
create table "transaction_hash" (
  "consensus_timestamp" int8 not null,
  "hash" bytea not null,
  "hash_suffix" bytea,
  "payer_account_id" int8
) partition by range ("consensus_timestamp");
create index on "transaction_hash" (hash);
create table "transaction_signature" (
  "consensus_timestamp" int8 not null,
  "entity_id" int8,
  "public_key_prefix" bytea not null,
  "signature" bytea not null,
  "type" int2
);
create index on "transaction_signature" (entity_id desc, consensus_timestamp desc);
create table "crypto_transfer" (
  "amount" int8 not null,
  "consensus_timestamp" int8 not null,
  "entity_id" int8 not null,
  "errata" errata_type,
  "is_approval" bool,
  "payer_account_id" int8 not null
) partition by range ("consensus_timestamp");
create index on "crypto_transfer" (consensus_timestamp);
create index on "crypto_transfer" (entity_id, consensus_timestamp) where entity_id <> 98;
create table "token_transfer" (
  "account_id" int8 not null,
  "amount" int8 not null,
  "consensus_timestamp" int8 not null,
  "is_approval" bool,
  "payer_account_id" int8 not null,
  "token_id" int8 not null
) partition by range ("consensus_timestamp");
create index on "token_transfer" (account_id, consensus_timestamp desc);
create index on "token_transfer" (consensus_timestamp desc, token_id desc, account_id desc);
create table "staking_reward_transfer" (
  "account_id" int8 not null,
  "amount" int8 not null,
  "consensus_timestamp" int8 not null,
  "payer_account_id" int8 not null,
  primary key ("consensus_timestamp", "account_id")
) partition by range ("consensus_timestamp");
create index on "staking_reward_transfer" (account_id, consensus_timestamp);
create table "entity_transaction" (
  "consensus_timestamp" int8 not null,
  "entity_id" int8 not null,
  "payer_account_id" int8 not null,
  "result" int2 not null,
  "type" int2 not null,
  primary key ("entity_id", "consensus_timestamp")
) partition by range ("consensus_timestamp");
create table "assessed_custom_fee" (
  "amount" int8 not null,
  "collector_account_id" int8 not null,
  "consensus_timestamp" int8 not null,
  "effective_payer_account_ids" int8[],
  "payer_account_id" int8 not null,
  "token_id" int8
) partition by range ("consensus_timestamp");
create index on "assessed_custom_fee" (consensus_timestamp);
create table "contract" (
  "file_id" int8,
  "id" int8 not null,
  "initcode" bytea,
  "runtime_bytecode" bytea,
  primary key ("id")
) with (fillfactor = 80);
create table "contract_result" (
  "amount" int8,
  "bloom" bytea,
  "call_result" bytea,
  "consensus_timestamp" int8 not null,
  "contract_id" int8 not null,
  "created_contract_ids" int8[],
  "error_message" text,
  "failed_initcode" bytea,
  "function_parameters" bytea not null,
  "function_result" bytea,
  "gas_consumed" int8,
  "gas_limit" int8 not null,
  "gas_used" int8,
  "payer_account_id" int8 not null,
  "sender_id" int8,
  "transaction_hash" bytea,
  "transaction_index" int4,
  "transaction_nonce" int4 not null default 0,
  "transaction_result" int2 not null,
  primary key ("consensus_timestamp")
) partition by range ("consensus_timestamp");
create index on "contract_result" (contract_id, sender_id, consensus_timestamp);
create index on "contract_result" (contract_id, consensus_timestamp);
create index on "contract_result" (sender_id, consensus_timestamp);
create table "contract_log" (
  "bloom" bytea not null,
  "consensus_timestamp" int8 not null,
  "contract_id" int8 not null,
  "data" bytea not null,
  "index" int4 not null,
  "payer_account_id" int8 not null,
  "root_contract_id" int8,
  "synthetic" bool,
  "topic0" bytea,
  "topic1" bytea,
  "topic2" bytea,
  "topic3" bytea,
  "transaction_hash" bytea,
  "transaction_index" int4,
  primary key ("consensus_timestamp", "index")
) partition by range ("consensus_timestamp");
create index on "contract_log" (contract_id, consensus_timestamp desc, index);
create index on "contract_log" (consensus_timestamp desc, index desc) where synthetic is true;
create table "contract_action" (
  "call_depth" int4 not null,
  "call_operation_type" int4,
  "call_type" int4,
  "caller" int8,
  "caller_type" entity_type  default 'CONTRACT',
  "consensus_timestamp" int8 not null,
  "gas" int8 not null,
  "gas_used" int8 not null,
  "index" int4 not null,
  "input" bytea,
  "payer_account_id" int8 not null,
  "recipient_account" int8,
  "recipient_address" bytea,
  "recipient_contract" int8,
  "result_data" bytea,
  "result_data_type" int4 not null,
  "value" int8 not null,
  primary key ("consensus_timestamp", "index")
) partition by range ("consensus_timestamp");
create table "contract_state_change" (
  "consensus_timestamp" int8 not null,
  "contract_id" int8 not null,
  "migration" bool not null default false,
  "payer_account_id" int8 not null,
  "slot" bytea not null,
  "value_read" bytea not null,
  "value_written" bytea,
  primary key ("consensus_timestamp", "contract_id", "slot")
) partition by range ("consensus_timestamp");
create index on "contract_state_change" (contract_id, consensus_timestamp);
create table "contract_state" (
  "contract_id" int8 not null,
  "created_timestamp" int8 not null,
  "modified_timestamp" int8 not null,
  "slot" bytea not null,
  "value" bytea,
  primary key ("contract_id", "slot")
) with (fillfactor = 80);
create table "contract_transaction" (
  "consensus_timestamp" int8 not null,
  "contract_ids" int8[] not null,
  "entity_id" int8 not null,
  "payer_account_id" int8 not null,
  primary key ("consensus_timestamp", "entity_id")
) partition by range ("consensus_timestamp");
create table "contract_transaction_hash" (
  "consensus_timestamp" int8 not null,
  "entity_id" int8 not null,
  "hash" bytea not null,
  "payer_account_id" int8 not null,
  "transaction_result" int2 not null
) partition by range ("consensus_timestamp");
create index on "contract_transaction_hash" (hash);
create table "ethereum_transaction" (
  "access_list" jsonb,
  "authorization_list" jsonb,
  "call_data" bytea,
  "call_data_id" int8,
  "chain_id" bytea,
  "consensus_timestamp" int8 not null,
  "data" bytea not null,
  "gas_limit" int8 not null,
  "gas_price" bytea,
  "hash" bytea not null,
  "max_fee_per_gas" bytea,
  "max_gas_allowance" int8 not null,
  "max_priority_fee_per_gas" bytea,
  "nonce" int8 not null,
  "payer_account_id" int8 not null,
  "recovery_id" int2,
  "signature_r" bytea not null,
  "signature_s" bytea not null,
  "signature_v" bytea,
  "to_address" bytea,
  "type" int2 not null,
  "value" bytea,
  primary key ("consensus_timestamp")
) partition by range ("consensus_timestamp");
create table "topic" (
  "admin_key" bytea,
  "created_timestamp" int8,
  "fee_exempt_key_list" bytea,
  "fee_schedule_key" bytea,
  "id" int8 not null,
  "submit_key" bytea,
  "timestamp_range" int8range not null,
  primary key ("id")
) with (fillfactor = 80);
create table "topic_history" (
  "admin_key" bytea,
  "created_timestamp" int8,
  "fee_exempt_key_list" bytea,
  "fee_schedule_key" bytea,
  "id" int8 not null,
  "submit_key" bytea,
  "timestamp_range" int8range not null
);
create index on "topic_history" ("id", lower(timestamp_range));
create table "topic_message" (
  "chunk_num" int4,
  "chunk_total" int4,
  "consensus_timestamp" int8 not null,
  "initial_transaction_id" bytea,
  "message" bytea not null,
  "payer_account_id" int8,
  "running_hash" bytea,
  "running_hash_version" int2,
  "sequence_number" int8 not null,
  "topic_id" int8 not null,
  "valid_start_timestamp" int8,
  primary key ("consensus_timestamp")
) partition by range ("consensus_timestamp");
create index on "topic_message" (topic_id, consensus_timestamp);
create index on "topic_message" (topic_id, sequence_number);
create table "address_book" (
  "end_consensus_timestamp" int8,
  "file_data" bytea not null,
  "file_id" int8 not null,
  "node_count" int4,
  "start_consensus_timestamp" int8 not null,
  primary key ("start_consensus_timestamp")
) with (fillfactor = 80);
create table "address_book_entry" (
  "consensus_timestamp" int8 not null,
  "description" text,
  "memo" text,
  "node_account_id" int8 not null,
  "node_cert_hash" bytea,
  "node_id" int8 not null,
  "public_key" text,
  "stake" int8,
  primary key ("consensus_timestamp", "node_id")
);
create table "address_book_service_endpoint" (
  "consensus_timestamp" int8 not null,
  "domain_name" text not null default '',
  "ip_address_v4" text not null default '',
  "node_id" int8 not null,
  "port" int4 not null default -1
);
create index on "address_book_service_endpoint" (consensus_timestamp, node_id);
create table "node" (
  "account_id" int8,
  "admin_key" bytea,
  "associated_registered_nodes" int8[],
  "created_timestamp" int8,
  "decline_reward" bool not null default false,
  "deleted" bool not null default false,
  "grpc_proxy_endpoint" jsonb,
  "node_id" int8 not null,
  "timestamp_range" int8range not null,
  primary key ("node_id")
) with (fillfactor = 80);
create table "node_history" (
  "account_id" int8,
  "admin_key" bytea,
  "associated_registered_nodes" int8[],
  "created_timestamp" int8,
  "decline_reward" bool not null default false,
  "deleted" bool not null default false,
  "grpc_proxy_endpoint" jsonb,
  "node_id" int8 not null,
  "timestamp_range" int8range not null
);
create index on "node_history" ("node_id", lower(timestamp_range));
create table "node_stake" (
  "consensus_timestamp" int8 not null,
  "epoch_day" int8 not null,
  "max_stake" int8 not null,
  "min_stake" int8 not null,
  "node_id" int8 not null,
  "reward_rate" int8 not null,
  "stake" int8 not null,
  "stake_not_rewarded" int8 not null,
  "stake_rewarded" int8 not null,
  "staking_period" int8 not null,
  primary key ("consensus_timestamp", "node_id")
);
create index on "node_stake" (epoch_day);
create table "network_stake" (
  "consensus_timestamp" int8 not null,
  "epoch_day" int8 not null,
  "max_stake_rewarded" int8 not null default 0,
  "max_staking_reward_rate_per_hbar" int8 not null,
  "max_total_reward" int8 not null default 0,
  "node_reward_fee_denominator" int8 not null,
  "node_reward_fee_numerator" int8 not null,
  "reserved_staking_rewards" int8 not null default 0,
  "reward_balance_threshold" int8 not null default 0,
  "stake_total" int8 not null,
  "staking_period" int8 not null,
  "staking_period_duration" int8 not null,
  "staking_periods_stored" int8 not null,
  "staking_reward_fee_denominator" int8 not null,
  "staking_reward_fee_numerator" int8 not null,
  "staking_reward_rate" int8 not null,
  "staking_start_threshold" int8 not null,
  "unreserved_staking_reward_balance" int8 not null default 0,
  primary key ("consensus_timestamp")
);
create index on "network_stake" (epoch_day);
create table "network_freeze" (
  "consensus_timestamp" int8 not null,
  "end_time" int8,
  "file_hash" bytea not null default '',
  "file_id" int8,
  "payer_account_id" int8 not null,
  "start_time" int8 not null,
  "type" int2 not null,
  primary key ("consensus_timestamp")
);
create table "prng" (
  "consensus_timestamp" int8 not null,
  "payer_account_id" int8 not null,
  "prng_bytes" bytea,
  "prng_number" int4,
  "range" int4 not null,
  primary key ("consensus_timestamp")
);
insert into ledger_mirror_schema (version, name) values (1, 'baseline');
