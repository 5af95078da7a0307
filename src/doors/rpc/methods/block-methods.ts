// Methods about blocks.

import { blockOfState } from '../reading/block-kinds.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock, newestBlock } from '../reading/find-block.ts';
import { optional } from '../reading/kind.ts';
import { type BlockReference, blockHash, blockNumber, boolean, hexText } from '../reading/kinds.ts';
import { type Method, method, plain } from '../reading/method.ts';
import { quantity } from '../terms/hex.ts';
import { readBlock, readReceipts, readTransactions } from './block-contents.ts';

async function getBlock(context: RpcContext, reference: BlockReference, isWhole: boolean) {
  const block = await findBlock(context.ledger, reference);
  return block && readBlock(context, block, isWhole);
}

/** Of all transactions of the ledger in the block. */
async function countTransactions({ ledger }: RpcContext, reference: BlockReference): Promise<string | null> {
  const block = await findBlock(ledger, reference);
  return block && quantity(block.count);
}

export const blockMethods: Readonly<Record<string, Method>> = {
  eth_blockNumber: plain(async ({ ledger }) => quantity((await newestBlock(ledger)).number)),
  eth_getBlockByHash: method([blockHash, boolean], getBlock),
  eth_getBlockByNumber: method([blockNumber, boolean], getBlock),
  eth_getBlockTransactionCountByHash: method([blockHash], countTransactions),
  eth_getBlockTransactionCountByNumber: method([blockNumber], countTransactions),
  eth_getBlockReceipts: method([blockOfState], async ({ ledger }, reference) => {
    const block = await findBlock(ledger, reference);
    if (!block) return null;
    const transactions = await readTransactions(ledger, block, { isWhole: true });
    return (await readReceipts(ledger, block, transactions)).map(({ receipt }) => receipt);
  }),
  eth_getUncleByBlockHashAndIndex: method([optional(blockHash), optional(hexText)], () => null),
  eth_getUncleByBlockNumberAndIndex: method([optional(blockNumber), optional(hexText)], () => null),
  eth_getUncleCountByBlockHash: method([optional(blockHash)], () => '0x0'),
  eth_getUncleCountByBlockNumber: method([optional(blockNumber)], () => '0x0'),
};
