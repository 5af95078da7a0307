// Ethereum transactions as an EthereumTransaction carries them: raw RLP ⇄ the values that the ledger's tables store,
// bytes where the tables have bytes. Strict: a transaction that does not encode back to the same bytes is refused.

import { type NestedUint8Array, RLP } from '@ethereumjs/rlp';
import { LedgerValueError } from '../ledger-value-error.ts';

type EthereumAccessListItem = { address: string; storage_keys: string[] };

type EthereumAuthorization = {
  address: string;
  chain_id: string;
  nonce: bigint;
  r: string;
  s: string;
  /** `0x0` or `0x1`. */
  y_parity: string;
};

export type EthereumTransaction = {
  /** 0 legacy, 1 EIP-2930, 2 EIP-1559, 4 EIP-7702. */
  type: number;
  /** Legacy: signed big-endian, null before EIP-155. Others: as in the RLP. */
  chainId: Buffer | null;
  nonce: bigint;
  /** Prices in weibar, bytes as in the RLP (empty for 0); null if the type has no such field. */
  gasPrice: Buffer | null;
  maxPriorityFeePerGas: Buffer | null;
  maxFeePerGas: Buffer | null;
  gasLimit: bigint;
  /** 20 bytes, or empty if the transaction creates a contract. */
  toAddress: Buffer;
  /** weibar, signed big-endian: 0 is one zero byte. */
  value: Buffer;
  callData: Buffer;
  /** null for legacy transactions. */
  accessList: EthereumAccessListItem[] | null;
  /** null for all types but 4. */
  authorizationList: EthereumAuthorization[] | null;
  /** 0 or 1. */
  recoveryId: number;
  /** Legacy only. */
  signatureV: Buffer | null;
  signatureR: Buffer;
  signatureS: Buffer;
};

/** Throws LedgerValueError saying what is wrong. */
export function decodeEthereumTransaction(raw: Uint8Array): EthereumTransaction {
  const first = raw[0];
  if (first === undefined) throw new LedgerValueError('Invalid Ethereum transaction: no bytes');
  const isLegacy = first >= firstListPrefix;
  const layout = isLegacy ? legacyLayout : first > 0 ? findLayout(first) : undefined;
  if (!layout) throw new LedgerValueError(`Invalid Ethereum transaction: unknown type ${first}`);
  const items = decodeList(isLegacy ? raw : raw.subarray(1));
  if (items.length !== layout.length) {
    throw new LedgerValueError(`Invalid Ethereum transaction: ${items.length} items instead of ${layout.length}`);
  }
  const item = (name: FieldName): Buffer | null => {
    const index = layout.indexOf(name);
    return index < 0 ? null : toBytes(items[index]!, name);
  };
  const list = (name: FieldName): NestedUint8Array | null => {
    const index = layout.indexOf(name);
    return index < 0 ? null : toList(items[index]!, name);
  };
  const accessList = list('accessList');
  const authorizationList = list('authorizationList');
  const toAddress = item('toAddress')!;
  if (toAddress.length !== 0 && toAddress.length !== 20) throw invalid('toAddress', `${toAddress.length} bytes`);
  const signatureV = item('signatureV');
  const v = signatureV && toInteger(signatureV, 'signatureV');
  return {
    type: isLegacy ? 0 : first,
    chainId: v === null ? item('chainId') : legacyChainId(v),
    nonce: toInt64(item('nonce')!, 'nonce'),
    gasPrice: item('gasPrice'),
    maxPriorityFeePerGas: item('maxPriorityFeePerGas'),
    maxFeePerGas: item('maxFeePerGas'),
    gasLimit: toInt64(item('gasLimit')!, 'gasLimit'),
    toAddress,
    value: toSignedBytes(toInteger(item('value')!, 'value')),
    callData: item('callData')!,
    accessList: accessList?.map(toAccessListItem) ?? null,
    authorizationList: authorizationList?.map(toAuthorization) ?? null,
    recoveryId: v === null ? toYParity(item('yParity')!) : Number(1n - (v & 1n)),
    signatureV,
    signatureR: item('signatureR')!,
    signatureS: item('signatureS')!,
  };
}

