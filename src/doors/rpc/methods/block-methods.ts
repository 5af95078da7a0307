// Methods about blocks.

import { blockOfContents } from '../reading/block-kinds.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock, newestBlock } from '../reading/find-block.ts';
import { optional } from '../reading/kind.ts';
import { type BlockReference, blockHash, blockNumber, boolean, hexText } from '../reading/kinds.ts';
import { about, type Method, method, plain } from '../reading/method.ts';
import { headerOf } from '../shapes/block.ts';
import { quantity } from '../terms/hex.ts';
import { readBlock, readReceipts, readTransactions } from './block-contents.ts';

async function getBlock(context: RpcContext, reference: BlockReference, isWhole: boolean) {
  const block = await findBlock(context.ledger, reference);
  return block && readBlock(context, block, isWhole);
}

export async function getHeader(context: RpcContext, reference: BlockReference) {
  const block = await getBlock(context, reference, false);
  return block && headerOf(block);
}

/** Of all transactions of the ledger in the block. */
async function countTransactions({ ledger }: RpcContext, reference: BlockReference): Promise<string | null> {
  const block = await findBlock(ledger, reference);
  return block && quantity(block.count);
}

export const blockMethods: Readonly<Record<string, Method>> = {
  eth_blockNumber: about(
    [],
    'number of the newest block',
    plain(async ({ ledger }) => quantity((await newestBlock(ledger)).number)),
  ),
  eth_getBlockByHash: about(
    ['hash of a block', 'whole transactions?'],
    'the block, or null',
    method([blockHash, boolean], getBlock),
  ),
  eth_getBlockByNumber: about(
    ['number or tag', 'whole transactions?'],
    'the block, or null; `latest`, `pending`, `safe` and `finalized` are the newest one, since no block is taken back',
    method([blockNumber, boolean], getBlock),
  ),
  eth_getBlockTransactionCountByHash: about(
    ['hash of a block'],
    'number of all transactions of the ledger in it, or null',
    method([blockHash], countTransactions),
  ),
  eth_getBlockTransactionCountByNumber: about(
    ['number or tag'],
    'number of all transactions of the ledger in it, or null',
    method([blockNumber], countTransactions),
  ),
  eth_getBlockReceipts: about(
    ['block: tag, number, hash or object'],
    'receipts of its transactions, or null',
    method([blockOfContents], async ({ ledger }, reference) => {
      const block = await findBlock(ledger, reference);
      if (!block) return null;
      const transactions = await readTransactions(ledger, block, { isWhole: true });
      return (await readReceipts(ledger, block, transactions)).map(({ receipt }) => receipt);
    }),
  ),
  eth_getHeaderByHash: about(
    ['hash of a block'],
    'the block without what is in it, or null',
    method([blockHash], getHeader),
  ),
  eth_getHeaderByNumber: about(
    ['number or tag'],
    'the block without what is in it, or null',
    method([blockNumber], getHeader),
  ),
  eth_getUncleByBlockHashAndIndex: about(
    ['hash of a block, optional', 'index, optional'],
    'null: there are no uncles',
    method([optional(blockHash), optional(hexText)], () => null),
  ),
  eth_getUncleByBlockNumberAndIndex: about(
    ['number or tag, optional', 'index, optional'],
    'null: there are no uncles',
    method([optional(blockNumber), optional(hexText)], () => null),
  ),
  eth_getUncleCountByBlockHash: about(
    ['hash of a block, optional'],
    '0',
    method([optional(blockHash)], () => '0x0'),
  ),
  eth_getUncleCountByBlockNumber: about(
    ['number or tag, optional'],
    '0',
    method([optional(blockNumber)], () => '0x0'),
  ),
};
