// `trace_…` of OpenEthereum and Erigon: the calls that the network recorded, as a list in which each names the way to it.
// Explorers and indexers ask them.
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock, newestBlock } from '../reading/find-block.ts';
import { either, type Kind, listOf, objectOf, optional } from '../reading/kind.ts';
import { address, type BlockReference, blockHash, blockNumber, hexNumber, transactionHash } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { type PathTrace, toPathTraces } from '../shapes/call-tree.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { type BlockTransaction, readTransactions } from './block-contents.ts';
import { createBounds, type ExecutionBounds, executionIn, findRecorded } from './executions.ts';
import { allCalls } from './tracers.ts';
import { isTransfer } from './transaction-methods.ts';

/** Of one search, with their calls read one transaction after the other. */
const maxBlocks = 100n;
const maxTransactions = 1_000;
const maxTraces = 10_000;
const maxAddresses = 100;

async function traceTransaction(context: RpcContext, hash: Buffer): Promise<PathTrace[] | null> {
  const execution = await findRecorded(context, hash, createBounds(context));
  if (execution) return toPathTraces(await execution.calls(allCalls), execution.place);
  return (await isTransfer(context.ledger, hash)) ? [] : null;
}

async function getTrace(context: RpcContext, hash: Buffer, path: readonly number[]): Promise<PathTrace | null> {
  const traces = await traceTransaction(context, hash);
  return traces?.find(({ traceAddress }) => traceAddress.join() === path.join()) ?? null;
}

/** null = there is no such block. */
async function traceBlock(context: RpcContext, reference: BlockReference): Promise<PathTrace[] | null> {
  const { ledger } = context;
  const block = await findBlock(ledger, reference);
  if (!block) return null;
  const bounds = createBounds(context);
  const traces: PathTrace[] = [];
  for (const one of await readTransactions(ledger, block, { isWhole: true })) {
    traces.push(...(await tracesOf(context, block, one, bounds)));
    if (traces.length > maxTraces) throw rpcError.tooManyActions(maxTraces);
  }
  return traces;
}

/** A transfer of tokens that only logs tell of ran nothing. */
async function tracesOf(
  context: RpcContext,
  block: ChainBlock,
  one: BlockTransaction,
  bounds: ExecutionBounds,
): Promise<PathTrace[]> {
  const execution = executionIn(context, block, one, bounds);
  return execution ? toPathTraces(await execution.calls(allCalls), execution.place) : [];
}

type Filter = NonNullable<ReturnType<typeof traceFilter.read>>;

/** Throws RpcError for a range of blocks that is too large, and for too many transactions in it. */
async function filterTraces(context: RpcContext, filter: Filter): Promise<PathTrace[]> {
  const { ledger } = context;
  const newest = await newestBlock(ledger);
  const numberOf = (reference: BlockReference | undefined): bigint =>
    reference?.kind === 'number' ? reference.number : newest.number;
  const [from, to] = [numberOf(filter.fromBlock), numberOf(filter.toBlock)];
  if (from > to) throw rpcError.invalidBlockRange();
  if (to - from >= maxBlocks) throw rpcError.tooManyBlocks(maxBlocks);
  const isMeant = toMatcher(filter);
  const { after = 0, count = maxTraces } = filter;
  const bounds = createBounds(context);
  const found: PathTrace[] = [];
  let transactions = 0;
  for (let number = from; number <= to && number <= newest.number; number++) {
    const block = await ledger.chain.block({ number });
    if (!block) continue;
    for (const one of await readTransactions(ledger, block, { isWhole: true })) {
      transactions += 1;
      if (transactions > maxTransactions) throw rpcError.tooManyTraced(maxTransactions);
      found.push(...(await tracesOf(context, block, one, bounds)).filter(isMeant));
      if (found.length >= after + count) return found.slice(after, after + count);
      if (found.length > maxTraces) throw rpcError.tooManyActions(maxTraces);
    }
  }
  return found.slice(after, after + count);
}

/** Where both lists are given, both have to name an address of the call, or of a union one of them. */
function toMatcher({ fromAddress, toAddress, mode }: Filter): (trace: PathTrace) => boolean {
  const toSet = (list: readonly Buffer[] | undefined) =>
    list?.length ? new Set(list.map((one) => `0x${one.toString('hex')}`)) : null;
  const [senders, receivers] = [toSet(fromAddress), toSet(toAddress)];
  return ({ action, result }) => {
    const { from = null, to = result?.address ?? null } = action;
    const isIn = (list: ReadonlySet<string> | null, one: string | null) =>
      list === null || (one !== null && list.has(one.toLowerCase()));
    if (mode === 'union' && senders && receivers) return isIn(senders, from) || isIn(receivers, to);
    return isIn(senders, from) && isIn(receivers, to);
  };
}

const filterMode: Kind<'union' | 'intersection'> = {
  error: 'Expected "union" or "intersection"',
  read: (value) => (value === 'union' || value === 'intersection' ? value : undefined),
};

const addresses = listOf(address, `${address.error}, in an array of up to ${maxAddresses}`, maxAddresses);

const place: Kind<number> = {
  error: `Expected a number up to ${maxTraces}`,
  read(value) {
    const number = typeof value === 'string' ? hexNumber.read(value) : value;
    if (typeof number !== 'number' && typeof number !== 'bigint') return undefined;
    const read = Number(number);
    return Number.isSafeInteger(read) && read >= 0 && read <= maxTraces ? read : undefined;
  },
};

const maxDepth = 1024;
const path = listOf(place, `Expected an array of up to ${maxDepth} numbers`, maxDepth);

const traceFilter = objectOf(
  'TraceFilter',
  {
    fromBlock: optional(blockNumber),
    toBlock: optional(blockNumber),
    fromAddress: optional(addresses),
    toAddress: optional(addresses),
    mode: optional(filterMode),
    after: optional(place),
    count: optional(place),
  },
  { error: 'Expected TraceFilter' },
);

export const pathTraceMethods: Readonly<Record<string, Method>> = {
  trace_block: about(
    ['hash of a block, number or tag'],
    'the calls of its transactions, or null. See Traces',
    method([either(blockNumber, blockHash)], traceBlock),
  ),
  trace_filter: about(
    ['range of blocks, addresses of senders and receivers, after, count'],
    'the calls in a range of at most 100 blocks. See Traces',
    method([traceFilter], filterTraces),
  ),
  trace_get: about(
    ['hash of a transaction', 'way to the call'],
    'that call of the transaction, or null',
    method([transactionHash, path], getTrace),
  ),
  trace_transaction: about(
    ['hash of a transaction'],
    'the calls of the transaction, or null. See Traces',
    method([transactionHash], traceTransaction),
  ),
};
