// The transactions of a block with their receipts: those that ran code, and transfers of tokens that only logs tell of.
import { anyRange } from '../../../../packages/kit/range.ts';
import type { ChainBlock, ChainResult } from '../../../ledger/chain/create-chain.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { RpcContext } from '../reading/context.ts';
import { maxLogs } from '../reading/search-logs.ts';
import type { KnownAddresses } from '../shapes/address.ts';
import { type BlockReceipt, toBlock } from '../shapes/block.ts';
import { type RpcLog, toListedLog } from '../shapes/log.ts';
import { toReceipt, toSyntheticReceipt } from '../shapes/receipt.ts';
import { type ResultRow, toSyntheticTransaction, toTransaction } from '../shapes/transaction.ts';
import { hash32, weibarPerTinybar } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

/** `row`: null = nothing ran. `gasPrice`: of its own time, whatever else its block has; weibar, null = unknown. */
export type BlockTransaction = {
  hash: string;
  index: bigint;
  row: ResultRow | null;
  logs: RpcLog[];
  gasPrice: bigint | null;
};

/** With everything of each transaction, or by their hashes alone. */
const maxWhole = 1000;
const maxNamed = 10_000;

/** In the order of the block. Throws RpcError for a block that is too large. */
export async function readTransactions(
  ledger: Ledger,
  block: ChainBlock,
  { isWhole }: { isWhole: boolean },
): Promise<BlockTransaction[]> {
  const limit = isWhole ? maxWhole : maxNamed;
  const span = { from: block.consensusStart, to: block.consensusEnd };
  const [results, logs] = await Promise.all([
    ledger.chain.results({ ...span, limit }),
    ledger.contractLogs.listPlain({
      ...{ contractId: null, transactionHash: null, timestamp: { ...anyRange, ...span }, index: anyRange },
      ...{ topics: [], order: 'asc', limit: maxLogs + 1 },
    }),
  ]);
  if (results.length >= limit || logs.items.length > maxLogs) throw rpcError.largeBlock(block.count ?? 0n);
  const byHash = new Map<string, Omit<BlockTransaction, 'gasPrice'> & { at: bigint }>();
  for (const result of results) {
    const hash = hash32(result.transactionHash ?? Buffer.alloc(0));
    const place = { hash, index: BigInt(result.transactionIndex ?? 0), at: result.consensusTimestamp };
    if (!byHash.has(hash)) byHash.set(hash, { ...place, row: withReceiver(ledger, result), logs: [] });
  }
  for (const item of logs.items) {
    const log = toListedLog(item);
    const { transactionHash: hash, transactionIndex } = log;
    const place = { hash, index: BigInt(transactionIndex ?? 0), at: item.consensusTimestamp };
    const found = byHash.get(hash) ?? { ...place, row: null, logs: [] };
    byHash.set(hash, found);
    found.logs.push(log);
  }
  const found = [...byHash.values()].sort((one, other) => Number(one.index - other.index));
  return Promise.all(found.map(async ({ at, ...one }) => ({ ...one, gasPrice: await gasPriceAt(ledger, at) })));
}

export function withReceiver({ chain }: Pick<Ledger, 'chain'>, result: ChainResult): ResultRow {
  const { toAddress } = result;
  return Object.assign(result, { receiverId: toAddress?.length ? chain.idOf(toAddress) : null });
}

/** Of senders and receivers. */
export function readAddresses({ chain }: Pick<Ledger, 'chain'>, rows: readonly ResultRow[]): Promise<KnownAddresses> {
  const ids = rows.flatMap(({ senderId, receiverId }) => [senderId, receiverId]).filter((id) => id !== null);
  return chain.addresses([...new Set(ids)]);
}

/** Of a transaction at that time (ns) that names none itself; weibar, null = no file says it. */
export async function gasPriceAt({ chain }: Pick<Ledger, 'chain'>, at: bigint): Promise<bigint | null> {
  const price = await chain.priceAt(at);
  return price === null ? null : price * weibarPerTinybar;
}

export async function readReceipts(
  ledger: Ledger,
  block: ChainBlock,
  transactions: readonly BlockTransaction[],
): Promise<BlockReceipt[]> {
  const rows = transactions.map(({ row }) => row).filter((row) => row !== null);
  const addresses = await readAddresses(ledger, rows);
  let cumulativeGasUsed = 0n;
  return transactions.map(({ row, logs, gasPrice }) => {
    cumulativeGasUsed += row?.gasUsed ?? 0n;
    const place = { blockHash: block.hash, blockNumber: block.number, addresses, gasPrice, cumulativeGasUsed, logs };
    return row
      ? { receipt: toReceipt(row, place), isSynthetic: false }
      : { receipt: toSyntheticReceipt(logs, place), isSynthetic: true };
  });
}

/** Throws RpcError for a block that is too large. */
export async function readBlock({ ledger, chainId }: RpcContext, block: ChainBlock, isWhole: boolean) {
  const transactions = await readTransactions(ledger, block, { isWhole });
  const rows = transactions.map(({ row }) => row).filter((row) => row !== null);
  const [receipts, addresses, ofSystem] = await Promise.all([
    readReceipts(ledger, block, transactions),
    isWhole ? readAddresses(ledger, rows) : new Map(),
    gasPriceAt(ledger, block.consensusEnd),
  ]);
  const place = { blockHash: block.hash, blockNumber: block.number, addresses, chainId };
  const listed = transactions.map(({ hash, row, logs, gasPrice }) => {
    if (!isWhole) return hash;
    return row ? toTransaction(row, { ...place, gasPrice }) : toSyntheticTransaction(logs[0]!, chainId, '0x0');
  });
  return toBlock(block, { transactions: listed, receipts, gasPrice: averagePrice(transactions, ofSystem) });
}

/** What was paid for gas in the block, by the gas used; without any, the price of the system. weibar */
function averagePrice(transactions: readonly BlockTransaction[], ofSystem: bigint | null): bigint | null {
  let [paid, gas] = [0n, 0n];
  for (const { row, gasPrice: ofItsTime } of transactions) {
    if (!row) continue;
    const { ethType, gasPrice, gasUsed } = row;
    const price = ethType === null ? (ofItsTime ?? 0n) : BigInt(`0x${gasPrice?.toString('hex') || '0'}`);
    if (price === 0n || !gasUsed || gasUsed < 0n) continue;
    paid += price * gasUsed;
    gas += gasUsed;
  }
  return gas === 0n ? ofSystem : (2n * paid + gas) / (2n * gas);
}
