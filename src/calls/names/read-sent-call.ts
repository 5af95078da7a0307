// The function that a stored transaction calls, from the bytes in which it was sent.
import type { DecodedCall } from '../../../packages/abi/decoded-value.ts';
import { decodeEthereumTransaction } from '../../../packages/protocol/hapi/ethereum-transaction.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import { findWireBytes } from '../../../packages/protocol/wire-fields.ts';
import { splitTransaction } from '../../../packages/streams/record-stream/split-transaction.ts';
import { readCall } from './usual-names.ts';

const { contractCall, ethereumTransaction } = typeNumber;
/** Of ContractCallTransactionBody, and of EthereumTransactionBody. */
const functionParameters = 4;
const ethereumData = 1;

/**
 * By its name only. null = the transaction calls nothing, the mirror does not keep its bytes, its input is in a file, or
 * no usual name fits.
 */
export function readSentCall({ type, bytes }: { type: number; bytes: Buffer | null }): DecodedCall | null {
  if (bytes === null || (type !== contractCall && type !== ethereumTransaction)) return null;
  const input = readInput(type, bytes);
  return input === null ? null : readCall(null, input);
}

/** The body's field has the number of the type. */
function readInput(type: number, bytes: Buffer): Buffer | null {
  try {
    const data = findWireBytes(splitTransaction(bytes).bodyBytes, type);
    if (data === null || type === contractCall) return data && findWireBytes(data, functionParameters);
    const { toAddress, callData } = decodeEthereumTransaction(findWireBytes(data, ethereumData) ?? Buffer.alloc(0));
    return toAddress.length === 0 ? null : callData;
  } catch {
    return null; // Another program may have stored any bytes.
  }
}
