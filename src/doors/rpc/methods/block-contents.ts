// The transactions of a block with their receipts: those that ran code, and transfers of tokens that only logs tell of.
import { anyRange } from '../../../../packages/kit/range.ts';
import type { ChainBlock, ChainResult } from '../../../ledger/chain/create-chain.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { RpcContext } from '../reading/context.ts';
import { maxLogs } from '../reading/search-logs.ts';
import { addressOf, type KnownAddresses } from '../shapes/address.ts';
import { type BlockReceipt, toBlock } from '../shapes/block.ts';
import { type RpcLog, toListedLog } from '../shapes/log.ts';
import { toReceipt, toSyntheticReceipt } from '../shapes/receipt.ts';
import {
  type CreationCodes,
  isCreation,
  type ResultRow,
  toSyntheticTransaction,
  toTransaction,
} from '../shapes/transaction.ts';
import { hash32, weibarPerTinybar } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

/** `gasPrice`: of its own time, whatever else its block has; weibar, null = unknown. */
export type BlockTransaction = {
  hash: string;
  index: bigint;
  /** null = nothing ran. */
  row: ResultRow | null;
  payerId: bigint;
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
    const { payerAccountId: payerId } = result;
    if (!byHash.has(hash)) byHash.set(hash, { ...place, payerId, row: withReceiver(ledger, result), logs: [] });
  }
  for (const item of logs.items) {
    const log = toListedLog(item);
    const { transactionHash: hash, transactionIndex } = log;
    const place = { hash, index: BigInt(transactionIndex ?? 0), at: item.consensusTimestamp };
    const found = byHash.get(hash) ?? { ...place, payerId: item.payerAccountId, row: null, logs: [] };
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

/** Of senders and receivers, and of those who paid for what ran no code. */
export function readAddresses(
  { chain }: Pick<Ledger, 'chain'>,
  rows: readonly ResultRow[],
  payerIds: readonly bigint[] = [],
): Promise<KnownAddresses> {
  const ids = rows.flatMap(({ senderId, receiverId }) => [senderId, receiverId]).filter((id) => id !== null);
  return chain.addresses([...new Set([...ids, ...payerIds])]);
}

function readAddressesOf(ledger: Ledger, transactions: readonly BlockTransaction[]): Promise<KnownAddresses> {
  const rows = transactions.map(({ row }) => row).filter((row) => row !== null);
  return readAddresses(
    ledger,
    rows,
    transactions.filter(({ row }) => row === null).map(({ payerId }) => payerId),
  );
}

type Known = { addresses: KnownAddresses; creationCodes: CreationCodes; chainId: bigint };

/** What whole transactions are shown with. */
export async function readKnown(
  { ledger, chainId }: RpcContext,
  transactions: readonly BlockTransaction[],
): Promise<Known> {
  const [addresses, creationCodes] = await Promise.all([
    readAddressesOf(ledger, transactions),
    readCreationCodes(
      ledger,
      transactions.flatMap(({ row }) => row ?? []),
    ),
  ]);
  return { addresses, creationCodes, chainId };
}

export function readCreationCodes({ chain }: Pick<Ledger, 'chain'>, rows: readonly ResultRow[]) {
  return chain.creationCodes(
    rows.filter((row) => row.ethType === null && isCreation(row)).map(({ contractId }) => contractId),
  );
}

export function showTransaction(block: ChainBlock, one: BlockTransaction, known: Known) {
  const { addresses, chainId } = known;
  const { row, logs, payerId, gasPrice } = one;
  if (!row) {
    const from = addressOf(addresses.get(payerId), payerId);
    return toSyntheticTransaction({ logs, from }, { chainId, gasPrice });
  }
  const place = { blockHash: block.hash, blockNumber: block.number, blockStart: block.consensusStart };
  return toTransaction(row, { ...place, ...known, gasPrice });
}

/** Of the system at that time (ns); weibar, null = no file says it. */
export async function gasPriceAt({ chain }: Pick<Ledger, 'chain'>, at: bigint): Promise<bigint | null> {
  const price = await chain.priceAt(at);
  return price === null ? null : price * weibarPerTinybar;
}

export async function readReceipts(
  ledger: Ledger,
  block: ChainBlock,
  transactions: readonly BlockTransaction[],
): Promise<BlockReceipt[]> {
  const addresses = await readAddressesOf(ledger, transactions);
  let cumulativeGasUsed = 0n;
  return transactions.map(({ row, logs, payerId, gasPrice }) => {
    cumulativeGasUsed += row?.gasUsed ?? 0n;
    const place = { blockHash: block.hash, blockNumber: block.number, addresses, gasPrice, cumulativeGasUsed, logs };
    if (row) return { receipt: toReceipt(row, place), isSynthetic: false };
    const from = addressOf(addresses.get(payerId), payerId);
    return { receipt: toSyntheticReceipt({ logs, from }, place), isSynthetic: true };
  });
}

/** `read`: its transactions, where they are known. Throws RpcError for a block that is too large. */
export async function readBlock(
  context: RpcContext,
  block: ChainBlock,
  isWhole: boolean,
  read?: readonly BlockTransaction[],
) {
  const { ledger } = context;
  const transactions = read ?? (await readTransactions(ledger, block, { isWhole }));
  const [receipts, known, ofSystem] = await Promise.all([
    readReceipts(ledger, block, transactions),
    isWhole ? readKnown(context, transactions) : null,
    gasPriceAt(ledger, block.consensusEnd),
  ]);
  const listed = transactions.map((one) => (known ? showTransaction(block, one, known) : one.hash));
  return toBlock(block, { transactions: listed, receipts, gasPrice: lowestPrice(transactions) ?? ofSystem });
}

/**
 * Of gas in the block, so that no transaction pays less than the base fee; weibar. null = it has none, or no file says
 * the price.
 */
function lowestPrice(transactions: readonly BlockTransaction[]): bigint | null {
  const prices = transactions.flatMap(({ gasPrice }) => gasPrice ?? []);
  return prices.length === 0 ? null : prices.reduce((lowest, one) => (one < lowest ? one : lowest));
}
