// A chain of 31 blocks with one of each kind of execution in block 10, and the texts in which JSON-RPC names its parts.
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { SetupRow } from '../rows/setup-row.ts';
import {
  blockHashOf,
  blockRow,
  blockTimes,
  entityRow,
  ethereumRows,
  hashRow,
  logRow,
  priceRows,
  resultRow,
  wordOf,
} from './chain-rows.ts';

const at = (block: bigint, position: bigint): bigint => blockTimes(block).start + position * 1_000_000n;
export const address = (digit: string): string => `0x${digit.repeat(40)}`;
export const bytesOf = (text: string): Buffer => Buffer.from(text.replace(/^0x/, ''), 'hex');
export const longZero = (num: bigint): string => `0x${num.toString(16).padStart(40, '0')}`;
const hash = (digit: string, length = 32): Buffer => Buffer.alloc(length, digit, 'hex');
export const hashText = (digit: string): string => `0x${digit.repeat(32)}`;
export const word = (value: bigint): string => `0x${wordOf(value).toString('hex')}`;
export const block = (n: bigint): string => `0x${n.toString(16)}`;
export const blockHash = (n: bigint): string => `0x${blockHashOf(n).slice(0, 64)}`;

export const transfer = word(0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn);
export const newest = 30n;

/**
 * Block 10: a call (type 2), a legacy call that failed, a creation through HAPI, a transfer of tokens, one refused
 * before it ran. Block 18: one that its batch undid, a revert that said nothing, a halt, and an execution by no Ethereum
 * transaction that failed without a word.
 */
