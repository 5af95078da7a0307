// The Ethereum transaction inside a HAPI transaction.
import { decodeEthereumTransaction, type EthereumTransaction } from '../../protocol/hapi/ethereum-transaction.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { emptyBytes } from './contract-facts.ts';
import type { BlockItem } from '../block/item-context.ts';

/** null when there is none or its bytes are no Ethereum transaction; the handler of the type reports the latter. */
export function decodedEthereumTransaction({ body }: BlockItem): EthereumTransaction | null {
  if (!body.ethereumTransaction) return null;
  try {
    return decodeEthereumTransaction(body.ethereumTransaction.ethereumData ?? emptyBytes);
  } catch (error) {
    if (isBadData(error)) return null;
    throw error;
  }
}
