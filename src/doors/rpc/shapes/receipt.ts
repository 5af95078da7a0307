// The receipt of a transaction: of a contract result, or of a transfer of tokens that ran no code.
import { isSuccess, responseCode, responseCodeName } from '../../../../packages/protocol/hapi/response-codes.ts';
import { emptyRoot, hash32, hash32OfText, hex, quantity } from '../terms/hex.ts';
import { addressOf, type KnownAddresses } from './address.ts';
import { bloomOf, toBloom } from './bloom.ts';
import type { RpcLog } from './log.ts';
import { isTokenCreation } from './token-creations.ts';
import { isCreation, type ResultRow, receiverOf, senderOf, type TokenTransfer } from './transaction.ts';

type ReceiptPlace = {
  blockHash: string | null;
  blockNumber: bigint | null;
  addresses: KnownAddresses;
  /** weibar; null = unknown. */
  gasPrice: bigint | null;
  /** Of the block, up to and with this transaction. */
  cumulativeGasUsed: bigint;
  logs: readonly RpcLog[];
};

export function toReceipt(row: ResultRow, place: ReceiptPlace) {
  const reason = reasonOf(row);
  return {
    blockHash: hash32OfText(place.blockHash),
    blockNumber: place.blockNumber === null ? null : quantity(place.blockNumber),
    from: senderOf(row, place.addresses),
    to: receiverOf(row, place.addresses),
    cumulativeGasUsed: quantity(place.cumulativeGasUsed),
    gasUsed: quantity(row.gasUsed),
    contractAddress: contractAddressOf(row),
    logs: place.logs,
    logsBloom: toBloom(row.bloom),
    transactionHash: hash32(row.transactionHash ?? Buffer.alloc(0)),
    transactionIndex: row.transactionIndex === null ? null : quantity(row.transactionIndex),
    effectiveGasPrice: quantity(place.gasPrice),
    root: emptyRoot,
    status: isSuccess(row.transactionResult) ? '0x1' : '0x0',
    type: quantity(row.ethType),
    ...(reason !== null && { revertReason: reason }),
  };
}

export function toSyntheticReceipt(
  { logs, from }: TokenTransfer,
  { gasPrice, cumulativeGasUsed }: Pick<ReceiptPlace, 'gasPrice' | 'cumulativeGasUsed'>,
) {
  const [log] = logs as [RpcLog];
  return {
    blockHash: log.blockHash,
    blockNumber: log.blockNumber,
    from,
    to: log.address,
    cumulativeGasUsed: quantity(cumulativeGasUsed),
    gasUsed: '0x0',
    contractAddress: null,
    logs,
    logsBloom: bloomOf(logs),
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionIndex,
    effectiveGasPrice: quantity(gasPrice),
    root: emptyRoot,
    status: '0x1',
    type: '0x0',
  };
}

/** As a contract result shows it: for an Ethereum transaction that failed without a message, the name of the result. */
export function errorMessageOf({ errorMessage, ethType, transactionResult }: ResultRow): string | null {
  if (errorMessage) return errorMessage;
  return ethType !== null && !isSuccess(transactionResult) ? responseCodeName(transactionResult) : null;
}

/** Hex of what a failed transaction said, `0x` of a revert that said nothing; null = it did not fail, or none is known. */
export function reasonOf(row: ResultRow): string | null {
  if (isSuccess(row.transactionResult)) return null;
  if (!row.errorMessage && row.transactionResult === responseCode.CONTRACT_REVERT_EXECUTED) return '0x';
  const message = errorMessageOf(row);
  if (message === null) return null;
  return /^0x[0-9a-f]*$/i.test(message) ? message : hex(Buffer.from(message));
}

/** Of what the transaction itself created: a contract, or a token by a call of the system contract. */
function contractAddressOf(row: ResultRow): string | null {
  const { contractId, evmAddress, functionParameters, callResult, transactionResult } = row;
  if (callResult && callResult.length >= 20 && isSuccess(transactionResult) && isTokenCreation(functionParameters)) {
    return hex(callResult.subarray(-20));
  }
  return isCreation(row) ? addressOf(evmAddress, contractId) : null;
}
