// A ledger in which every text was written by an attacker: names, symbols, memos, metadata, messages, urls.
import type { SetupRow } from '../../packages/test-support/rows/setup-row.ts';
import { hostileTexts, longText } from './hostile-texts.ts';

const second = 1_000_000_000n;
const start = 1_700_000_000n * second;

export type HostileLedger = { rows: SetupRow[]; paths: string[] };

/** One token, topic, account, contract, schedule and transaction for each text. */
export function makeHostileLedger(texts: readonly string[] = [...hostileTexts, longText]): HostileLedger {
  const rows: SetupRow[] = [];
  const paths: string[] = [];
  const add = (table: string, row: Record<string, unknown>) => rows.push({ table, row } as SetupRow);
  texts.forEach((text, index) => {
    // PostgreSQL's text has no NUL; bytes have.
    const bytes = Buffer.from(text.toWellFormed());
    const clean = text.toWellFormed().replaceAll('\u0000', '');
    const at = start + BigInt(index) * 10n * second;
    const id = (kind: bigint) => 10_000n * kind + BigInt(index);
    const [account, token, topic, contract, schedule] = [1n, 2n, 3n, 4n, 5n].map(id) as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    const entity = (num: bigint, type: string) =>
      add('entity', {
        ...{ id: num, num, realm: 0n, shard: 0n, type, memo: clean, created_timestamp: at, deleted: false },
        timestamp_range: `[${at},)`,
        ...(type === 'ACCOUNT' || type === 'CONTRACT' ? { balance: 5n, balance_timestamp: at } : {}),
      });
    for (const [num, type] of [
      [account, 'ACCOUNT'],
      [token, 'TOKEN'],
      [topic, 'TOPIC'],
      [contract, 'CONTRACT'],
      [schedule, 'SCHEDULE'],
    ] as const)
      entity(num, type);
    add('token', {
      ...{ token_id: token, name: clean.slice(0, 200_000), symbol: clean.slice(0, 200_000), created_timestamp: at },
      ...{ decimals: 0n, initial_supply: 1n, total_supply: 1n, treasury_account_id: account, metadata: bytes },
      ...{ type: 'NON_FUNGIBLE_UNIQUE', timestamp_range: `[${at},)`, freeze_status: 0n, kyc_status: 0n },
    });
    add('custom_fee', { entity_id: token, timestamp_range: `[${at},)`, fixed_fees: null });
    add('custom_fee', { entity_id: topic, timestamp_range: `[${at},)`, fixed_fees: null });
    add('token_account', {
      ...{ account_id: account, token_id: token, associated: true, balance: 1n, created_timestamp: at },
      timestamp_range: `[${at},)`,
    });
    add('nft', {
      ...{ token_id: token, serial_number: 1n, account_id: account, created_timestamp: at, metadata: bytes },
      ...{ deleted: false, timestamp_range: `[${at},)` },
    });
    add('topic', { id: topic, created_timestamp: at, timestamp_range: `[${at},)` });
    add('topic_message', {
      ...{
        topic_id: topic,
        sequence_number: 1n,
        consensus_timestamp: at + 1n,
        message: bytes,
        payer_account_id: account,
      },
      ...{ running_hash: bytes.subarray(0, 48), running_hash_version: 3n },
    });
    add('contract', { id: contract, runtime_bytecode: bytes.subarray(0, 1000), initcode: bytes.subarray(0, 1000) });
    add('schedule', {
      ...{ schedule_id: schedule, consensus_timestamp: at, creator_account_id: account, payer_account_id: account },
      transaction_body: bytes.subarray(0, 1000),
    });
    add('transaction', {
      ...{ consensus_timestamp: at, payer_account_id: account, valid_start_ns: at - second, type: 14n, result: 22n },
      ...{
        memo: bytes,
        entity_id: account,
        transaction_hash: Buffer.alloc(48, index % 256),
        nonce: 0n,
        charged_tx_fee: 7n,
      },
      transaction_bytes: bytes.subarray(0, 2000),
    });
    add('contract_result', {
      ...{
        consensus_timestamp: at,
        contract_id: contract,
        sender_id: account,
        payer_account_id: account,
        gas_limit: 100n,
      },
      ...{ gas_used: 5n, function_parameters: bytes.subarray(0, 3000), call_result: bytes.subarray(0, 3000) },
      ...{
        error_message: clean.slice(0, 100_000),
        transaction_result: 33n,
        transaction_nonce: 0n,
        transaction_index: 0n,
      },
      transaction_hash: Buffer.alloc(32, index % 256),
    });
    add('contract_log', {
      ...{
        consensus_timestamp: at,
        index: 0n,
        contract_id: contract,
        payer_account_id: account,
        bloom: bytes.subarray(0, 32),
      },
      ...{ data: bytes.subarray(0, 2000), topic0: bytes.subarray(0, 32), topic1: null, topic2: null, topic3: null },
    });
    paths.push(
      ...[`account/0.0.${account}`, `token/0.0.${token}`, `token/0.0.${token}/1`],
      ...[`token/0.0.${token}/pictures`, `topic/0.0.${topic}`],
      ...[`topic/0.0.${topic}/messages/1`, `contract/0.0.${contract}`, `schedule/0.0.${schedule}`],
      `transaction/${at / second}.${(at % second).toString().padStart(9, '0')}`,
    );
  });
  add('record_file', {
    ...{
      index: 1n,
      consensus_start: start,
      consensus_end: start + 100_000n * second,
      count: 1n,
      hash: 'aa'.repeat(48),
      file_hash: 'cc'.repeat(48),
    },
    ...{
      name: 'x',
      node_id: 0n,
      digest_algorithm: 0n,
      prev_hash: 'bb'.repeat(48),
      version: 6n,
      hapi_version_major: 0n,
    },
    ...{ hapi_version_minor: 79n, hapi_version_patch: 0n, load_start: 1n, load_end: 1n },
  });
  return { rows, paths };
}
