// Methods about single transactions.
import { anyRange } from '../../../../packages/kit/range.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock } from '../reading/find-block.ts';
import { address, type BlockReference, blockHash, blockNumber, hexNumber, transactionHash } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { addressOf } from '../shapes/address.ts';
import { type RpcLog, toListedLog, toLog } from '../shapes/log.ts';
import { toReceipt, toSyntheticReceipt } from '../shapes/receipt.ts';
import { type TokenTransfer, toSyntheticTransaction, toTransaction } from '../shapes/transaction.ts';
import {
  gasPriceAt,
  readAddresses,
  readCreationCodes,
  readKnown,
  readTransactions,
  showTransaction,
  withReceiver,
} from './block-contents.ts';

/** null = there is none under that hash. */
export async function findResult(ledger: Ledger, hash: Buffer) {
  const found = await ledger.contractResults.find({ kind: 'hash', hash }, { synthetic: false });
  if (!found || found.blockNumber === null) return null;
  return { ...found, ...withReceiver(ledger, found) };
}

/** null = nothing that ran under that hash is in a block. */
export async function findExecution(ledger: Ledger, hash: Buffer) {
  const found = await findResult(ledger, hash);
  return found && ledger.chain.isOfBlock(found) ? found : null;
}

/** `at`: null = there is none. ns */
type FoundTransfer = { logs: RpcLog[]; at: bigint | null; blockStart: bigint | null; payerId: bigint | null };

/** Of a transfer of tokens, which ran no code. */
export async function findLogs(ledger: Ledger, hash: Buffer): Promise<FoundTransfer> {
  const { items } = await ledger.contractLogs.listPlain({
    ...{ contractId: null, transactionHash: hash, timestamp: anyRange, index: anyRange, topics: [] },
    ...{ order: 'asc', limit: 1000 },
  });
  const [first] = items;
  return {
    logs: items.map(toListedLog),
    at: first?.consensusTimestamp ?? null,
    blockStart: first?.blockStart ?? null,
    payerId: first?.payerAccountId ?? null,
  };
}

/** Whether only logs tell of that transaction. */
export async function isTransfer(ledger: Ledger, hash: Buffer): Promise<boolean> {
  return (await findLogs(ledger, hash)).logs.length > 0;
}

async function toTransfer(ledger: Ledger, { logs, payerId }: FoundTransfer): Promise<TokenTransfer | null> {
  if (payerId === null) return null;
  const addresses = await readAddresses(ledger, [], [payerId]);
  return { logs, from: addressOf(addresses.get(payerId), payerId) };
}

async function getTransaction({ ledger, chainId }: RpcContext, hash: Buffer) {
  const row = await findExecution(ledger, hash);
  if (!row) {
    const found = await findLogs(ledger, hash);
    const transfer = await toTransfer(ledger, found);
    if (!transfer || found.at === null) return null;
    return toSyntheticTransaction(transfer, { chainId, gasPrice: await gasPriceAt(ledger, found.at) });
  }
  const [addresses, creationCodes, gasPrice] = await Promise.all([
    readAddresses(ledger, [row]),
    readCreationCodes(ledger, [row]),
    gasPriceAt(ledger, row.consensusTimestamp),
  ]);
  const { blockHash: ofBlock, blockNumber, blockStart } = row;
  return toTransaction(row, {
    ...{ blockHash: ofBlock, blockNumber, blockStart, addresses },
    ...{ creationCodes, chainId, gasPrice },
  });
}

export async function getReceipt({ ledger }: RpcContext, hash: Buffer) {
  const row = await findExecution(ledger, hash);
  if (!row) return getTransferReceipt(ledger, hash);
  const { blockNumber: number, blockStart, consensusTimestamp: at } = row;
  if (number === null || blockStart === null) return null;
  const [addresses, gasPrice, cumulativeGasUsed] = await Promise.all([
    readAddresses(ledger, [row]),
    gasPriceAt(ledger, at),
    ledger.chain.gasUsed({ from: blockStart, to: at }),
  ]);
  const logs = row.logs.map((log) => toLog(log, row));
  return toReceipt(row, {
    ...{ blockHash: row.blockHash, blockNumber: number, addresses },
    gasPrice,
    cumulativeGasUsed,
    logs,
  });
}

async function getTransferReceipt(ledger: Ledger, hash: Buffer) {
  const found = await findLogs(ledger, hash);
  const transfer = await toTransfer(ledger, found);
  const { at, blockStart } = found;
  if (!transfer || at === null || blockStart === null) return null;
  const [gasPrice, cumulativeGasUsed] = await Promise.all([
    gasPriceAt(ledger, at),
    ledger.chain.gasUsed({ from: blockStart, to: at }),
  ]);
  return toSyntheticReceipt(transfer, { gasPrice, cumulativeGasUsed });
}

async function getByIndex(context: RpcContext, reference: BlockReference, index: bigint) {
  const { ledger } = context;
  const block = await findBlock(ledger, reference);
  if (!block) return null;
  const transactions = await readTransactions(ledger, block, { isWhole: true });
  const found = transactions.find((one) => one.index === index);
  return found ? showTransaction(block, found, await readKnown(context, [found])) : null;
}

async function getSent(context: RpcContext, sender: Buffer, nonce: bigint) {
  const entity = await context.ledger.chain.entityAt(sender);
  const sent = entity && (await context.ledger.chain.sentWith(entity, nonce));
  return sent && getTransaction(context, sent.hash);
}

export const transactionMethods: Readonly<Record<string, Method>> = {
  eth_getTransactionByBlockHashAndIndex: about(
    ['hash of a block', 'index'],
    'the transaction, or null',
    method([blockHash, hexNumber], getByIndex),
  ),
  eth_getTransactionByBlockNumberAndIndex: about(
    ['number or tag', 'index'],
    'the transaction, or null',
    method([blockNumber, hexNumber], getByIndex),
  ),
  eth_getTransactionByHash: about(
    ['hash of a transaction'],
    'the transaction, or null; a transfer of tokens without code is shown by its logs',
    method([transactionHash], getTransaction),
  ),
  eth_getTransactionBySenderAndNonce: about(
    ['address', 'nonce'],
    'the Ethereum transaction that ran with it, or null',
    method([address, hexNumber], getSent),
  ),
  eth_getTransactionReceipt: about(
    ['hash of a transaction'],
    'the receipt, or null',
    method([transactionHash], getReceipt),
  ),
};
