// p99 of REST, 16 clients, while JSON-RPC is asked for as much as its limits allow, against p99 beside a process that
// takes as much of the processors as the attacker and asks nothing: the ratio is what the service lets the attack do.
// And the memory.
import { pause } from '../../packages/kit/pause.ts';
import type { CalledContracts } from '../support/called-contracts.ts';
import { toAddress, toHex } from '../support/hex.ts';
import { measureLoad, summarizeLoads, type TimedLoad, timeLoad } from '../support/http-load.ts';
import { firstId, type LedgerSize } from '../support/large-ledger.ts';
import { formatFigure, printTable } from '../support/print-table.ts';
import { residentMb } from '../support/process-usage.ts';
import { startAttacker } from '../support/start-attacker.ts';
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

/** Of p99, attacked and beside an idle attacker. */
const goal = 1.5;
const restClients = 16;

/** Whether the goal is kept by all. */
export async function compareTails({ serve, size, contracts, rounds, seconds, only }: Options): Promise<boolean> {
  let isKept = true;
  const server = await serve('--answer-cache', '0');
  const attacker = startAttacker();
  const { url, pid } = server;
  try {
    const rest = { url, paths: restPaths(size, contracts), connections: restClients, seconds };
    // Some may be refused beside others.
    const statuses = new Map<number, number>();
    const counted = { ...rest, isExpected: count(statuses) };
    await measureLoad({ ...rest, leastRequests: 3000 });
    const rows: string[][] = [];
    for (const attack of attacks(size, contracts).filter(({ name }) => name.includes(only))) {
      const [alone, beside, attacked]: TimedLoad[][] = [[], [], []];
      const answered = new Map<number, number>();
      statuses.clear();
      let mostMb = residentMb(pid);
      const watch = setInterval(() => {
        mostMb = Math.max(mostMb, residentMb(pid));
      }, 50);
      for (let round = 0; round < rounds; round++) {
        alone!.push(await timeLoad(rest));
        const paths = 'paths' in attack ? attack.paths : attack.bodies.map(() => '/rpc');
        const bodies = 'paths' in attack ? undefined : attack.bodies;
        attacker.begin({ kind: 'attack', load: { url, connections: attack.connections, paths, bodies } });
        await pause(250);
        attacked!.push(await timeLoad(counted));
        const said = await attacker.end();
        for (const [status, times] of said.statuses) answered.set(status, (answered.get(status) ?? 0) + times);
        // What was begun for it ends before the next slice.
        await pause(1000);
        attacker.begin({ kind: 'spin', share: said.share });
        beside!.push(await timeLoad(rest));
        await attacker.end();
      }
      clearInterval(watch);
      const [calm, before, during] = [alone!, beside!, attacked!].map(summarizeLoads);
      const ratio = during!.p99Ms / before!.p99Ms;
      isKept &&= ratio <= goal;
      rows.push([
        attack.name,
        show(answered),
        show(statuses),
        ...[before!.p50Ms, during!.p50Ms, calm!.p99Ms, before!.p99Ms, during!.p99Ms].map(formatFigure),
        `× ${ratio.toFixed(2)}`,
        `≤ ${goal}: ${ratio <= goal ? 'kept' : 'MISSED'}`,
        formatFigure(mostMb),
      ]);
    }
    console.log(
      `\nAnswers of REST, ms, ${restClients} clients: alone, beside a process that takes what the attacker takes, and attacked; ${rounds} rounds of each in turns`,
    );
    const durations = ['p50 beside', 'attacked', 'p99 alone', 'beside', 'attacked'];
    printTable(['attack', 'answered', 'REST', ...durations, 'ratio', 'goal', 'MB at most'], rows);
  } finally {
    await attacker.stop();
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