export const smallChain: readonly SetupRow[] = [
  ...Array.from({ length: Number(newest) + 1 }, (_, n) => blockRow(BigInt(n), n === 10 ? { gas_used: 90_000n } : {})),
  ...priceRows(5n, 50),
  ...priceRows(blockTimes(20n).start, 60),
  entityRow(2n, { balance: 1n }),
  entityRow(1001n, {
    evm_address: bytesOf(address('a')),
    balance: 900n,
    ethereum_nonce: 9n,
    timestamp_range: `[${at(12n, 0n)},)`,
  }),
  entityRow(1001n, { evm_address: bytesOf(address('a')), ethereum_nonce: 4n, timestamp_range: `[1,${at(12n, 0n)})` }),
  entityRow(1002n, { balance: 5n, created_timestamp: at(15n, 0n) }),
  entityRow(2001n, { type: 'CONTRACT', evm_address: bytesOf(address('c')), ethereum_nonce: null }),
  { table: 'contract', row: { id: 2001n, runtime_bytecode: bytesOf('6001') } },
  entityRow(2002n, { type: 'CONTRACT', deleted: true, timestamp_range: `[${at(12n, 0n)},)` }),
  entityRow(2002n, { type: 'CONTRACT', timestamp_range: `[1,${at(12n, 0n)})` }),
  { table: 'contract', row: { id: 2002n, runtime_bytecode: bytesOf('6002') } },
  entityRow(3001n, { type: 'TOKEN' }),
  entityRow(3002n, { type: 'SCHEDULE' }),
  entityRow(1003n, { delegation_address: bytesOf(address('d')) }),
  {
    table: 'contract_state',
    row: { contract_id: 2001n, slot: wordOf(1n), value: bytesOf('0a'), created_timestamp: 1n, modified_timestamp: 1n },
  },
  ...[
    [8n, '09'],
    [16n, '0a'],
  ].map(([when, value]) => ({
    table: 'contract_state_change',
    row: {
      ...{ consensus_timestamp: at(when as bigint, 0n), contract_id: 2001n, payer_account_id: 2n, migration: false },
      ...{ slot: bytesOf('01'), value_read: bytesOf('00'), value_written: bytesOf(value as string) },
    },
  })),
  ...[
    [5n, 100n],
    [13n, -30n],
    [20n, 7n],
  ].map(([when, amount]) => ({
    table: 'crypto_transfer',
    row: { amount, consensus_timestamp: at(when!, 3n), entity_id: 1001n, payer_account_id: 2n },
  })),
  // The call.
  resultRow(at(10n, 1n), {
    ...{
      contract_id: 2001n,
      transaction_hash: hash('11'),
      function_parameters: bytesOf('aabbccdd01'),
      gas_used: 30_000n,
    },
    ...{ call_result: bytesOf('07'), bloom: Buffer.alloc(256, 1), amount: 3n, transaction_index: 0 },
  }),
  ...ethereumRows(at(10n, 1n), hash('11'), {
    ...{ to_address: bytesOf(longZero(2001n)), value: bytesOf('06fc23ac00') },
    ...{
      max_fee_per_gas: bytesOf('0ba43b7400'),
      max_priority_fee_per_gas: bytesOf('01'),
      call_data: bytesOf('aabbccdd01'),
    },
    ...{ access_list: JSON.stringify([{ address: address('e'), storage_keys: [word(5n)] }]) },
  }),
  hashRow(at(10n, 1n), hash('11')),
  logRow(at(10n, 1n), 0, {
    transaction_hash: hash('11'),
    topic0: bytesOf(transfer),
    topic1: bytesOf('05'),
    data: bytesOf('09'),
  }),
  // It failed.
  resultRow(at(10n, 2n), {
    ...{
      contract_id: 2001n,
      transaction_hash: hash('22'),
      transaction_result: 33,
      gas_used: 40_000n,
      transaction_index: 1,
    },
    error_message: `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`,
  }),
  ...ethereumRows(at(10n, 2n), hash('22'), {
    ...{ type: 0, to_address: bytesOf(address('c')), gas_price: bytesOf('0ba43b7400'), signature_v: bytesOf('0277') },
    ...{ chain_id: Buffer.alloc(0), value: Buffer.alloc(0) },
  }),
  hashRow(at(10n, 2n), hash('22'), { transaction_result: 33 }),
  // A creation that no Ethereum transaction carried: its hash has 48 bytes.
  resultRow(at(10n, 3n), {
    ...{ contract_id: 2001n, created_contract_ids: [2001n], transaction_hash: hash('33', 48), gas_used: 20_000n },
    ...{ transaction_index: 2, amount: 4n, sender_id: 1002n, payer_account_id: 1002n },
  }),
  hashRow(at(10n, 3n), hash('33', 48), { payer_account_id: 1002n }),
  // Its child.
  resultRow(at(10n, 3n) + 1n, {
    contract_id: 2001n,
    transaction_hash: hash('33', 48),
    transaction_nonce: 1,
    transaction_index: null,
  }),
  // A transfer of tokens.
  logRow(at(10n, 4n), 1, {
    ...{ contract_id: 3001n, transaction_hash: hash('44', 48), transaction_index: 3, synthetic: true },
    ...{ topic0: bytesOf(transfer), topic1: bytesOf('03e9'), topic2: bytesOf('03ea'), data: bytesOf('64') },
  }),
  {
    table: 'transaction_hash',
    row: {
      consensus_timestamp: at(10n, 4n),
      hash: hash('44'),
      hash_suffix: hash('44', 16),
      payer_account_id: 1001n,
      distribution_id: 1,
    },
  },
  // Refused before it ran.
  resultRow(at(10n, 5n), {
    transaction_hash: hash('55'),
    transaction_result: responseCode.WRONG_NONCE,
    transaction_index: null,
  }),
  hashRow(at(10n, 5n), hash('55'), { transaction_result: responseCode.WRONG_NONCE }),
  ...(
    [
      ['a7', responseCode.REVERTED_SUCCESS, 2],
      ['a8', responseCode.CONTRACT_REVERT_EXECUTED, 2],
      ['a9', responseCode.INSUFFICIENT_GAS, 4],
      ['aa', responseCode.CONTRACT_EXECUTION_EXCEPTION, null],
    ] as const
  ).flatMap(([digits, transaction_result, type], index) => {
    const [when, transaction_hash] = [at(18n, BigInt(index)), hash(digits)];
    const authorization = { address: address('e'), chain_id: '0x012a', nonce: 7, r: '0x0a', s: '0x', y_parity: '0x01' };
    const lists = { access_list: '[]', authorization_list: JSON.stringify(type === 4 ? [authorization] : null) };
    return [
      resultRow(when, {
        ...{ contract_id: 2001n, transaction_hash, transaction_result, transaction_index: index, gas_used: 10_000n },
      }),
      ...(type === null
        ? []
        : ethereumRows(when, transaction_hash, { type, to_address: bytesOf(address('c')), ...lists })),
      hashRow(when, transaction_hash, { transaction_result }),
    ];
  }),
  // Logs of later blocks.
  ...[11n, 12n, 14n].map((n, place) =>
    logRow(at(n, 1n), place, { transaction_hash: hash('66'), topic0: bytesOf(n === 12n ? '00' : '07') }),
  ),
  ...[
    [0, 1],
    [1, 3],
    [1, 4],
  ].map(([depth, operation], index) => ({
    table: 'contract_action',
    row: {
      ...{
        call_depth: depth,
        call_operation_type: operation,
        call_type: 1,
        caller: 1001n,
        consensus_timestamp: at(10n, 1n),
      },
      ...{
        gas: 1000n,
        gas_used: 500n,
        index,
        input: bytesOf('0102'),
        payer_account_id: 1001n,
        recipient_contract: 2001n,
      },
      ...{ result_data: bytesOf('03'), result_data_type: 11, value: 2n },
    },
  })),
];
