// Rows of a small chain as Ethereum clients see it: blocks of two seconds, accounts and contracts, executions with logs
// and calls, and a transfer of tokens that ran no code.
import { createHash } from 'node:crypto';
import { encodeRates, encodeSimpleGas } from '../rows/encode-prices.ts';
import type { SetupRow } from '../rows/setup-row.ts';

const ns = 1_000_000_000n;
const firstSecond = 1_700_000_000n;

/** ns. Block `n` lasts 1.9 s. */
export function blockTimes(n: bigint): { start: bigint; end: bigint } {
  const start = (firstSecond + 2n * n) * ns;
  return { start, end: start + 1_900_000_000n };
}

/** SHA-384 of the text `block n`. */
export function blockHashOf(n: bigint): string {
  return createHash('sha384').update(`block ${n}`).digest('hex');
}

export function blockRow(n: bigint, row: Record<string, unknown> = {}): SetupRow {
  const { start, end } = blockTimes(n);
  const hash = blockHashOf(n);
  return {
    table: 'record_file',
    row: {
      ...{
        index: n,
        consensus_start: start,
        consensus_end: end,
        hash,
        file_hash: hash,
        prev_hash: blockHashOf(n - 1n),
      },
      ...{ count: 5n, digest_algorithm: 0, gas_used: 0n, load_start: 0n, load_end: 0n, name: `${n}.rcd`, version: 6 },
      ...{ hapi_version_major: 0, hapi_version_minor: 69, hapi_version_patch: 0, size: 1000 },
      ...row,
    },
  };
}

export function entityRow(num: bigint, row: Record<string, unknown> = {}): SetupRow {
  const { created_timestamp: created = 1n } = row;
  return {
    table:
      row.timestamp_range === undefined || String(row.timestamp_range).endsWith(',)') ? 'entity' : 'entity_history',
    row: {
      ...{ id: num, num, realm: 0n, shard: 0n, type: 'ACCOUNT', memo: '', deleted: false, created_timestamp: created },
      timestamp_range: `[${created},)`,
      ...row,
    },
  };
}

export function wordOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

export function resultRow(at: bigint, row: Record<string, unknown>): SetupRow {
  return {
    table: 'contract_result',
    row: {
      ...{ consensus_timestamp: at, contract_id: 0n, function_parameters: Buffer.alloc(0), gas_limit: 50_000n },
      ...{ gas_used: 21_000n, payer_account_id: 1001n, sender_id: 1001n, transaction_index: 0, transaction_nonce: 0 },
      ...{ transaction_result: 22, amount: 0n, created_contract_ids: [] },
      ...row,
    },
  };
}

/** With what its hash leads to. */
export function ethereumRows(at: bigint, hash: Buffer, row: Record<string, unknown>): SetupRow[] {
  return [
    {
      table: 'ethereum_transaction',
      row: {
        ...{ consensus_timestamp: at, payer_account_id: 1001n, hash, data: Buffer.alloc(1), gas_limit: 60_000n },
        ...{ max_gas_allowance: 0n, nonce: 3n, type: 2, chain_id: Buffer.from('012a', 'hex'), recovery_id: 1 },
        ...{ signature_r: wordOf(0xabcn), signature_s: wordOf(2n ** 255n) },
        ...row,
      },
    },
  ];
}

export function hashRow(at: bigint, hash: Buffer, row: Record<string, unknown> = {}): SetupRow {
  return {
    table: 'contract_transaction_hash',
    row: {
      ...{ hash: hash.subarray(0, 32), consensus_timestamp: at, entity_id: 0n, payer_account_id: 1001n },
      ...{ transaction_result: 22, ...row },
    },
  };
}

export function logRow(at: bigint, index: number, row: Record<string, unknown>): SetupRow {
  return {
    table: 'contract_log',
    row: {
      ...{ consensus_timestamp: at, index, bloom: Buffer.alloc(1), contract_id: 2001n, data: Buffer.alloc(0) },
      ...{ payer_account_id: 1001n, synthetic: false, transaction_index: 0 },
      ...row,
    },
  };
}

/** The files that say that gas costs `gas` tinybar. */
export function priceRows(at: bigint, gas: number): SetupRow[] {
  const rates = encodeRates({ hbarEquiv: 1, centEquiv: 1 }, 9_000_000_000n);
  const files = [[113n, at, encodeSimpleGas(BigInt(gas))] as const, [112n, at - 1n, rates] as const];
  return files.map(([entity_id, consensus_timestamp, file_data]) => ({
    table: 'file_data',
    row: { entity_id, consensus_timestamp, transaction_type: 19, file_data },
  }));
}
