// Methods about single transactions.
import { anyRange } from '../../../../packages/kit/range.ts';
import { responseCode } from '../../../../packages/protocol/hapi/response-codes.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock } from '../reading/find-block.ts';
import { type BlockReference, blockHash, blockNumber, hexNumber, transactionHash } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { type RpcLog, toListedLog, toLog } from '../shapes/log.ts';
import { toReceipt, toSyntheticReceipt } from '../shapes/receipt.ts';
import { toSyntheticTransaction, toTransaction } from '../shapes/transaction.ts';
import { gasPriceAt, readAddresses, readTransactions, withReceiver } from './block-contents.ts';

/** Refused before anything ran: no block of the EVM has it. */
const refusals: readonly number[] = [responseCode.WRONG_NONCE, responseCode.INVALID_ACCOUNT_ID];

/** null = there is none under that hash. */
export async function findResult(ledger: Ledger, hash: Buffer) {
  const found = await ledger.contractResults.find({ kind: 'hash', hash }, { synthetic: false });
  if (!found || found.blockNumber === null) return null;
  return { ...found, ...withReceiver(ledger, found) };
}

/** null = nothing ran under that hash. */
async function findExecution(ledger: Ledger, hash: Buffer) {
  const found = await findResult(ledger, hash);
  if (!found || refusals.includes(found.transactionResult)) return null;
  return found.transactionIndex === null && !found.gasUsed ? null : found;
}

/** Of a transfer of tokens, which ran no code. */
export async function findLogs(ledger: Ledger, hash: Buffer): Promise<{ logs: RpcLog[]; at: bigint | null }> {
  const { items } = await ledger.contractLogs.listPlain({
    ...{ contractId: null, transactionHash: hash, timestamp: anyRange, index: anyRange, topics: [] },
    ...{ order: 'asc', limit: 1000 },
  });
  return { logs: items.map(toListedLog), at: items[0]?.consensusTimestamp ?? null };
}

async function getTransaction({ ledger, chainId }: RpcContext, hash: Buffer) {
  const row = await findExecution(ledger, hash);
  if (!row) {
    const { logs } = await findLogs(ledger, hash);
    return logs[0] ? toSyntheticTransaction(logs[0], chainId) : null;
  }
  const { blockHash: ofBlock, blockNumber: number, ethType, consensusTimestamp } = row;
  const [addresses, gasPrice] = await Promise.all([
    readAddresses(ledger, [row]),
    ethType === null ? gasPriceAt(ledger, consensusTimestamp) : null,
  ]);
  return toTransaction(row, { blockHash: ofBlock, blockNumber: number, addresses, chainId, gasPrice });
}

async function getReceipt({ ledger }: RpcContext, hash: Buffer) {
  const row = await findExecution(ledger, hash);
  const { logs: ofTransfer, at } = row ? { logs: [], at: row.consensusTimestamp } : await findLogs(ledger, hash);
  const number = row ? row.blockNumber : ofTransfer[0] ? BigInt(ofTransfer[0].blockNumber ?? -1) : null;
  if (number === null || at === null) return null;
  const block = await ledger.chain.block({ number });
  if (!block) return null;
  const gasPrice = await gasPriceAt(ledger, at);
  if (!row) return toSyntheticReceipt(ofTransfer, { gasPrice, cumulativeGasUsed: 0n });
  const [addresses, cumulativeGasUsed] = await Promise.all([
    readAddresses(ledger, [row]),
    ledger.chain.gasUsed({ from: block.consensusStart, to: row.consensusTimestamp }),
  ]);
  const logs = row.logs.map((log) => toLog(log, row));
  return toReceipt(row, {
    ...{ blockHash: row.blockHash, blockNumber: number, addresses },
    gasPrice,
    cumulativeGasUsed,
    logs,
  });
}

async function getByIndex({ ledger, chainId }: RpcContext, reference: BlockReference, index: bigint) {
  const block = await findBlock(ledger, reference);
  if (!block) return null;
  const transactions = await readTransactions(ledger, block, { isWhole: true });
  const found = transactions.find((one) => one.index === index);
  if (!found) return null;
  if (!found.row) return toSyntheticTransaction(found.logs[0]!, chainId);
  const addresses = await readAddresses(ledger, [found.row]);
  return toTransaction(found.row, {
    ...{ blockHash: block.hash, blockNumber: block.number },
    ...{ addresses, chainId, gasPrice: found.gasPrice },
  });
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
  eth_getTransactionReceipt: about(
    ['hash of a transaction'],
    'the receipt, or null',
    method([transactionHash], getReceipt),
  ),
};
