// A small ledger made by SQL alone, with the skew that breaks plans: one account pays for half of all transactions, one
// caller has most contract results, one creator most schedules, blocks spread over several partitions.
import pg from 'pg';
import { accountStatements } from './fill-accounts.ts';

export const hotAccount = 1001n;
export const quietAccount = 9001n;
export const hotTopic = 110_000n;
/** Of the largest storage. */
export const hotContract = 1500n;

/** ns; one transaction each second from here. */
export const firstTimestamp = 1_700_000_000_000_000_000n;
const usualCount = 40_000;
/** Of a ledger of the usual size. */
export const lastTimestamp = lastTimestampOf(usualCount);

export function lastTimestampOf(transactionCount: number): bigint {
  return firstTimestamp + BigInt(transactionCount) * 1_000_000_000n;
}

export async function fillLedger(connectionString: string, transactionCount = usualCount): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: split } = await client.query(`select c.relname as name from pg_class c
      where c.relkind = 'p' and c.relnamespace = current_schema()::regnamespace`);
    const step = BigInt(transactionCount / 4) * 1_000_000_000n;
    for (const { name } of split) {
      for (let i = 0n; i < 4n; i++) {
        const [from, to] = [firstTimestamp + i * step, firstTimestamp + (i + 1n) * step];
        await client.query(`create table ${name}_p${i} partition of ${name} for values from (${from}) to (${to})`);
      }
    }
    for (const statement of statementsOf(transactionCount)) await client.query(statement);
    for (const statement of accountStatements({ hotAccount, firstTimestamp })) await client.query(statement);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

const at = (expression: string) => `${firstTimestamp} + (${expression})::int8 * 1000000000`;
const series = (count: number) => `generate_series(0, ${count - 1}) i`;
const bytes = (expression: string, length: number) =>
  `substring(decode(md5((${expression})::text), 'hex') || decode(md5((${expression})::text || 'b'), 'hex') for ${length})`;

// Half of the transactions are paid by the hot account, the others by 9,000 accounts in turn.
const payer = `case when i % 2 = 0 then ${hotAccount} else 1100 + i % 9000 end`;
const type = 'case when i % 1000 = 1 then 40 else 14 end';
const result = 'case when i % 20 in (7, 10) then 10 else 22 end';

