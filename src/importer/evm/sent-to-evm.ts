// What a block leaves out of a result because the transaction says it: what an Ethereum transaction sent to the EVM, and the
// creation code of a contract that a client made. Records repeat both.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import type { EthereumTransaction } from '../../protocol/hapi/ethereum-transaction.ts';
import { decodeHexFile, emptyBytes } from './contract-facts.ts';
import { nonEmpty } from '../columns/non-empty.ts';
import type { BlockItem, HandlerContext } from '../block/item-context.ts';
import { decodedEthereumTransaction } from './ethereum-data.ts';

type SentToEvm = {
  /** tinybar. */
  amount: bigint;
  callData: Uint8Array;
  gasLimit: bigint;
};

/** null of what is no Ethereum transaction. */
export function sentToEvm(item: BlockItem, context: HandlerContext): SentToEvm | null {
  const decoded = decodedEthereumTransaction(item);
  if (!decoded) return null;
  const file = decoded.callData.length === 0 ? readCode(context, item.body.ethereumTransaction?.callData) : null;
  // A payment that an EVM ran with is within 64 bits; of one that was refused for its size the lower ones are kept.
  const amount = BigInt.asIntN(64, weibarOf(decoded) / weibarPerTinybar);
  return { amount, callData: file ?? decoded.callData, gasLimit: decoded.gasLimit };
}

const weibarPerTinybar = 10_000_000_000n;

function weibarOf({ value }: EthereumTransaction): bigint {
  return BigInt(`0x${value.toString('hex')}`);
}

/** Of a creation in a block: code from a file with what its constructor is given, or call data. null of all others. */
export function sentInitcode(item: BlockItem, context: HandlerContext): Uint8Array | null {
  if (item.recordBytes !== null) return null;
  const { contractCreateInstance: creation } = item.body;
  if (creation) {
    const code = readCode(context, creation.fileID);
    return code && Buffer.concat([code, creation.constructorParameters ?? emptyBytes]);
  }
  return item.record.contractCreateResult ? nonEmpty(sentToEvm(item, context)?.callData) : null;
}

/** A file of code holds hex digits. */
function readCode({ files }: HandlerContext, id: Parameters<typeof toEntityId>[0]): Uint8Array | null {
  const fileId = toEntityId(id);
  const contents = fileId === 0n ? null : files.read(fileId);
  return contents && decodeHexFile(contents);
}
