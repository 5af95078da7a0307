// `ots_…` of Otterscan about addresses: the transactions in which one took part, a page at a time, who created a
// contract, and what an account sent with a nonce.
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import type { RpcContext } from '../reading/context.ts';
import { newestBlock } from '../reading/find-block.ts';
import { address } from '../reading/kinds.ts';
import { about, type Method, method, WrittenResult } from '../reading/method.ts';
import { numberUpTo } from '../reading/plain-numbers.ts';
import { addressOf } from '../shapes/address.ts';
import { type CallFrame, listCalls } from '../shapes/call-tree.ts';
import { hash32 } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { type BlockTransaction, readKnown, readReceipts, readTransactions, showTransaction } from './block-contents.ts';
import { traceCalls } from './recorded-calls.ts';
import { createTraceBudget } from './trace-budget.ts';
import { findExecution } from './transaction-methods.ts';

/** As Erigon has it. All of a block are in one page, so it may have more. */
const maxPageSize = 25;
/** Of moments, 100 of each kind at a time. */
const maxRounds = 100;

type Order = 'asc' | 'desc';
/** JSON of each transaction, and of its receipt. */
type Shown = { transaction: string; receipt: string };
/** What of a block is meant: consensus timestamps of what ran, and hashes of what only logs tell of. */
type Met = { number: bigint; times: Set<bigint>; hashes: Set<string> };

/** `from`: not itself; 0 = from the end on at which the search begins. The newest is first, whatever the order. */
async function search(context: RpcContext, of: Buffer, from: number, size: number, order: Order) {
  const { ledger } = context;
  const [entity, span] = await Promise.all([ledger.chain.entityAt(of), findSpan(context, BigInt(from), order)]);
  const budget = createTraceBudget();
  const found: Shown[] = [];
  let isMore = false;
  for await (const met of entity && span ? blocksOf(context, entity, { ...span, order }) : []) {
    const shown = await show(context, met, order);
    isMore = shown.length > 0 && found.length >= size;
    if (isMore) break;
    for (const { transaction, receipt } of shown) budget.take(transaction.length + receipt.length);
    found.push(...shown);
  }
  if (order === 'asc') found.reverse();
  const [begins, ends] = order === 'desc' ? [from === 0, !isMore] : [!isMore, from === 0];
  const [txs, receipts] = [found.map(({ transaction }) => transaction), found.map(({ receipt }) => receipt)];
  return new WrittenResult(`{"txs":[${txs}],"receipts":[${receipts}],"firstPage":${begins},"lastPage":${ends}}`);
}

/** null: nothing lies there. */
async function findSpan({ ledger }: RpcContext, number: bigint, order: Order) {
  if (number === 0n) return { from: null, to: null };
  const { number: newest } = await newestBlock(ledger);
  const [next] = await ledger.chain.blocksBetween(order === 'desc' ? number : number + 1n, newest, 1);
  if (order === 'desc') return { from: null, to: next ? next.consensusStart - 1n : null };
  return next ? { from: next.consensusStart, to: null } : null;
}

type Entity = Parameters<RpcContext['ledger']['chain']['moments']>[0];
type Span = { from: bigint | null; to: bigint | null; order: Order };

/** Throws RpcError where too much would have to be looked through. */
async function* blocksOf({ ledger }: RpcContext, of: Entity, span: Span): AsyncGenerator<Met> {
  let met = null as Met | null;
  let { from, to } = span;
  for (let round = 0; round < maxRounds; round++) {
    const { items, next } = await ledger.chain.moments(of, { ...span, from, to });
    for (const { blockNumber, consensusTimestamp, parentConsensusTimestamp: parent, ...item } of items) {
      if (blockNumber === null) continue;
      if (met && met.number !== blockNumber) yield met;
      if (met?.number !== blockNumber) met = { number: blockNumber, times: new Set(), hashes: new Set() };
      met.times.add(consensusTimestamp);
      // One that a schedule waited with has a parent, too, and is a transaction by itself.
      if (parent !== null && item.transactionNonce !== 0) met.times.add(parent);
      if (item.transactionHash) met.hashes.add(hash32(item.transactionHash));
    }
    if (next === null) {
      if (met) yield met;
      return;
    }
    if (span.order === 'desc') to = next;
    else from = next;
  }
  throw rpcError.longSearch();
}