/**
 * V as the legacy transaction of this chain carries it (EIP-155), where only the chain and the parity of R were kept;
 * null for one that names no chain.
 */
export function toLegacyV(chainId: Uint8Array | null, recoveryId: number): bigint | null {
  if (!chainId?.length) return null;
  return 2n * BigInt(`0x${Buffer.from(chainId).toString('hex')}`) + 35n + BigInt(recoveryId);
}

/** The raw transaction of these values: the exact inverse of `decodeEthereumTransaction`. */
export function encodeEthereumTransaction(transaction: EthereumTransaction): Buffer {
  const { type, accessList, authorizationList } = transaction;
  const layout = findLayout(type);
  if (!layout) throw new LedgerValueError(`Invalid Ethereum transaction: unknown type ${type}`);
  const values: Record<FieldName, Uint8Array | NestedUint8Array> = {
    chainId: transaction.chainId ?? emptyBytes,
    nonce: toUnsignedBytes(transaction.nonce),
    gasPrice: transaction.gasPrice ?? emptyBytes,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? emptyBytes,
    maxFeePerGas: transaction.maxFeePerGas ?? emptyBytes,
    gasLimit: toUnsignedBytes(transaction.gasLimit),
    toAddress: transaction.toAddress,
    value: toUnsignedBytes(toUnsigned(transaction.value)),
    callData: transaction.callData,
    accessList: (accessList ?? []).map(({ address, storage_keys }) => [fromHex(address), storage_keys.map(fromHex)]),
    authorizationList: (authorizationList ?? []).map((authorization) => [
      fromHex(authorization.chain_id),
      fromHex(authorization.address),
      toUnsignedBytes(authorization.nonce),
      toUnsignedBytes(BigInt(authorization.y_parity)),
      toUnsignedBytes(BigInt(authorization.r)),
      toUnsignedBytes(BigInt(authorization.s)),
    ]),
    yParity: toUnsignedBytes(BigInt(transaction.recoveryId)),
    signatureV: transaction.signatureV ?? emptyBytes,
    signatureR: transaction.signatureR,
    signatureS: transaction.signatureS,
  };
  const list = RLP.encode(layout.map((name) => values[name]));
  return type === 0 ? Buffer.from(list) : Buffer.concat([Buffer.of(type), list]);
}

const call = ['gasLimit', 'toAddress', 'value', 'callData'] as const;
const signature = ['yParity', 'signatureR', 'signatureS'] as const;
const fees = ['maxPriorityFeePerGas', 'maxFeePerGas'] as const;
const legacyLayout = ['nonce', 'gasPrice', ...call, 'signatureV', 'signatureR', 'signatureS'] as const;
/** Items of the list behind the type byte, by type. */
const typedLayouts = {
  1: ['chainId', 'nonce', 'gasPrice', ...call, 'accessList', ...signature],
  2: ['chainId', 'nonce', ...fees, ...call, 'accessList', ...signature],
  4: ['chainId', 'nonce', ...fees, ...call, 'accessList', 'authorizationList', ...signature],
} as const;

type FieldName = (typeof legacyLayout | (typeof typedLayouts)[keyof typeof typedLayouts])[number];
type Layout = readonly FieldName[];

/** undefined for unknown types. */
function findLayout(type: number): Layout | undefined {
  return type === 0 ? legacyLayout : (typedLayouts as Readonly<Record<number, Layout>>)[type];
}

const emptyBytes = new Uint8Array(0);
/** RLP: this and higher bytes begin a list, so they are no transaction type. */
const firstListPrefix = 0xc0;
const maxInt64 = 0x7fff_ffff_ffff_ffffn;

function decodeList(bytes: Uint8Array): NestedUint8Array {
  let decoded: Uint8Array | NestedUint8Array;
  try {
    decoded = RLP.decode(bytes);
  } catch (error) {
    throw new LedgerValueError(`Invalid Ethereum transaction: ${(error as Error).message}`);
  }
  if (!Array.isArray(decoded)) throw new LedgerValueError('Invalid Ethereum transaction: no list');
  if (Buffer.compare(RLP.encode(decoded), bytes) !== 0) {
    throw new LedgerValueError('Invalid Ethereum transaction: not in canonical form');
  }
  return decoded;
}

