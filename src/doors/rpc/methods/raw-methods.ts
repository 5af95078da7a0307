// Methods that answer the bytes that Ethereum's nodes hash and pass on.

import { blockOfContents } from '../reading/block-kinds.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock, textOfBlock } from '../reading/find-block.ts';
import { type BlockReference, blockHash, blockNumber, hexNumber, transactionHash } from '../reading/kinds.ts';
import { about, type Method, method, plain } from '../reading/method.ts';
import { encodeReceipt } from '../shapes/raw-receipt.ts';
import { toRawTransaction } from '../shapes/raw-transaction.ts';
import { hex } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { readReceipts, readTransactions } from './block-contents.ts';
import { findExecution } from './transaction-methods.ts';

async function getRawTransaction({ ledger }: RpcContext, hash: Buffer): Promise<string> {
  const row = await findExecution(ledger, hash);
  const raw = row && toRawTransaction(row);
  if (raw) return hex(raw);
  throw rpcError.notFound(`No signed Ethereum transaction has the hash 0x${hash.toString('hex')}`);
}

async function getRawByIndex({ ledger }: RpcContext, reference: BlockReference, index: bigint): Promise<string | null> {
  const block = await findBlock(ledger, reference);
  const found = block && (await readTransactions(ledger, block, { isWhole: true })).find((one) => one.index === index);
  if (!found) return null;
  const raw = found.row && toRawTransaction(found.row);
  if (raw) return hex(raw);
  throw rpcError.notFound(`The transaction ${found.hash} is no signed Ethereum transaction`);
}

async function getRawReceipts({ ledger }: RpcContext, reference: BlockReference): Promise<string[]> {
  const block = await findBlock(ledger, reference);
  if (!block) throw rpcError.notFound(`block '${textOfBlock(reference)}'.`);
  const transactions = await readTransactions(ledger, block, { isWhole: true });
  const receipts = await readReceipts(ledger, block, transactions);
  return receipts.map(({ receipt }) => hex(Buffer.from(encodeReceipt(receipt))));
}

/** The hash of a block is not one of these bytes: a client that checked them would find them wrong. */
const why = 'the hash of a block is that of its stream file, not of an RLP header';
const refuse = plain(() => {
  throw rpcError.unsupportedMethod(why);
});
const byHash = about(
  ['hash of a transaction'],
  'what its sender signed, where the ledger has all of it: the bytes have that hash; else −32001',
  method([transactionHash], getRawTransaction),
);
const byIndex = 'the same of the transaction at that place; null where there is none';
const refused = `refused (−32601): ${why}`;

export const rawMethods: Readonly<Record<string, Method>> = {
  debug_getRawBlock: about([], refused, refuse),
  debug_getRawHeader: about([], refused, refuse),
  debug_getRawReceipts: about(
    ['block: tag, number, hash or object'],
    "the block's receipts in RLP, of which `receiptsRoot` is the root",
    method([blockOfContents], getRawReceipts),
  ),
  debug_getRawTransaction: byHash,
  eth_getRawTransactionByHash: byHash,
  eth_getRawTransactionByBlockHashAndIndex: about(
    ['hash of a block', 'index'],
    byIndex,
    method([blockHash, hexNumber], getRawByIndex),
  ),
  eth_getRawTransactionByBlockNumberAndIndex: about(
    ['number or tag', 'index'],
    byIndex,
    method([blockNumber, hexNumber], getRawByIndex),
  ),
};
