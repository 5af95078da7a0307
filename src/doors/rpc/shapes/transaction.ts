// A transaction as JSON-RPC shows it: of a contract result, or of the logs of a transfer of tokens that ran no code.
// Members by type are those of ethereum/execution-apis.

import { toLegacyV } from '../../../../packages/protocol/hapi/ethereum-transaction.ts';
import type { AccessListItem, AuthorizationListItem } from '../../../../packages/store/read/contract-result-row.ts';
import type { ChainResult } from '../../../ledger/chain/create-chain.ts';
import { withArguments } from '../../../ledger/contracts/creation-code.ts';
import { hash32, hash32OfText, hex, quantity, quantityOf, weibarPerTinybar, zeroAddress } from '../terms/hex.ts';
import { addressOf, type KnownAddresses } from './address.ts';
import type { RpcLog } from './log.ts';

/** Where it is, and what its own row does not say. */
export type TransactionPlace = {
  blockHash: string | null;
  blockNumber: bigint | null;
  /** Consensus time of its beginning, ns. */
  blockStart: bigint | null;
  addresses: KnownAddresses;
  creationCodes: CreationCodes;
  chainId: bigint;
  /** Of the system at its time, weibar; null = unknown. */
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
    blockTimestamp: quantity((place.blockStart ?? row.consensusTimestamp) / 1_000_000_000n),
    chainId: chainIdOf(row, place.chainId),
    from: senderOf(row, place.addresses),
    gas: quantity(row.gasLimit),
    gasPrice: quantity(paidPrice(row, place.gasPrice)),
    hash: hash32(row.transactionHash ?? Buffer.alloc(0)),
    input: inputOf(row, place.creationCodes),
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
 * Of gas, weibar; null = unknown. One that names a price pays it, as Ethereum's does; of the others whatever they offer
 * is bounded by the price of their time.
 */
function paidPrice(
  { ethType, gasPrice, maxFeePerGas }: Pick<ResultRow, 'ethType' | 'gasPrice' | 'maxFeePerGas'>,
  ofItsTime: bigint | null,
): bigint | null {
  if (ethType === 0 || ethType === 1) return BigInt(quantityOf(gasPrice));
  return ofItsTime ?? (ethType === null ? null : BigInt(quantityOf(maxFeePerGas)));
}

/** Its only trace are logs; `from` is the address of who paid for it. */
export type TokenTransfer = { logs: readonly RpcLog[]; from: string };

type TransferPlace = Pick<TransactionPlace, 'chainId' | 'gasPrice'>;

/** It has no signature of Ethereum; gas and input have the values that the relay gives them. */
export function toSyntheticTransaction({ logs, from }: TokenTransfer, { chainId, gasPrice }: TransferPlace) {
  const [log] = logs as [RpcLog];
  return {
    blockHash: log.blockHash,
    blockNumber: log.blockNumber,
    blockTimestamp: log.blockTimestamp,
    chainId: quantity(chainId),
    from,
    gas: quantity(400_000n),
    gasPrice: quantity(gasPrice),
    hash: log.transactionHash,
    input: '0x0000000000000000',
    nonce: '0x0',
    r: '0x0',
    s: '0x0',
    to: log.address,
    transactionIndex: log.transactionIndex,
    type: '0x0',
    v: '0x0',
    value: '0x0',
  };
}

/** Of contracts that transactions without one of Ethereum created, by id. */
export type CreationCodes = ReadonlyMap<bigint, Buffer>;

/** Parameters of a creation through HAPI are the constructor's arguments alone. */
export function inputOf(row: ResultRow, codes: CreationCodes): string {
  const { functionParameters: given, contractId, failedInitcode } = row;
  if (row.ethType !== null) return hex(given);
  const code = isCreation(row) ? codes.get(contractId) : contractId === 0n ? failedInitcode : null;
  return hex(code?.length ? withArguments(code, given) : given);
}

export function isCreation({ contractId, createdContractIds }: ResultRow): boolean {
  return createdContractIds?.includes(contractId) ?? false;
}

export function senderOf({ senderId, senderAlias }: ResultRow, addresses: KnownAddresses): string {
  if (senderId !== null) return addressOf(addresses.get(senderId), senderId);
  return senderAlias?.length ? hex(senderAlias) : zeroAddress;
}

/** null: a creation. */
export function receiverOf(row: ResultRow, addresses: KnownAddresses): string | null {
  const { contractId, toAddress, receiverId } = row;
  if (isCreation(row)) return null;
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
  if (chainId?.length && ethType !== null) return quantityOf(chainId);
  return ethType === 0 ? undefined : quantity(ofSystem);
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
