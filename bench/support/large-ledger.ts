// A ledger of the size of a busy day, made by SQL alone: a million transactions of three transfers each, 200,000
// accounts, 20,000 tokens, 300,000 contract results, 50,000 blocks, 20,000 schedules, times the scale. Few ids take
// most of the traffic, as on a real network. Kept between runs of the same schema.
import { join } from 'node:path';
import pg from 'pg';
import { makePostponedIndexes, postponeIndexes } from '../../packages/schema/migration/postponed-indexes.ts';
import { createPartitions } from '../../packages/store/write/partitions.ts';
import { type KeptLedger, ledgersFolder, openKeptLedger } from './kept-ledger.ts';
import { listStatements } from './list-rows.ts';

export type LedgerSize = {
  transactions: number;
  accounts: number;
  tokens: number;
  contracts: number;
  results: number;
  blocks: number;
  schedules: number;
  topics: number;
  mix: LedgerMix;
};

/** What its transactions are, beside transfers of hbar. */
export type LedgerMix = {
  /** % of all transactions that are messages of topics, where they have no contract result. */
  messages: number;
  messageBytes: number;
  /** % of all transactions that move a token. */
  tokens: number;
};

/** Of the benchmarks of answers. */
const busyMix: LedgerMix = { messages: 25, messageBytes: 200, tokens: 20 };

/** First id of each kind; ids follow one another. They leave room for two billion transactions. */
export const firstId = {
  account: 1_000,
  contract: 500_000_000,
  file: 600_000_000,
  token: 700_000_000,
  schedule: 800_000_000,
  topic: 900_000_000,
} as const;

/** Pays for a tenth of all transactions and holds 450 tokens. */
export const hotAccountId = firstId.account;

/** Of every log that a contract emitted: the Transfer of tokens. */
export const logTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** ns. A transaction every 100 ms from here, a block every 2 s, over the turn of a year: two partitions. */
export const firstTimestamp = BigInt(Date.UTC(2023, 11, 31, 12)) * 1_000_000n;
const transactionStepNs = 100_000_000;
export const blockStepNs = 2_000_000_000;

export function sizeOf(scale: number): LedgerSize {
  const times = (count: number): number => Math.max(1_000, Math.round(count * scale));
  return {
    transactions: times(1_000_000),
    accounts: times(200_000),
    tokens: times(20_000),
    contracts: times(5_000),
    results: times(300_000),
    blocks: Math.ceil((times(1_000_000) * transactionStepNs) / blockStepNs),
    schedules: times(20_000),
    topics: times(2_000),
    mix: busyMix,
  };
}

/** Starts PostgreSQL with the ledger, which is created if missing. */
export function openLargeLedger(size: LedgerSize, scale: number, folder = ledgersFolder): Promise<KeptLedger> {
  const statements = fillStatements(size, { isPacked: true });
  return openKeptLedger({
    dataFolder: join(folder, `ledger-${scale}`),
    madeOf: statements.join(),
    async fill(connectionString) {
      // As an import of a long history has it.
      await postponeIndexes(connectionString);
      await fillLargeLedger(connectionString, size, statements);
      await makePostponedIndexes({ connectionString, tablesAtOnce: 2 });
    },
  });
}

