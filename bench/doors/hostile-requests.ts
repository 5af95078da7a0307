// p99 of REST, 16 clients, alone and while JSON-RPC is asked for as much as its limits allow; and the memory that it takes.
import { pause } from '../../src/kit/pause.ts';
import type { CalledContracts } from '../support/called-contracts.ts';
import { toAddress, toHex } from '../support/hex.ts';
import { measureLoad, summarizeLoads, type TimedLoad, timeLoad } from '../support/http-load.ts';
import { firstId, type LedgerSize } from '../support/large-ledger.ts';
import { formatFigure, printTable } from '../support/print-table.ts';
import { residentMb } from '../support/process-usage.ts';
import type { Serve } from './idle-memory.ts';

type Options = {
  serve: Serve;
  size: LedgerSize;
  contracts: CalledContracts;
  rounds: number;
  /** Of each slice. */
  seconds: number;
  /** Part of the names of attacks; empty = all. */
  only: string;
};

/** Of p99, alone and attacked. */
const goal = 1.5;
const restClients = 16;

/** Whether the goal is kept by all. */
export async function compareTails({ serve, size, contracts, rounds, seconds, only }: Options): Promise<boolean> {
  let isKept = true;
  const server = await serve('--answer-cache', '0');
  const { url, pid } = server;
  try {
    const rest = { url, paths: restPaths(size, contracts), connections: restClients, seconds };
    // Some may be refused, alone and beside others.
    const statuses = new Map<number, number>();
    const counted = { ...rest, isExpected: count(statuses) };
    await measureLoad({ ...rest, leastRequests: 3000 });
    const rows: string[][] = [];
    for (const attack of attacks(size, contracts).filter(({ name }) => name.includes(only))) {
      const [calm, attacked]: TimedLoad[][] = [[], []];
      const answered = new Map<number, number>();
      statuses.clear();
      let mostMb = residentMb(pid);
      const watch = setInterval(() => {
        mostMb = Math.max(mostMb, residentMb(pid));
      }, 50);
      for (let round = 0; round < rounds; round++) {
        calm!.push(await timeLoad(rest));
        const { connections } = attack;
        const asked = 'paths' in attack ? attack : { ...attack, paths: attack.bodies.map(() => '/rpc') };
        const ending = new AbortController();
        const load = { ...asked, url, connections, seconds: 600 };
        const running = timeLoad({ ...load, isExpected: count(answered), signal: ending.signal });
        await pause(250);
        attacked!.push(await timeLoad(counted));
        ending.abort();
        await running;
        // What was begun for it ends before the next quiet slice.
        await pause(1000);
      }
      clearInterval(watch);
      const [before, during] = [summarizeLoads(calm!), summarizeLoads(attacked!)];
      const ratio = during.p99Ms / before.p99Ms;
      isKept &&= ratio <= goal;
      rows.push([
        attack.name,
        show(answered),
        show(statuses),
        ...[before.p50Ms, during.p50Ms, before.p99Ms, during.p99Ms].map(formatFigure),
        `× ${ratio.toFixed(2)}`,
        `≤ ${goal}: ${ratio <= goal ? 'kept' : 'MISSED'}`,
        formatFigure(mostMb),
      ]);
    }
    console.log(`\nAnswers of REST, ms, ${restClients} clients, alone and attacked, ${rounds} rounds of each in turns`);
    const head = ['attack', 'answered', 'REST', 'p50', 'attacked', 'p99', 'attacked', 'ratio', 'goal', 'MB at most'];
    printTable(head, rows);
  } finally {
    await server.stop();
  }
  return isKept;
}

/** `paths`: of REST, in place of bodies. */
type Attack = { name: string; connections: number } & ({ bodies: string[] } | { paths: string[] });

function attacks(size: LedgerSize, { hostile, holders, heavyPath }: CalledContracts): Attack[] {
  const heavy = heavyPath.split('/').at(-2)!;
  const loop = hostile.find(({ name }) => name === 'endless loop')!.id;
  const call = { method: 'eth_call', params: [{ to: toAddress(loop), gas: '0xe4e1c0' }, 'latest'] };
  const batch = (requests: readonly object[]) =>
    JSON.stringify(requests.map((one, id) => ({ jsonrpc: '2.0', id, ...one })));
  const spans = Array.from({ length: 50 }, (_, place) => (place * 97) % (size.blocks - 800));
  const logsOf = (first: number, blocks: number) => {
    const params = [{ fromBlock: toHex(first), toBlock: toHex(first + blocks) }];
    return { method: 'eth_getLogs', params };
  };
  const blocks = Array.from({ length: 500 }, (_, place) => (place * 37) % size.blocks);
  return [
    // To compare with: that many clients more share the thread, whatever they ask.
    { name: 'REST: blocks, 8 clients', paths: ['/api/v1/blocks?limit=1'], connections: 8 },
    { name: '100 calls of 15 M gas, 4 clients', bodies: [batch(Array(100).fill(call))], connections: 4 },
    { name: '10,000 logs, 4 clients', bodies: spans.map((first) => one(logsOf(first, 780))), connections: 4 },
    {
      name: 'batches of 100 × 10,000 logs',
      bodies: [batch(spans.concat(spans).map((first) => logsOf(first, 780)))],
      connections: 1,
    },
    {
      name: 'filters, 8 clients',
      bodies: spans.flatMap((first) => [
        one({ method: 'eth_newFilter', params: [{ fromBlock: toHex(first), toBlock: 'latest' }] }),
        one({ method: 'eth_newBlockFilter', params: [] }),
      ]),
      connections: 8,
    },
    {
      name: 'opcodes of a million gas, 2 clients',
      bodies: [one({ method: 'debug_traceTransaction', params: [heavy, { enableMemory: true }] })],
      connections: 2,
    },
    {
      name: 'batches of 100 whole blocks, 2 clients',
      bodies: [
        batch(
          blocks.slice(0, 100).map((number) => ({ method: 'eth_getBlockByNumber', params: [toHex(number), true] })),
        ),
      ],
      connections: 2,
    },
    {
      name: 'batches of 100 balances, 4 clients',
      bodies: Array.from({ length: 20 }, (_, turn) =>
        batch(
          holders
            .slice(turn * 100, turn * 100 + 100)
            .map((holder) => ({ method: 'eth_getBalance', params: [toAddress(holder), 'latest'] })),
        ),
      ),
      connections: 4,
    },
    {
      // The sender shares this process with the clients of REST.
      name: 'megabytes of JSON, 1 client',
      bodies: [`[${'[],'.repeat(300_000)}1]`, `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
      connections: 1,
    },
  ];
}

function restPaths(size: LedgerSize, { relations, holders }: CalledContracts): string[] {
  return relations
    .slice(0, 5000)
    .flatMap(({ token }, place) => [
      `/api/v1/tokens/0.0.${token}`,
      `/api/v1/accounts/0.0.${holders[place % holders.length]}?transactions=false`,
      `/api/v1/blocks/${place % size.blocks}`,
      `/api/v1/transactions?account.id=${firstId.account + (place % 500)}&limit=10`,
    ]);
}

function one(request: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, ...request });
}

function count(statuses: Map<number, number>) {
  return (status: number): boolean => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status < 600;
  };
}

function show(statuses: ReadonlyMap<number, number>): string {
  return [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
}
