// A transaction as JSON-RPC shows it: of a contract result, or of the logs of a transfer of tokens that ran no code.

import { toLegacyV } from '../../../../packages/protocol/hapi/ethereum-transaction.ts';
import type { ChainResult } from '../../../ledger/chain/create-chain.ts';
import type { AccessListItem, AuthorizationListItem } from '../../../store/read/contract-result-row.ts';
import { hash32, hash32OfText, hex, quantity, quantityOf, weibarPerTinybar, zeroAddress } from '../terms/hex.ts';
import { addressOf, type KnownAddresses } from './address.ts';
import type { RpcLog } from './log.ts';

/** Where it is, and what its own row does not say. */
export type TransactionPlace = {
  blockHash: string | null;
  blockNumber: bigint | null;
  addresses: KnownAddresses;
  chainId: bigint;
  /** Of transactions that name none, weibar. */
  gasPrice: bigint | null;
};

/** `receiverId`: of the address that an Ethereum transaction names by its number. */
export type ResultRow = ChainResult & { receiverId: bigint | null };

export function toTransaction(row: ResultRow, place: TransactionPlace) {
  const { ethType } = row;
  const v = signatureV(row);
  const common = {
    blockHash: hash32OfText(place.blockHash),
    blockNumber: place.blockNumber === null ? null : quantity(place.blockNumber),
    chainId: chainIdOf(row, place.chainId),
    from: senderOf(row, place.addresses),
    gas: quantity(row.gasLimit),
    gasPrice: ethType === null ? quantity(place.gasPrice) : quantityOf(row.gasPrice),
    hash: hash32(row.transactionHash ?? Buffer.alloc(0)),
    input: hex(row.functionParameters),
    nonce: quantity(row.nonce),
    r: quantityOf(row.signatureR),
    s: quantityOf(row.signatureS),
    to: receiverOf(row, place.addresses),
    transactionIndex: row.transactionIndex === null ? null : quantity(row.transactionIndex),
    type: quantity(ethType),
    v,
    value: weibarOf(row),
  };
  if (ethType === null || ethType === 0) return common;
  const listed = { ...common, yParity: v, accessList: (row.accessList ?? []).map(toAccess) };
  if (ethType === 1) return listed;
  const priced = {
    ...listed,
    maxPriorityFeePerGas: quantityOf(row.maxPriorityFeePerGas),
    maxFeePerGas: quantityOf(row.maxFeePerGas),
  };
  return ethType === 4 ? { ...priced, authorizationList: (row.authorizationList ?? []).map(toAuthorization) } : priced;
}

/**
 * Its only trace are logs; the other members have the values that the relay gives them. No account signed it: `0x` by
 * itself, and zero in a block, which libraries of clients read as a whole.
 */
export function toSyntheticTransaction(log: RpcLog, chainId: bigint, signature: '0x' | '0x0' = '0x') {
  return {
    blockHash: log.blockHash,
    blockNumber: log.blockNumber,
    chainId: quantity(chainId),
    from: log.address,
    gas: quantity(400_000n),
    gasPrice: '0xfe',
    hash: log.transactionHash,
    input: '0x0000000000000000',
    nonce: '0x0',
    r: signature,
    s: signature,
    to: log.address,
    transactionIndex: log.transactionIndex,
    type: '0x0',
    v: '0x0',
    value: '0x0',
  };
}

export function senderOf({ senderId, senderAlias }: ResultRow, addresses: KnownAddresses): string {
  if (senderId !== null) return addressOf(addresses.get(senderId), senderId);
  return senderAlias?.length ? hex(senderAlias) : zeroAddress;
}

/** null: a creation. */
export function receiverOf(row: ResultRow, addresses: KnownAddresses): string | null {
  const { contractId, createdContractIds, toAddress, receiverId } = row;
  if (createdContractIds?.includes(contractId)) return null;
  const own = receiverId === null ? undefined : addresses.get(receiverId);
  if (toAddress?.length) return hex(own ?? toAddress);
  return contractId === 0n ? null : addressOf(row.evmAddress ?? own, contractId);
}

/** An Ethereum transaction's value is weibar, the record's amount tinybar. */
export function weibarOf({ ethType, value, amount }: ResultRow): string {
  return ethType === null ? quantity((amount ?? 0n) * weibarPerTinybar) : quantityOf(value);
}

/** A legacy transaction without protection against replay names no chain. */
function chainIdOf({ ethType, chainId }: ResultRow, ofSystem: bigint): string | undefined {
  if (ethType === null) return quantity(ofSystem);
  return chainId?.length ? quantityOf(chainId) : undefined;
}

function signatureV({ ethType, signatureV: v, recoveryId, chainId }: ResultRow): string {
  if (ethType === 0 && v?.length) return quantityOf(v);
  return quantity((ethType === 0 && recoveryId !== null ? toLegacyV(chainId, recoveryId) : null) ?? recoveryId);
}

function toAccess({ address, storage_keys: storageKeys }: AccessListItem) {
  return { address, storageKeys: storageKeys ?? [] };
}

function toAuthorization(item: AuthorizationListItem) {
  return {
    chainId: toStoredQuantity(item.chain_id),
    nonce: toStoredQuantity(item.nonce),
    address: String(item.address ?? zeroAddress),
    yParity: toStoredQuantity(item.y_parity),
    r: toStoredQuantity(item.r),
    s: toStoredQuantity(item.s),
  };
}

/** From hex text, or a number. */
function toStoredQuantity(stored: AuthorizationListItem[string] | undefined): string {
  if (typeof stored === 'bigint') return quantity(stored);
  const digits = typeof stored === 'string' ? stored.replace(/^0x/, '').replace(/^0+/, '') : '';
  return `0x${digits || '0'}`;
}
