// The 32-byte hash that EVM tools know a transaction by. The network reports it; where it does not, it is the Keccak of
// the signed bytes, with call data that was put into a file back in its place.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { decodeEthereumTransaction, encodeEthereumTransaction } from '../../protocol/hapi/ethereum-transaction.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { keccak256 } from '../../protocol/keccak256.ts';
import type { BlockItem } from '../block/block-item.ts';
import { decodeHexFile, emptyBytes } from './contract-facts.ts';
import type { FileContents } from '../block/file-contents.ts';

/** The Ethereum hash, else the first 32 bytes of the record's. */
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
