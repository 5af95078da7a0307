// The Ethereum transaction inside a HAPI transaction: its values, its hash, and its input to the EVM.

import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import {
  decodeEthereumTransaction,
  type EthereumTransaction,
  encodeEthereumTransaction,
} from '../../../packages/protocol/hapi/ethereum-transaction.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import { isBadData } from '../../../packages/protocol/ledger-value-error.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { FileContents } from '../block/file-contents.ts';
import type { ItemContext } from '../block/item-context.ts';
import { emptyBytes, nonEmpty } from '../columns/stored-values.ts';

/** null if there is none or its bytes are no Ethereum transaction; the handler of the type reports the latter. */
export function decodedEthereumTransaction({ body }: BlockItem): EthereumTransaction | null {
  if (!body.ethereumTransaction) return null;
  try {
    return decodeEthereumTransaction(body.ethereumTransaction.ethereumData ?? emptyBytes);
  } catch (error) {
    if (isBadData(error)) return null;
    throw error;
  }
}

/**
 * The 32-byte hash of EVM tools: as reported by the network, else the Keccak of the signed bytes with call data from a
 * file put back. For other types the first 32 bytes of the record's hash.
 */
export function evmTransactionHash(
  { record, type, body }: Pick<BlockItem, 'record' | 'type' | 'body'>,
  files: Pick<FileContents, 'read'>,
): Uint8Array {
  if (record.ethereumHash && record.ethereumHash.length > 0) return record.ethereumHash;
  const raw = type === typeNumber.ethereumTransaction ? body.ethereumTransaction?.ethereumData : null;
  if (!raw || raw.length === 0) return (record.transactionHash ?? emptyBytes).subarray(0, 32);
  const fileId = toEntityId(body.ethereumTransaction?.callData);
  return keccak256(fileId === 0n ? raw : withCallData(raw, files.read(fileId)));
}

/** Off-loaded transactions are signed with their call data and an empty access list. */
function withCallData(raw: Uint8Array, file: Uint8Array | null): Uint8Array {
  const callData = file ? decodeHexFile(file) : null;
  if (!callData) return raw;
  const decoded = decodeEthereumTransaction(raw);
  if (decoded.callData.length > 0) return raw;
  return encodeEthereumTransaction({
    ...decoded,
    callData: Buffer.from(callData),
    accessList: decoded.accessList ? [] : null,
  });
}

type SentToEvm = {
  /** tinybar. */
  amount: bigint;
  callData: Uint8Array;
  gasLimit: bigint;
};

const weibarPerTinybar = 10_000_000_000n;

/**
 * Values that a block omits from a result because they are in the transaction. null without an Ethereum transaction.
 */
export function sentToEvm(item: BlockItem, context: ItemContext): SentToEvm | null {
  const decoded = decodedEthereumTransaction(item);
  if (!decoded) return null;
  const file = decoded.callData.length === 0 ? readCode(context, item.body.ethereumTransaction?.callData) : null;
  // A payment that ran in an EVM is within 64 bits; of one that was refused for its size the lower ones are kept.
  const amount = BigInt.asIntN(64, BigInt(`0x${decoded.value.toString('hex')}`) / weibarPerTinybar);
  return { amount, callData: file ?? decoded.callData, gasLimit: decoded.gasLimit };
}

/** For a creation in a block: code from a file with its constructor parameters, or call data. null for all others. */
export function sentInitcode(item: BlockItem, context: ItemContext): Uint8Array | null {
  if (item.recordBytes !== null) return null;
  const { contractCreateInstance: creation } = item.body;
  if (creation) {
    const code = readCode(context, creation.fileID);
    return code && Buffer.concat([code, creation.constructorParameters ?? emptyBytes]);
  }
  return item.record.contractCreateResult ? nonEmpty(sentToEvm(item, context)?.callData) : null;
}

function readCode({ files }: ItemContext, id: Parameters<typeof toEntityId>[0]): Uint8Array | null {
  const fileId = toEntityId(id);
  const contents = fileId === 0n ? null : files.read(fileId);
  return contents && decodeHexFile(contents);
}

/** Bytes of a file that holds code or call data as hex text, optionally after `0x`. null if it is not hex. */
export function decodeHexFile(contents: Uint8Array): Uint8Array | null {
  const text = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength).toString('latin1').trim();
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return null;
  return Buffer.from(digits, 'hex');
}