export async function fillLargeLedger(
  connectionString: string,
  size: LedgerSize,
  statements: readonly string[],
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const lastTimestamp = firstTimestamp + BigInt(size.transactions) * BigInt(transactionStepNs);
    await createPartitions().ensure(client, firstTimestamp, lastTimestamp);
    await client.query('select setseed(0.5)');
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** `isPacked`: whether transfers also stand in the rows of transactions, for which a Hiero database has no column. */
export function fillStatements(size: LedgerSize, { isPacked }: { isPacked: boolean }): string[] {
  const { transactions, accounts, tokens, contracts, results, blocks, schedules, topics, mix } = size;
  const series = (count: number): string => `generate_series(0, ${count - 1}) i`;
  const at = (index: string): string => `${firstTimestamp} + (${index})::int8 * ${transactionStepNs}`;
  // A power law: the first hundredth of the ids takes a third of the traffic.
  const skewed = (first: number, count: number): string => `${first} + floor(${count} * power(random(), 4))::int8`;
  const bytes = (key: string, length: number): string => {
    const parts = Array.from({ length: Math.ceil(length / 32) }, (_, part) => `sha256((${key} || '.${part}')::bytea)`);
    return `substring(${parts.join(' || ')} for ${length})`;
  };
  const key = (text: string): string => `'\\x1220'::bytea || ${bytes(text, 32)}`;
  // Where `results` rows spread evenly over all.
  const hasResult = `((i - 1)::int8 * ${results} + ${transactions - 1}) / ${transactions} * ${transactions} / ${results} + 1 = i`;
  const transfers = 'select * from (values (made.payer, -84005::int8), (98, 84000), (made.entity, 5)) r (id, amount)';
  const tokenTransfers = 'select * from (values (made.payer, -7::int8), (made.entity, 7)) r (id, amount)';
  const packed = `'\\x01'::bytea || int2send(3::int2) || int2send(case when moves_token then 2 else 0 end::int2) || int2send(0::int2) || (
      select string_agg(int8send(id) || int8send(amount) || '\\x00'::bytea, '' order by id, amount) from (${transfers}) e
    ) || case when moves_token then (
      select string_agg(int8send(${firstId.token} + index) || int8send(id) || int8send(amount) || '\\x00'::bytea, '' order by id, amount)
      from (${tokenTransfers}) e
    ) else '' end`;
  const since = `int8range(${firstTimestamp}, null)`;
  const entity = (first: number, count: number, type: string): string =>
    `insert into entity (id, num, realm, shard, type, memo, timestamp_range, created_timestamp, key, deleted,
       auto_renew_period, auto_renew_account_id)
     select ${first} + i, ${first} + i, 0, 0, '${type}', 'entry ' || i, ${since}, ${firstTimestamp}, ${key(`'k' || i`)}, false,
       7776000, ${firstId.account} + i % ${accounts} from ${series(count)}`;
  return [
    `insert into entity (id, num, realm, shard, type, memo, timestamp_range, created_timestamp, key, deleted, balance,
       balance_timestamp, evm_address, alias, ethereum_nonce, max_automatic_token_associations, receiver_sig_required,
       staked_node_id, stake_period_start, auto_renew_period, expiration_timestamp)
     select ${firstId.account} + i, ${firstId.account} + i, 0, 0, 'ACCOUNT', 'account ' || i, ${since}, ${firstTimestamp},
       ${key(`'a' || i`)}, false, i::int8 * 100000, ${firstTimestamp} + i, ${bytes(`'e' || i`, 20)}, ${key(`'a' || i`)},
       i % 7, 10, false, i % 5 - 1, 19000, 7776000, ${firstTimestamp} + 7776000000000000
     from ${series(accounts)}`,
    `insert into entity_stake (id, end_stake_period, pending_reward, staked_node_id_start, staked_to_me, stake_total_start,
       timestamp_range)
     select ${firstId.account} + i, 19700, i, 0, 0, i, ${since} from ${series(accounts)} where i % 5 > 0`,
    entity(firstId.contract, contracts, 'CONTRACT'),
    `update entity set evm_address = ${bytes(`'c' || id`, 20)}, ethereum_nonce = 1 where type = 'CONTRACT'`,
    entity(firstId.token, tokens, 'TOKEN'),
    entity(firstId.schedule, schedules, 'SCHEDULE'),
    `insert into entity_history (id, num, realm, shard, type, memo, timestamp_range, created_timestamp, key, deleted)
     select ${firstId.token} + i, ${firstId.token} + i, 0, 0, 'TOKEN', 'before', int8range(${firstTimestamp} - 1000000000, ${firstTimestamp}),
       ${firstTimestamp} - 1000000000, ${key(`'h' || i`)}, false from ${series(tokens)}`,
    `insert into token (token_id, created_timestamp, decimals, freeze_status, initial_supply, kyc_status, name, symbol,
       timestamp_range, treasury_account_id, total_supply, supply_key, wipe_key, kyc_key, metadata)
     select ${firstId.token} + i, ${firstTimestamp}, 6, 0, 1000000, 0, 'Token number ' || i, 'TOK' || i, ${since},
       ${firstId.account} + i % ${accounts}, 1000000 + i, ${key(`'s' || i`)}, ${key(`'w' || i`)}, ${key(`'y' || i`)}, ${bytes(`'m' || i`, 40)}
     from ${series(tokens)}`,
    `insert into token_history (token_id, created_timestamp, decimals, freeze_status, initial_supply, kyc_status, name, symbol,
       timestamp_range, treasury_account_id, total_supply)
     select ${firstId.token} + i, ${firstTimestamp}, 6, 0, 1000000, 0, 'Token number ' || i, 'TOK' || i,
       int8range(${firstTimestamp} - 1000000000 + k * 100000000, ${firstTimestamp} - 900000000 + k * 100000000),
       ${firstId.account} + i % ${accounts}, k from ${series(tokens)}, generate_series(0, 9) k`,
    `insert into custom_fee (entity_id, fixed_fees, timestamp_range)
     select ${firstId.token} + i, case when i % 3 = 0 then '[{"amount": 100, "denominating_token_id": null, "collector_account_id": 1001, "all_collectors_are_exempt": false}]'::jsonb end,
       ${since} from ${series(tokens)}`,
    `insert into custom_fee_history (entity_id, timestamp_range)
     select ${firstId.token} + i, int8range(${firstTimestamp} - 1000000000, ${firstTimestamp}) from ${series(tokens)}`,
    `insert into token_account (account_id, token_id, associated, balance, balance_timestamp, timestamp_range)
     select ${firstId.account} + 1 + i % ${accounts - 1}, ${skewed(firstId.token, tokens)}, true, i, ${firstTimestamp} + i, ${since}
     from ${series(accounts * 2)} on conflict do nothing`,
    `insert into token_account (account_id, token_id, associated, balance, balance_timestamp, timestamp_range)
     select ${hotAccountId}, ${firstId.token} + i, true, i, ${firstTimestamp} + i, ${since} from ${series(450)}`,
    `create temp table made as select ${at('i')} as at, i % 20 as index, i,
       case when i % 10 = 0 then ${hotAccountId} else ${skewed(firstId.account + 1, accounts - 1)} end as payer,
       ${skewed(firstId.account + 1, accounts - 1)} as entity, ${hasResult} as has_result,
       case when ${hasResult} and i % 11 = 1 then 1 else 0 end as nonce,
       i::int8 * ${mix.tokens} % 100 < ${mix.tokens} as moves_token,
       case when i::int8 * ${mix.messages} % 100 < ${mix.messages} and not ${hasResult} then ${skewed(firstId.topic, topics)} end as topic from ${series(transactions)}`,
    `insert into transaction (consensus_timestamp, payer_account_id, type, result, valid_start_ns, valid_duration_seconds,
       entity_id, node_account_id, charged_tx_fee, max_fee, memo, transaction_hash, index, nonce${isPacked ? ', packed_transfers' : ''})
     select at, payer, case when has_result then 7 when topic is not null then 27 when i % 50 = 0 then 40 else 14 end, 22,
       at - 2000000000, 120, coalesce(topic, entity),
       3 + i % 30, 84000 + i % 1000, 100000000, ('memo ' || i)::bytea, ${bytes(`'t' || i`, 48)}, index, nonce${isPacked ? `, ${packed}` : ''}
     from made order by at`,
    `insert into crypto_transfer (consensus_timestamp, payer_account_id, entity_id, amount, is_approval)
     select at, payer, e.id, e.amount, false from made, lateral (${transfers}) e`,
    `insert into entity_transaction (entity_id, consensus_timestamp, payer_account_id, result, type)
     select entity_id, consensus_timestamp, payer_account_id, result, type from transaction where entity_id <> payer_account_id`,
    `insert into token_transfer (consensus_timestamp, payer_account_id, token_id, account_id, amount, is_approval)
     select at, payer, ${firstId.token} + index, e.id, e.amount, false from made, lateral (${tokenTransfers}) e
     where moves_token`,
    `insert into record_file (consensus_start, consensus_end, count, digest_algorithm, file_hash, hash, index, load_start,
       load_end, name, prev_hash, version, gas_used, logs_bloom)
     select ${firstTimestamp} + i::int8 * ${blockStepNs}, ${firstTimestamp} + (i + 1)::int8 * ${blockStepNs} - 1, 20, 0,
       encode(${bytes(`'f' || i`, 48)}, 'hex'), encode(${bytes(`'b' || i`, 48)}, 'hex'), i, 0, 0, 'block ' || i,
       encode(${bytes(`'b' || (i - 1)`, 48)}, 'hex'), 6, i, ${bytes(`'g' || i`, 256)} from ${series(blocks)}`,
    `insert into contract (id, file_id, runtime_bytecode)
     select ${firstId.contract} + i, ${firstId.file} + i, ${bytes(`'r' || i`, 3000)} from ${series(contracts)}`,
    `insert into file_data (entity_id, consensus_timestamp, transaction_type, file_data)
     select ${firstId.file} + i, ${firstTimestamp} - 10000000 + i, 17, encode(${bytes(`'i' || i`, 3200)}, 'hex')::bytea
     from ${series(contracts)}`,
    // A result for three of ten transactions; one in eleven is an inner call.
    `insert into contract_result (consensus_timestamp, contract_id, sender_id, payer_account_id, function_parameters, gas_limit,
       gas_used, gas_consumed, transaction_nonce, transaction_result, transaction_index, transaction_hash, created_contract_ids,
       amount, bloom, call_result)
     select at, ${skewed(firstId.contract, contracts)}, payer, payer,
       ${bytes(`'p' || i`, 132)}, 300000, 240000, 210000, nonce, 22, i % 6,
       ${bytes(`'x' || i`, 32)}, '{}', 5, ${bytes(`'l' || i`, 256)}, ${bytes(`'o' || i`, 32)}
     from made where has_result`,
    `insert into ethereum_transaction (consensus_timestamp, payer_account_id, data, gas_limit, hash, max_gas_allowance, nonce,
       signature_r, signature_s, type, chain_id, max_fee_per_gas, max_priority_fee_per_gas, recovery_id, to_address, value)
     select consensus_timestamp, payer_account_id, function_parameters, gas_limit, transaction_hash, 0, transaction_index,
       ${bytes(`'1' || consensus_timestamp`, 32)}, ${bytes(`'2' || consensus_timestamp`, 32)}, 2, '\\x0127', '\\x01d1a94a2000',
       '\\x00', 1, ${bytes(`'c' || contract_id`, 20)}, '\\x05' from contract_result`,
    `insert into contract_log (consensus_timestamp, index, contract_id, payer_account_id, bloom, data, synthetic, transaction_hash,
       transaction_index)
     select consensus_timestamp + 50, 0, contract_id, payer_account_id, ''::bytea, ''::bytea, true, transaction_hash, 7
     from contract_result where consensus_timestamp / ${transactionStepNs} % 100 = 1`,
    // Of each result: two logs, three calls, two changed slots.
    `insert into contract_log (consensus_timestamp, index, contract_id, payer_account_id, root_contract_id, bloom, data, topic0,
       topic1, transaction_hash, transaction_index)
     select consensus_timestamp, k, contract_id, payer_account_id, contract_id, bloom, call_result, '\\x${logTopic}',
       ${bytes(`'t' || consensus_timestamp`, 20)}, transaction_hash, transaction_index
     from contract_result, generate_series(0, 1) k`,
    `insert into contract_action (consensus_timestamp, index, call_depth, call_operation_type, call_type, caller, caller_type, gas,
       gas_used, input, payer_account_id, recipient_contract, result_data, result_data_type, value)
     select consensus_timestamp, k, k, 1, 1, contract_id, 'CONTRACT', gas_limit, gas_used, function_parameters,
       payer_account_id, contract_id, call_result, 11, 0
     from contract_result, generate_series(0, 2) k`,
    `insert into contract_state_change (consensus_timestamp, contract_id, payer_account_id, slot, value_read, value_written)
     select consensus_timestamp, contract_id, payer_account_id, ${bytes('(consensus_timestamp % 997 + k) || contract_id::text', 32)},
       '', call_result
     from contract_result, generate_series(0, 1) k`,
    `insert into contract_state (contract_id, slot, value, created_timestamp, modified_timestamp)
     select contract_id, slot, '\\x01', min(consensus_timestamp), max(consensus_timestamp) from contract_state_change group by 1, 2`,
    `insert into contract_transaction (consensus_timestamp, contract_ids, entity_id, payer_account_id)
     select consensus_timestamp, array[contract_id, payer_account_id], party, payer_account_id
     from contract_result, unnest(array[contract_id, payer_account_id]) party`,
    `insert into contract_transaction_hash (consensus_timestamp, entity_id, hash, payer_account_id, transaction_result)
     select consensus_timestamp, contract_id, transaction_hash, payer_account_id, transaction_result from contract_result`,
    `insert into transaction_hash (consensus_timestamp, hash, payer_account_id)
     select consensus_timestamp, transaction_hash, payer_account_id from contract_result`,
    // Messages of topics are not found by their hash.
    `insert into transaction_hash (consensus_timestamp, hash, hash_suffix, payer_account_id)
     select consensus_timestamp, substring(transaction_hash for 32), substring(transaction_hash from 33), payer_account_id
     from transaction where type <> 27`,
    `insert into schedule (schedule_id, consensus_timestamp, creator_account_id, payer_account_id, transaction_body,
       executed_timestamp)
     select ${firstId.schedule} + i, ${at('i')} + 3, ${skewed(firstId.account, accounts)}, ${skewed(firstId.account, accounts)},
       ${bytes(`'q' || i`, 240)}, case when i % 2 = 0 then ${at('i')} + 9 end from ${series(schedules)}`,
    `insert into transaction_signature (consensus_timestamp, entity_id, public_key_prefix, signature, type)
     select ${at('i')} + 3 + k, ${firstId.schedule} + i, ${bytes(`'j' || i`, 32)}, ${bytes(`'z' || i`, 64)}, 3
     from ${series(schedules)}, generate_series(0, 1) k`,
    ...listStatements({
      ...size,
      messageBytes: mix.messageBytes,
      firstAccount: firstId.account,
      hotAccount: hotAccountId,
      firstContract: firstId.contract,
      firstToken: firstId.token,
      firstTopic: firstId.topic,
      firstTimestamp,
      ...{ bytes, at, skewed, series },
    }),
  ];
}