/** In the order of the search. */
async function show(context: RpcContext, { number, times, hashes }: Met, order: Order): Promise<Shown[]> {
  const { ledger, turns } = context;
  const block = (await ledger.chain.block({ number })) as ChainBlock | null;
  if (!block) return [];
  return turns.take(async () => {
    const all = await readTransactions(ledger, block, { isWhole: false });
    const isMeant = ({ row, hash }: BlockTransaction) =>
      hashes.has(hash) || (row !== null && times.has(row.consensusTimestamp));
    const meant = all.filter(isMeant);
    const [known, receipts] = await Promise.all([readKnown(context, meant), readReceipts(ledger, block, all)]);
    const timestamp = Number(block.consensusStart / 1_000_000_000n);
    const shown = meant.map((one) => ({
      transaction: JSON.stringify(showTransaction(block, one, known)),
      receipt: JSON.stringify({ ...receipts[all.indexOf(one)]!.receipt, timestamp }),
    }));
    return order === 'asc' ? shown : shown.reverse();
  });
}

/** In turn of the clients: several may stand in a batch. null: nothing ran. */
export function readCalls({ ledger, turns }: RpcContext, hash: Buffer): Promise<CallFrame | null> {
  return turns.take(async () => {
    const row = await findExecution(ledger, hash);
    return row && traceCalls(ledger, row, false);
  });
}

/** null: it is no contract or token, or what created it is not stored. */
async function getCreator(context: RpcContext, of: Buffer) {
  const { chain } = context.ledger;
  const entity = await chain.entityAt(of);
  const isCode = entity?.type === 'CONTRACT' || entity?.type === 'TOKEN';
  if (!entity || !isCode || entity.createdTimestamp === null) return null;
  const created = await chain.creation(entity.createdTimestamp);
  const hash = created?.parentTransactionHash ?? created?.transactionHash;
  if (!created || !hash) return null;
  const inner = created.parentTransactionHash
    ? await findCreation(context, hash, addressOf(entity.evmAddress, entity.id))
    : null;
  const creator = created.parentTransactionHash ? created.parentContractId : created.senderId;
  if (creator === null) return null;
  const addresses = await chain.addresses([creator]);
  return { hash: hash32(hash), creator: inner ?? addressOf(addresses.get(creator), creator) };
}

/** Who created it inside of that transaction; null = no call of it says so, as of a token. */
async function findCreation(context: RpcContext, hash: Buffer, created: string): Promise<string | null> {
  const root = await readCalls(context, hash.subarray(0, 32));
  const found = root && listCalls(root).find(({ call: { type, to } }) => type.startsWith('CREATE') && to === created);
  return found?.call.from ?? null;
}

async function getSent({ ledger }: RpcContext, sender: Buffer, nonce: number): Promise<string | null> {
  const entity = await ledger.chain.entityAt(sender);
  const sent = entity && (await ledger.chain.sentWith(entity, BigInt(nonce)));
  return sent && hash32(sent.hash);
}

const anyNumber = numberUpTo(Number.MAX_SAFE_INTEGER);
const searchParameters = [
  'address',
  'number of a block, itself not meant',
  `transactions of a page, at most ${maxPageSize}`,
];
const searchKinds = [address, anyNumber, numberUpTo(maxPageSize, 1)] as const;

export const otterscanSearchMethods: Readonly<Record<string, Method>> = {
  ots_getContractCreator: about(
    ['address'],
    'hash of the transaction that created the contract or token, and who did: an account, or the contract that was called; or null',
    method([address], getCreator),
  ),
  ots_getTransactionBySenderAndNonce: about(
    ['address', 'nonce'],
    'hash of the Ethereum transaction, or null',
    method([address, anyNumber], getSent),
  ),
  ots_searchTransactionsAfter: about(
    searchParameters,
    'transactions of an address in the blocks after it, 0: from the first on, and their receipts; the newest first. See Otterscan',
    method(searchKinds, (context, of, from, size) => search(context, of, from, size, 'asc')),
  ),
  ots_searchTransactionsBefore: about(
    searchParameters,
    'the same in the blocks before it, 0: from the newest on',
    method(searchKinds, (context, of, from, size) => search(context, of, from, size, 'desc')),
  ),
};
