// A transaction as its sender signed it, put together of what the ledger stores.
import {
  type EthereumTransaction,
  encodeEthereumTransaction,
  toLegacyV,
} from '../../../../packages/protocol/hapi/ethereum-transaction.ts';
import { keccak256 } from '../../../../packages/protocol/keccak256.ts';
import { LedgerValueError } from '../../../../packages/protocol/ledger-value-error.ts';
import type { ResultRow } from './transaction.ts';

/** null = it is none of Ethereum's, or what is stored does not make bytes with its hash. */
export function toRawTransaction(row: ResultRow): Buffer | null {
  const transaction = toEthereumTransaction(row);
  if (transaction === null || row.transactionHash === null) return null;
  try {
    const raw = encodeEthereumTransaction(transaction);
    return keccak256(raw).equals(row.transactionHash) ? raw : null;
  } catch (error) {
    // A stored value that no transaction has.
    if (error instanceof LedgerValueError) return null;
    throw error;
  }
}

function toEthereumTransaction(row: ResultRow): EthereumTransaction | null {
  const { ethType: type, recoveryId, chainId, nonce, value, signatureR, signatureS } = row;
  if (type === null || recoveryId === null || nonce === null || !signatureR || !signatureS) return null;
  return {
    ...{ type, chainId, nonce, recoveryId, signatureR, signatureS, value: value ?? Buffer.of(0) },
    gasPrice: row.gasPrice,
    maxPriorityFeePerGas: row.maxPriorityFeePerGas,
    maxFeePerGas: row.maxFeePerGas,
    gasLimit: row.gasLimit,
    toAddress: row.toAddress ?? Buffer.alloc(0),
    callData: row.functionParameters,
    accessList: (row.accessList ?? []).map(({ address, storage_keys }) => ({
      ...{ address: String(address), storage_keys: (storage_keys ?? []) as string[] },
    })),
    authorizationList: (row.authorizationList ?? []).map((one) => ({
      ...{ address: String(one.address), chain_id: String(one.chain_id), nonce: BigInt(String(one.nonce ?? 0)) },
      ...{ r: String(one.r), s: String(one.s), y_parity: String(one.y_parity) },
    })),
    signatureV: row.signatureV?.length ? row.signatureV : legacyV(chainId, recoveryId),
  };
}

function legacyV(chainId: Buffer | null, recoveryId: number): Buffer {
  const v = toLegacyV(chainId, recoveryId) ?? BigInt(27 + recoveryId);
  const digits = v.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}