function toBytes(item: Uint8Array | NestedUint8Array, name: string): Buffer {
  if (Array.isArray(item)) throw invalid(name, 'a list');
  return Buffer.from(item.buffer, item.byteOffset, item.length);
}

function toList(item: Uint8Array | NestedUint8Array, name: string): NestedUint8Array {
  if (!Array.isArray(item)) throw invalid(name, 'no list');
  return item;
}

function toAccessListItem(item: Uint8Array | NestedUint8Array): EthereumAccessListItem {
  const [address, keys] = tuple(item, 2, 'accessList');
  return {
    address: toHex(address!, 20, 'address in accessList'),
    storage_keys: toList(keys!, 'accessList').map((key) => toHex(key, 32, 'storage key in accessList')),
  };
}

function toAuthorization(item: Uint8Array | NestedUint8Array): EthereumAuthorization {
  const [chainId, address, nonce, yParity, r, s] = tuple(item, 6, 'authorizationList');
  return {
    address: toHex(address!, 20, 'address in authorizationList'),
    chain_id: `0x${toBytes(chainId!, 'chain id in authorizationList').toString('hex')}`,
    nonce: toInt64(toBytes(nonce!, 'nonce in authorizationList'), 'nonce in authorizationList'),
    r: toPaddedHex(r!, 'r in authorizationList'),
    s: toPaddedHex(s!, 's in authorizationList'),
    y_parity: `0x${toYParity(toBytes(yParity!, 'yParity in authorizationList'))}`,
  };
}

function tuple(item: Uint8Array | NestedUint8Array, length: number, name: string): NestedUint8Array {
  const list = toList(item, name);
  if (list.length !== length) throw invalid(name, `an entry of ${list.length} items instead of ${length}`);
  return list;
}

function toHex(item: Uint8Array | NestedUint8Array, length: number, name: string): string {
  const bytes = toBytes(item, name);
  if (bytes.length !== length) throw invalid(name, `${bytes.length} bytes instead of ${length}`);
  return `0x${bytes.toString('hex')}`;
}

// Signature parts are integers in the RLP, without leading zeros; as text they have all 32 bytes.
function toPaddedHex(item: Uint8Array | NestedUint8Array, name: string): string {
  const bytes = toBytes(item, name);
  if (bytes.length > 32) throw invalid(name, `${bytes.length} bytes instead of at most 32`);
  return `0x${bytes.toString('hex').padStart(64, '0')}`;
}

function fromHex(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}

function toYParity(bytes: Buffer): number {
  const value = toInteger(bytes, 'yParity');
  if (value > 1n) throw invalid('yParity', `${value}`);
  return Number(value);
}

/** EIP-155: v = 35 + 2 × chain id + parity. Before it v is 27 or 28. */
function legacyChainId(v: bigint): Buffer | null {
  return v > 34n ? toSignedBytes((v - 35n) >> 1n) : null;
}

function toInt64(bytes: Buffer, name: string): bigint {
  const value = toInteger(bytes, name);
  if (value > maxInt64) throw invalid(name, `${value}, which is beyond 64 bits`);
  return value;
}

function toInteger(bytes: Buffer, name: string): bigint {
  if (bytes[0] === 0) throw invalid(name, 'an integer with leading zeros');
  return toUnsigned(bytes);
}

function toUnsigned(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function toUnsignedBytes(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** Two's complement with a sign bit: one zero byte for 0, a leading zero byte if the top bit is set. */
function toSignedBytes(value: bigint): Buffer {
  const bytes = toUnsignedBytes(value);
  return bytes.length === 0 || bytes[0]! > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

function invalid(name: string, found: string): LedgerValueError {
  return new LedgerValueError(`Invalid Ethereum transaction: ${name} is ${found}`);
}