const statementsOf = (transactionCount: number) => [
  `insert into entity (id, num, realm, shard, type, memo, timestamp_range, balance, balance_timestamp, created_timestamp,
     evm_address, alias, deleted, key, staked_node_id)
   select 1000 + i, 1000 + i, 0, 0, (case when i % 10 = 0 then 'CONTRACT' else 'ACCOUNT' end)::entity_type, 'memo ' || i,
     int8range(${firstTimestamp}, null), i, ${firstTimestamp}, ${firstTimestamp}, ${bytes('i', 20)}, ${bytes('-i', 35)}, false,
     ${bytes('i', 34)}, i % 3 - 1
   from ${series(12_000)}`,
  `insert into entity_history (id, num, realm, shard, type, memo, timestamp_range, evm_address)
   select 1000 + i % 12000, 1000 + i % 12000, 0, 0, (case when i % 10 = 0 then 'CONTRACT' else 'ACCOUNT' end)::entity_type, '',
     int8range(i * 1000 + 1, i * 1000 + 1001), ${bytes('i % 12000', 20)}
   from ${series(24_000)}`,
  `insert into entity (id, num, realm, shard, type, memo, timestamp_range, created_timestamp)
   select 100000 + i, 100000 + i, 0, 0, (case when i < 3000 then 'TOKEN' else 'SCHEDULE' end)::entity_type, '',
     int8range(${firstTimestamp}, null), ${firstTimestamp}
   from ${series(8_000)}`,
  `insert into entity_stake (id, end_stake_period, pending_reward, staked_node_id_start, staked_to_me, stake_total_start,
     timestamp_range)
   select 1000 + i, 20, 7, 0, 0, 0, int8range(${firstTimestamp}, null) from ${series(5_000)}`,
  `insert into entity_stake_history select id, end_stake_period, pending_reward, staked_node_id_start, staked_to_me,
     stake_total_start, int8range(lower(timestamp_range) - k * 1000, lower(timestamp_range) - k * 1000 + 1000) from (
     select id, end_stake_period, pending_reward, staked_node_id_start, staked_to_me, stake_total_start, timestamp_range, k
     from entity_stake, generate_series(1, 3) k) s`,
  `insert into token (token_id, created_timestamp, decimals, freeze_status, initial_supply, kyc_status, name, symbol,
     timestamp_range, treasury_account_id)
   select 100000 + i, ${firstTimestamp}, 2, 0, 1000, 0, 'token', 'T', int8range(${firstTimestamp}, null), 1001
   from ${series(3_000)}`,
  `insert into token_history (token_id, created_timestamp, decimals, freeze_status, initial_supply, kyc_status, name, symbol,
     timestamp_range, treasury_account_id)
   select 100000 + i % 3000, ${firstTimestamp}, 2, 0, 1000, 0, 'token', 'T', int8range(i + 1, i + 2), 1001
   from ${series(9_000)}`,
  `insert into token_total (token_id, transfers, holders, last_timestamp, counted_timestamp)
   select 100000 + i, i % 700, case when i % 50 > 0 then i % 300 end, ${firstTimestamp}, ${firstTimestamp} from ${series(3_000)}`,
  `insert into contract_token (contract_id, standard, name, symbol, transfers, first_timestamp, last_timestamp, asked_timestamp)
   select 300000 + i, (array['ERC-20', 'ERC-721', 'ERC-1155', null])[1 + i % 4], 'token ' || i, 'T', i % 900, ${firstTimestamp},
     ${firstTimestamp}, ${firstTimestamp} from ${series(8_000)}`,
  `insert into custom_fee (entity_id, fixed_fees, timestamp_range)
   select 100000 + i, '[{"amount": 1, "collector_account_id": 1001}]', int8range(${firstTimestamp}, null) from ${series(3_000)}`,
  `insert into custom_fee_history (entity_id, timestamp_range)
   select 100000 + i % 3000, int8range(i + 1, i + 2) from ${series(9_000)}`,
  `insert into token_account (account_id, token_id, associated, balance, timestamp_range)
   select case when i < 2000 then ${hotAccount} else 1100 + i % 4000 end, 100000 + i % 3000, true, i, int8range(${firstTimestamp}, null)
   from ${series(12_000)} on conflict do nothing`,
  `insert into account_balance (account_id, consensus_timestamp, balance)
   select case when a = 0 then 2 else 1000 + a end, ${at('s * 1000')}, a from generate_series(0, 999) a, generate_series(0, 39) s`,
  `insert into token_balance (account_id, token_id, consensus_timestamp, balance)
   select 1000 + a, 100000 + a % 3000, ${at('s * 1000')}, a from generate_series(1, 999) a, generate_series(0, 19) s`,
  `insert into transaction (consensus_timestamp, payer_account_id, nonce, type, result, valid_start_ns, entity_id, node_account_id)
   select ${at('i')}, ${payer}, 0, ${type}, ${result}, ${at('i')} - 1, 1000 + i % 9000, 3
   from ${series(transactionCount)}`,
  `insert into crypto_transfer (consensus_timestamp, payer_account_id, entity_id, amount, is_approval)
   select ${at('i')}, ${payer}, e.id, e.amount, false from ${series(transactionCount)},
     lateral (values (${payer}, -3), (3, 1), (98, 1), (1200 + i % 7000, 1)) e (id, amount)`,
  `insert into token_transfer (consensus_timestamp, payer_account_id, token_id, account_id, amount, is_approval)
   select ${at('i')}, ${payer}, 100000 + i % 3000, e.id, e.amount, false from ${series(transactionCount)},
     lateral (values (${hotAccount}, -3), (1200 + i % 7000, 3)) e (id, amount) where i % 4 = 0`,
  `insert into entity_transaction (entity_id, consensus_timestamp, payer_account_id, result, type)
   select 1000 + i % 9000, ${at('i')}, ${payer}, ${result}, ${type} from ${series(transactionCount)}`,
  `insert into record_file (consensus_start, consensus_end, count, digest_algorithm, file_hash, hash, index, load_start,
     load_end, name, prev_hash, version, gas_used)
   select ${at('i * 4')}, ${at('i * 4 + 3')}, 4, 0, md5('f' || i) || md5('f') || md5('f'), md5(i::text) || md5('h' || i) || md5('x' || i), i, 0, 0,
     'block ' || i, md5('p'), 6, i from ${series(transactionCount / 4)}`,
  `insert into contract (id, file_id, runtime_bytecode)
   select 1000 + i * 10, 200000 + i % 200, ${bytes('i', 32)} from ${series(1_200)}`,
  `insert into file_data (entity_id, consensus_timestamp, transaction_type, file_data)
   select 200000 + i % 200, ${firstTimestamp} - 10000 + i, case when i < 200 then 17 else 16 end, 'abcd'::bytea from ${series(5_000)}`,
  // The system files, written four times a day for years.
  `insert into file_data (entity_id, consensus_timestamp, transaction_type, file_data)
   select 111 + i % 3, ${firstTimestamp} - (6000 - i) * 21600000000000, 19, 'a'::bytea from ${series(6_000)}`,
  `insert into address_book (start_consensus_timestamp, file_id, file_data)
   select ${firstTimestamp} + i, 101 + i % 2, ''::bytea from ${series(400)}`,
  `insert into address_book_entry (consensus_timestamp, node_id, node_account_id)
   select ${firstTimestamp} + i, n, n + 3 from ${series(400)}, generate_series(0, 29) n`,
  `insert into address_book_service_endpoint (consensus_timestamp, node_id, ip_address_v4, port)
   select ${firstTimestamp} + i, n, '10.0.0.' || n, 50211 from ${series(400)}, generate_series(0, 29) n`,
  `insert into node (node_id, timestamp_range) select i, '[1,)' from ${series(3_000)}`,
  `insert into node_stake (consensus_timestamp, epoch_day, max_stake, min_stake, node_id, reward_rate, stake,
     stake_not_rewarded, stake_rewarded, staking_period)
   select ${firstTimestamp} + i, i, 1, 1, n, 1, 1, 1, 1, 1 from ${series(1_500)}, generate_series(0, 29) n`,
  `insert into network_stake (consensus_timestamp, epoch_day, max_staking_reward_rate_per_hbar,
     node_reward_fee_denominator, node_reward_fee_numerator, stake_total, staking_period, staking_period_duration,
     staking_periods_stored, staking_reward_fee_denominator, staking_reward_fee_numerator, staking_reward_rate,
     staking_start_threshold)
   select ${firstTimestamp} + i, i, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 from ${series(1_500)}`,
  `insert into contract_result (consensus_timestamp, contract_id, sender_id, payer_account_id, function_parameters, gas_limit,
     gas_used, transaction_nonce, transaction_result, transaction_index, transaction_hash, created_contract_ids, amount)
   select ${at('i * 2')}, 1000 + (i % 1200) * 10, case when i % 5 > 0 then ${hotAccount} else 1100 + i % 3000 end, ${hotAccount},
     ''::bytea, 1000, 10, i % 2, case when i % 100 = 0 then 312 else 22 end, i % 4, ${bytes('i', 32)}, '{}', 5
   from ${series(transactionCount / 2)}`,
  `insert into ethereum_transaction (consensus_timestamp, payer_account_id, data, gas_limit, hash, max_gas_allowance, nonce,
     signature_r, signature_s, type)
   select ${at('i * 4')}, ${hotAccount}, ''::bytea, 1000, ${bytes('i', 32)}, 0, i, ${bytes('i', 32)}, ${bytes('i', 32)}, 2
   from ${series(transactionCount / 4)}`,
  `insert into contract_log (consensus_timestamp, index, contract_id, payer_account_id, bloom, data, synthetic, transaction_hash,
     transaction_index)
   select ${at('i * 4 + 1')}, k, 1000 + (i % 1200) * 10, ${hotAccount}, ''::bytea, ''::bytea, case when i % 5 = 0 then true end,
     ${bytes('i', 32)}, 1
   from ${series(transactionCount / 4)}, generate_series(0, 1) k`,
  `insert into contract_transaction_hash (consensus_timestamp, entity_id, hash, payer_account_id, transaction_result)
   select consensus_timestamp, contract_id, transaction_hash, payer_account_id, transaction_result from contract_result`,
  `insert into contract_transaction (consensus_timestamp, contract_ids, entity_id, payer_account_id)
   select consensus_timestamp, array[contract_id, payer_account_id], entity, payer_account_id
   from contract_result, unnest(array[contract_id, payer_account_id]) entity`,
  `insert into contract_action (consensus_timestamp, index, call_depth, caller, gas, gas_used, payer_account_id, result_data_type, value)
   select ${at('i * 4')}, k, k, ${hotAccount}, 10, 5, ${hotAccount}, 11, 0 from ${series(transactionCount / 4)}, generate_series(0, 2) k`,
  `insert into contract_state (contract_id, slot, value, created_timestamp, modified_timestamp)
   select 1000 + (i % 1200) * 10, ${bytes('i', 32)}, ${bytes('i', 3)}, ${firstTimestamp}, ${at('i')} from ${series(20_000)}`,
  `insert into contract_state (contract_id, slot, value, created_timestamp, modified_timestamp)
   select ${hotContract}, ${bytes('-i', 32)}, ${bytes('i', 3)}, ${firstTimestamp}, ${at('i')} from ${series(10_000)}`,
  `insert into contract_state_change (consensus_timestamp, contract_id, payer_account_id, slot, value_read, value_written)
   select ${at('i * 2')}, 1000 + (i % 1200) * 10, ${hotAccount}, ${bytes('i % 7000', 32)}, '', ${bytes('i', 3)}
   from ${series(transactionCount / 2)}`,
  `insert into transaction_hash (consensus_timestamp, hash, hash_suffix, payer_account_id)
   select ${at('i')}, ${bytes('i', 32)}, ${bytes('i', 16)}, ${payer} from ${series(transactionCount)}`,
  `insert into schedule (schedule_id, consensus_timestamp, creator_account_id, payer_account_id, transaction_body)
   select 103000 + i, ${at('i')}, case when i % 3 > 0 then ${hotAccount} else 1100 + i % 1000 end, ${hotAccount}, 'body'::bytea
   from ${series(5_000)}`,
  `insert into transaction_signature (consensus_timestamp, entity_id, public_key_prefix, signature, type)
   select ${at('i')} + k, 103000 + i, ${bytes('i', 5)}, ${bytes('i', 32)}, 3 from ${series(5_000)}, generate_series(0, 1) k`,
  `insert into hook (owner_id, hook_id, contract_id, created_timestamp, timestamp_range)
   select case when i < 2000 then ${hotAccount} else 1100 + i end, i, 1000, ${firstTimestamp}, int8range(${firstTimestamp}, null)
   from ${series(5_000)}`,
  `insert into hook_storage (owner_id, hook_id, key, created_timestamp, modified_timestamp, value, deleted)
   select ${hotAccount}, 1 + i % 2, decode(lpad(to_hex(i), 64, '0'), 'hex'), ${at('i')}, ${at('i')}, 'v'::bytea, i % 7 = 0
   from ${series(5_000)}`,
  `insert into hook_storage_change (owner_id, hook_id, key, consensus_timestamp, value_read, value_written)
   select ${hotAccount}, 1 + i % 2, decode(lpad(to_hex(i), 64, '0'), 'hex'), ${at('i * 4')} + k, 'r'::bytea, 'v'::bytea
   from ${series(5_000)}, generate_series(0, 2) k`,
  `insert into registered_node (registered_node_id, timestamp_range, type, service_endpoints)
   select i, int8range(${firstTimestamp}, null), array[1 + i % 4]::int2[], '[]' from ${series(5_000)}`,
  `insert into assessed_custom_fee (consensus_timestamp, amount, collector_account_id, effective_payer_account_ids, payer_account_id)
   select ${at('i * 4')}, 5, ${hotAccount}, '{1100}', ${hotAccount} from ${series(transactionCount / 4)}`,
  // Most messages are of one topic.
  `insert into topic_message (consensus_timestamp, topic_id, sequence_number, message, running_hash, payer_account_id)
   select ${at('i * 4 + 2')}, case when i % 3 > 0 then ${hotTopic} else ${hotTopic} + 1 + i % 50 end, i + 1, 'text'::bytea, ''::bytea, ${hotAccount}
   from ${series(transactionCount / 4)}`,
];
