// Methods that search logs, at once or by a filter that is asked again and again.
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import type { RpcContext } from '../reading/context.ts';
import type { Filter } from '../reading/filters.ts';
import { findBlock, newestBlock } from '../reading/find-block.ts';
import { type BlockReference, hexText, logFilter } from '../reading/kinds.ts';
import { about, type Method, method, plain, WrittenResult } from '../reading/method.ts';
import { searchLogs } from '../reading/search-logs.ts';
import { hash32OfText } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

type LogFilter = NonNullable<ReturnType<typeof logFilter.read>>;

const noLogs = new WrittenResult('[]');

const newest: BlockReference = { kind: 'newest' };

async function getLogs(context: RpcContext, filter: LogFilter): Promise<WrittenResult> {
  const { ledger } = context;
  const span = await findSpan(filter);
  if (!span) return noLogs;
  const { address: addresses = [], topics = [] } = filter;
  return new WrittenResult(await searchLogs(context, { addresses, topics, ...span }));

  /** null = a block is not there. */
  async function findSpan({ blockHash, fromBlock, toBlock = newest }: LogFilter) {
    if (blockHash) {
      refuseTwoSpans(filter);
      const block = await findBlock(ledger, blockHash);
      return block && { from: block, to: block };
    }
    const head = await newestBlock(ledger);
    refuseOpenSpan(filter, head);
    const [from, to] = await Promise.all([find(fromBlock ?? newest), find(toBlock)]);
    return from && to && { from, to };

    async function find(reference: BlockReference): Promise<ChainBlock | null> {
      return reference.kind === 'newest' ? head : findBlock(ledger, reference);
    }
  }
}

function refuseTwoSpans({ fromBlock, toBlock }: LogFilter): void {
  if (fromBlock || toBlock) throw rpcError.invalidParameter(0, "Can't use both blockHash and toBlock/fromBlock");
}

/** Only up to the newest block the first one may be left out: then both are that one. */
function refuseOpenSpan({ fromBlock, toBlock = newest }: LogFilter, head: ChainBlock): void {
  if (!fromBlock && toBlock.kind === 'number' && toBlock.number !== head.number) throw rpcError.missingFromBlock();
}

async function newFilter({ ledger, filters }: RpcContext, filter: LogFilter): Promise<string> {
  const { fromBlock, toBlock = newest, address: addresses = [], topics = [] } = filter;
  if (filter.blockHash) throw rpcError.invalidParameter(0, 'A filter waits for blocks; blockHash names one');
  const head = await newestBlock(ledger);
  refuseOpenSpan(filter, head);
  const from = fromBlock?.kind === 'number' ? fromBlock.number : head.number;
  const to = toBlock.kind === 'number' ? toBlock.number : null;
  if (from > (to ?? head.number)) throw rpcError.invalidBlockRange();
  // One that names no first block has seen the newest already, as in geth: what it finds changes with the next.
  const next = fromBlock?.kind === 'number' ? from : head.number + 1n;
  return filters.add({ logs: { addresses, topics }, from, to, next });
}

async function newBlockFilter({ ledger, filters }: RpcContext): Promise<string> {
  const { number } = await newestBlock(ledger);
  return filters.add({ logs: null, from: number + 1n, to: null, next: number + 1n });
}

/** Of no block. */
const beyondAll = 2n ** 64n;

/** Nothing is pending before it has reached consensus: no block is its next. */
const newPendingFilter = ({ filters }: RpcContext): string =>
  filters.add({ logs: null, from: 0n, to: null, next: beyondAll });

/** Every log of its blocks, sent before or not. */
async function getFilterLogs(context: RpcContext, id: string): Promise<WrittenResult> {
  const filter = context.filters.find(id);
  if (!filter?.logs) throw rpcError.unknownFilter();
  return logsOf(context, filter, filter.from, await newestBlock(context.ledger));
}

/** What was not sent yet: logs, or hashes of blocks. */
async function getFilterChanges(context: RpcContext, id: string): Promise<unknown> {
  const { filters, ledger } = context;
  const filter = filters.find(id);
  if (!filter) throw rpcError.unknownFilter();
  const head = await newestBlock(ledger);
  const { next } = filter;
  if (next > head.number) return [];
  if (filter.logs) {
    const logs = await logsOf(context, filter, next, head);
    // Another request may have asked meanwhile.
    if (filter.next < head.number + 1n) filter.next = head.number + 1n;
    return logs;
  }
  const blocks = await ledger.chain.blocksBetween(next, head.number, maxBlocks);
  filter.next = (blocks.at(-1)?.number ?? head.number) + 1n;
  return blocks.map(({ hash }) => hash32OfText(hash));
}

/** The others come with the next request. */
const maxBlocks = 1000;

async function logsOf(context: RpcContext, filter: Filter, first: bigint, head: ChainBlock): Promise<WrittenResult> {
  const { ledger } = context;
  const last = filter.to === null || filter.to > head.number ? head.number : filter.to;
  if (first > last || !filter.logs) return noLogs;
  const [from, to] = await Promise.all([
    ledger.chain.block({ number: first }),
    last === head.number ? head : ledger.chain.block({ number: last }),
  ]);
  return from && to ? new WrittenResult(await searchLogs(context, { ...filter.logs, from, to })) : noLogs;
}

/** Ids are quantities: clients may write zeros before them. */
const filterId = {
  ...hexText,
  read: (value: unknown) => hexText.read(value)?.replace(/^0x0*(?=.)/, '0x'),
};

export const logMethods: Readonly<Record<string, Method>> = {
  eth_getLogs: about(['search'], 'logs of a range of blocks, or of one block', method([logFilter], getLogs)),
  eth_newFilter: about(['search'], 'id of a new filter for logs', method([logFilter], newFilter)),
  eth_newBlockFilter: about([], 'id of a new filter for blocks', plain(newBlockFilter)),
  eth_newPendingTransactionFilter: about(
    [],
    'id of a new filter in which nothing ever comes: nothing is pending',
    plain(newPendingFilter),
  ),
  eth_getFilterLogs: about(['id of a filter'], 'every log of its blocks', method([filterId], getFilterLogs)),
  eth_getFilterChanges: about(
    ['id of a filter'],
    'what came since the last request: logs, or hashes of at most 1,000 blocks',
    method([filterId], getFilterChanges),
  ),
  eth_uninstallFilter: about(
    ['id of a filter'],
    'whether there was one',
    method([filterId], ({ filters }, id) => filters.remove(id)),
  ),
};
