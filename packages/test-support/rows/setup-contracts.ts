// Rows of contract results, logs and Ethereum transactions.
import type { JsonValue } from '../../postgres/wire/values.ts';
import { convert, type Maker } from './setup-row.ts';
import { toBytes, toId, toJsonText } from './setup-values.ts';
import type { JsonObject } from './spec-file.ts';

export const toContractResult: Maker = (item, system) => {
  const values: JsonObject = {
    amount: 0n,
    consensus_timestamp: 1234510001n,
    contract_id: 0n,
    created_contract_ids: [],
    error_message: '',
    function_parameters: '0x010102020303',
    gas_limit: 1000n,
    payer_account_id: 102n,
    sender_id: 101n,
    transaction_hash: countingBytes(32),
    transaction_index: 1n,
    transaction_nonce: 0n,
    transaction_result: 22n,
    ...item,
  };
  const ids = ['contract_id', 'payer_account_id', 'sender_id'];
  const bytes = [
    'bloom',
    'call_result',
    'failed_initcode',
    'function_parameters',
    'function_result',
    'transaction_hash',
  ];
  const row = convert(
    convert(values, ids, (value) => toId(value, system)),
    bytes,
    toBytes,
  );
  const created = values.created_contract_ids as JsonValue[] | null;
  return [
    { table: 'contract_result', row: { ...row, created_contract_ids: created?.map((id) => toId(id, system)) ?? null } },
  ];
};

export const toContractLog: Maker = (item, system) => {
  const values: JsonObject = {
    bloom: '0x0123',
    consensus_timestamp: 1234510001n,
    contract_id: 1n,
    data: '0x0123',
    index: 0n,
    payer_account_id: 102n,
    root_contract_id: null,
    synthetic: null,
    topic0: '97c1fc0a6ed5551bc831571325e9bdb365d06803100dc20648640ba24ce69750',
    topic1: '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
    topic2: 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    topic3: 'e8d47b56e8cdfa95f871b19d4f50a857217c44a95502b0811a350fec1500dd67',
    transaction_hash: countingBytes(32),
    transaction_index: 0n,
    ...item,
  };
  const ids = ['contract_id', 'payer_account_id', 'root_contract_id'];
  const bytes = ['bloom', 'data', 'topic0', 'topic1', 'topic2', 'topic3', 'transaction_hash'];
  return [
    {
      table: 'contract_log',
      row: convert(
        convert(values, ids, (value) => toId(value, system)),
        bytes,
        toBytes,
      ),
    },
  ];
};

export const toContractAction: Maker = (item, system) => {
  const values: JsonObject = {
    call_depth: 1n,
    call_operation_type: 1n,
    call_type: 1n,
    caller: 8001n,
    caller_type: 'CONTRACT',
    consensus_timestamp: 1234510001n,
    gas: 10000n,
    gas_used: 5000n,
    index: 1n,
    payer_account_id: 101n,
    result_data_type: 11n,
    value: 100n,
    ...item,
  };
  const ids = ['caller', 'payer_account_id', 'recipient_account', 'recipient_contract'];
  const row = convert(values, ids, (value) => toId(value, system));
  return [{ table: 'contract_action', row: convert(row, ['input', 'recipient_address', 'result_data'], toBytes) }];
};

export const toContractStateChange: Maker = (item, system) => [
  {
    table: 'contract_state_change',
    row: {
      consensus_timestamp: 1234510001n,
      migration: false,
      ...item,
      contract_id: toId(item.contract_id ?? 1n, system),
      payer_account_id: toId(item.payer_account_id ?? 2n, system),
      slot: toBytes(item.slot ?? '01'),
      value_read: toBytes(item.value_read ?? '0101'),
      value_written: toBytes(item.value_written === undefined ? 'a1a1' : item.value_written),
    },
  },
];

export const toContractState: Maker = (item, system) => [
  {
    table: 'contract_state',
    row: {
      ...item,
      contract_id: toId(item.contract_id ?? 1n, system),
      slot: toBytes(item.slot ?? '01'),
      value: toBytes(item.value === undefined ? '1010' : item.value),
    },
  },
];

export const toEthereumTransaction: Maker = (item, system) => {
  const values: JsonObject = {
    consensus_timestamp: 187654000123456n,
    data: '0x000000000',
    gas_limit: 1000000n,
    gas_price: '0xAD78EBC5AC620000',
    hash: '0x0000000000000000000000000000000000000000000000000000000000000123',
    max_gas_allowance: 10000n,
    nonce: 1n,
    payer_account_id: 5001n,
    recovery_id: 1n,
    signature_r: '0xd693b532a80fed6392b428604171fb32fdbf953728a3a7ecc7d4062b1652c042',
    signature_s: '0x24e9c602ac800b983b035700a14b23f78a253ab762deab5dc27e3555a750b354',
    signature_v: '0x1b',
    to_address: '0x0000000000000000000000000000000000001389',
    type: 2n,
    value: '0x0',
    ...item,
  };
  const bytes = [
    'call_data',
    'chain_id',
    'data',
    'gas_price',
    'hash',
    'max_fee_per_gas',
    'max_priority_fee_per_gas',
    'signature_r',
    'signature_s',
    'signature_v',
    'to_address',
    'value',
  ];
  const ids = ['call_data_id', 'payer_account_id'];
  const row = convert(
    convert(values, ids, (value) => toId(value, system)),
    bytes,
    toBytes,
  );
  return [
    {
      table: 'ethereum_transaction',
      row: convert(row, ['access_list', 'authorization_list'], toJsonText),
    },
  ];
};

function countingBytes(length: number): JsonValue {
  return Array.from({ length }, (_, i) => BigInt(i));
}
