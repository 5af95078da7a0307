// Answers of JSON-RPC, and the answers of REST that hold the same.
import type { CalledContracts } from '../support/called-contracts.ts';
import { toAddress, toHex } from '../support/hex.ts';
import type { LoadOptions } from '../support/http-load.ts';
import { blockStepNs, firstTimestamp, type LedgerSize } from '../support/large-ledger.ts';

/** `times`: how many of its answers make one of the others. */
type DoorSide = { name: string; load: Pick<LoadOptions, 'paths' | 'bodies' | 'takesGzip'>; times: number };

/** `isBound`: whether the goal is for it. */
export type DoorPair = { name: string; door: DoorSide; rest: readonly DoorSide[]; isBound: boolean };

/** Of the large ledger: six results in a block, twelve logs, and some of transfers of tokens. */
const blocksOfLogs = 82;
const logs = 1000;

export function doorPairs(size: LedgerSize, { holders, heavyPath }: CalledContracts): DoorPair[] {
  const blocks = Array.from({ length: 200 }, (_, place) => (place * 37) % (size.blocks - blocksOfLogs - 1));
  const spans = blocks.slice(0, 20);
  const logCalls = spans.map(
    (first) => ['eth_getLogs', { fromBlock: toHex(first), toBlock: toHex(first + blocksOfLogs) }] as const,
  );
  const logPages = spans.map((first) => logsPath(first, blocksOfLogs, logs));
  const heavy = heavyPath.split('/').at(-2)!;
  return [
    {
      name: 'eth_blockNumber',
      door: ask([['eth_blockNumber']]),
      rest: [get('blocks?limit=1&order=desc', ['/api/v1/blocks?limit=1&order=desc'])],
      isBound: true,
    },
    {
      name: 'eth_getBalance',
      door: ask(holders.map((holder) => ['eth_getBalance', toAddress(holder), 'latest'])),
      rest: [
        get(
          'accounts/{id}?transactions=false',
          holders.map((holder) => `/api/v1/accounts/0.0.${holder}?transactions=false`),
        ),
        get(
          'balances?account.id=',
          holders.map((holder) => `/api/v1/balances?account.id=0.0.${holder}`),
        ),
      ],
      isBound: true,
    },
    {
      name: `eth_getLogs, ${logs}`,
      door: ask(logCalls),
      rest: [
        get('contracts/results/logs, one page', logPages),
        get(
          'contracts/results/logs, 10 pages',
          spans.map((first) => logsPath(first, blocksOfLogs, logs / 10)),
          10,
        ),
      ],
      isBound: true,
    },
    {
      name: `eth_getLogs, ${logs}, gzip`,
      door: compressed(ask(logCalls)),
      rest: [compressed(get('contracts/results/logs, one page', logPages))],
      isBound: true,
    },
    {
      name: 'eth_getBlockByNumber, whole',
      door: ask(blocks.map((number) => ['eth_getBlockByNumber', toHex(number), true])),
      rest: [
        get(
          'contracts/results?block.number=',
          blocks.map((number) => `/api/v1/contracts/results?block.number=${number}`),
        ),
      ],
      isBound: false,
    },
    {
      name: 'eth_getBlockByNumber',
      door: ask(blocks.map((number) => ['eth_getBlockByNumber', toHex(number), false])),
      rest: [
        get(
          'blocks/{number}',
          blocks.map((number) => `/api/v1/blocks/${number}`),
        ),
      ],
      isBound: false,
    },
    {
      name: 'debug_traceTransaction, opcodes',
      door: compressed(ask([['debug_traceTransaction', heavy, {}]])),
      rest: [compressed(get('contracts/results/{hash}/opcodes', [heavyPath]))],
      isBound: false,
    },
    {
      name: 'debug_traceTransaction, calls',
      door: ask([['debug_traceTransaction', heavy, { tracer: 'callTracer' }]]),
      rest: [get('contracts/results/{hash}', [heavyPath.replace('/opcodes', '')])],
      isBound: false,
    },
  ];
}

/** Clients count their ids up. */
const ids = 1000;

function ask(calls: readonly (readonly [string, ...unknown[]])[]): DoorSide {
  const times = Math.max(1, Math.floor(ids / calls.length));
  const asked = Array.from({ length: times }, () => calls).flat();
  const bodies = asked.map(([method, ...params], id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return { name: calls[0]![0], load: { paths: bodies.map(() => '/rpc'), bodies }, times: 1 };
}

function compressed(side: DoorSide): DoorSide {
  return { ...side, load: { ...side.load, takesGzip: true } };
}

function get(name: string, paths: string[], times = 1): DoorSide {
  return { name, load: { paths }, times };
}

function logsPath(firstBlock: number, count: number, limit: number): string {
  const at = (block: number): bigint => firstTimestamp + BigInt(block) * BigInt(blockStepNs);
  const seconds = (ns: bigint): string => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
  const span = `timestamp=gte:${seconds(at(firstBlock))}&timestamp=lt:${seconds(at(firstBlock + count + 1))}`;
  return `/api/v1/contracts/results/logs?${span}&order=asc&limit=${limit}`;
}
