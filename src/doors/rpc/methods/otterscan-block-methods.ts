// `ots_…` of Otterscan about blocks: a block without its transactions, and these in pages, from the last one on.
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock } from '../reading/find-block.ts';
import { type BlockReference, blockHash } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { numberUpTo, plainBlockNumber } from '../reading/plain-numbers.ts';
import { quantity } from '../terms/hex.ts';
import {
  type BlockTransaction,
  readBlock,
  readKnown,
  readReceipts,
  readTransactions,
  showTransaction,
} from './block-contents.ts';

/** As Erigon has it. */
const maxPageSize = 255;
const maxPage = 10_000;
/** No answer has all of them whole. */
const asNamed = { isWhole: false };

async function getDetails(context: RpcContext, reference: BlockReference) {
  const { ledger, turns } = context;
  const block = await findBlock(ledger, reference);
  if (!block) return null;
  const transactions = await turns.take(() => readTransactions(ledger, block, asNamed));
  let totalFees = 0n;
  for (const { row, gasPrice } of transactions) totalFees += (row?.gasUsed ?? 0n) * (gasPrice ?? 0n);
  return {
    block: await withoutTransactions(context, block, transactions),
    // Nothing is issued.
    issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
    totalFees: quantity(totalFees),
  };
}

/** `transactionCount`: a number, of those that JSON-RPC shows. */
async function withoutTransactions(context: RpcContext, block: ChainBlock, read: readonly BlockTransaction[]) {
  const { transactions, ...rest } = await readBlock(context, block, false, read);
  return { ...rest, logsBloom: null, transactionCount: transactions.length };
}

/** In the order of the block; the first page is its end. */
async function getTransactions(context: RpcContext, reference: BlockReference, page: number, size: number) {
  const { ledger, turns } = context;
  const block = await findBlock(ledger, reference);
  if (!block) return null;
  const all = await turns.take(() => readTransactions(ledger, block, asNamed));
  const end = Math.max(0, all.length - page * size);
  const begin = Math.max(0, end - size);
  const shown = all.slice(begin, end);
  const [known, receipts] = await Promise.all([
    readKnown(context, shown),
    readReceipts(ledger, block, all.slice(0, end)),
  ]);
  return {
    fullblock: {
      ...(await withoutTransactions(context, block, all)),
      transactions: shown.map((one) => {
        const { input, ...transaction } = showTransaction(block, one, known);
        return { ...transaction, input: input.slice(0, selectorLength) };
      }),
    },
    receipts: receipts.slice(begin).map(({ receipt }) => ({ ...receipt, logs: null, logsBloom: null })),
  };
}

/** Of `0x` and four bytes. */
const selectorLength = 10;

export const otterscanBlockMethods: Readonly<Record<string, Method>> = {
  ots_getBlockDetails: about(
    ['number or tag'],
    'the block without its transactions and its bloom, their number, and the fees paid in it; or null',
    method([plainBlockNumber], getDetails),
  ),
  ots_getBlockDetailsByHash: about(['hash of a block'], 'the same', method([blockHash], getDetails)),
  ots_getBlockTransactions: about(
    ['number or tag', 'page, from 0 on', `transactions of a page, at most ${maxPageSize}`],
    'a page of its transactions, with 4 bytes of their input, and their receipts, without logs; the first page is the end of the block',
    method([plainBlockNumber, numberUpTo(maxPage), numberUpTo(maxPageSize, 1)], getTransactions),
  ),
};
