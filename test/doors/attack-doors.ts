// Clients that take and give nothing back come to a server, kind after kind; what it holds, and how it answers others
// meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { openMessageStream, textOf } from '../support/followers/message-stream.ts';
import * as hostile from './hostile-clients.ts';
import { openMeasuredServer } from './measured-server.ts';

type Kind = { name: string; count: number; open: (place: number) => Promise<hostile.Hostile> };

export type Outcome = {
  name: string;
  count: number;
  /** MB more than before, while they are there. */
  grownMb: number;
  /** Of the connections. */
  ended: number;
  /** Longest answer to REST meanwhile. */
  slowestMs: number;
  failures: number;
};

export type AttackOptions = {
  /** How many of each kind. */
  counts: Record<
    'quiet' | 'quietGrpc' | 'deafSockets' | 'deafEvents' | 'deafGrpc' | 'hugeFrames' | 'halfOpen' | 'pings' | 'greedy',
    number
  >;
  /** Blocks that come while they are there. */
  blocks: number;
  onOutcome?(outcome: Outcome): void;
};

export async function attackDoors({ counts, blocks, onOutcome }: AttackOptions): Promise<Outcome[]> {
  const stream = await openMessageStream();
  const server = await openMeasuredServer(stream.connectionString, ['--max-connections', '19000']);
  let place = 0;
  const writeBlock = (): void => {
    stream.writeBlock(Array.from({ length: 200 }, () => textOf(place++)));
  };
  const kinds: Kind[] = [
    { name: 'quiet subscribers of heads', count: counts.quiet, open: () => hostile.quietSocket(server) },
    { name: 'connections with five quiet calls', count: counts.quietGrpc, open: () => hostile.quietGrpc(server) },
    { name: 'web sockets that do not read', count: counts.deafSockets, open: () => hostile.deafSocket(server) },
    { name: 'events that are not read', count: counts.deafEvents, open: () => hostile.deafEvents(server) },
    {
      name: 'connections with five calls that are not read',
      count: counts.deafGrpc,
      open: () => hostile.deafGrpc(server),
    },
    { name: 'frames of 100 MB', count: counts.hugeFrames, open: () => hostile.hugeFrame(server) },
    { name: 'half-open connections', count: counts.halfOpen, open: (n) => hostile.halfOpen(server, n) },
    { name: 'floods of pings', count: counts.pings, open: (n) => hostile.pingFlood(server, n) },
    {
      name: 'web sockets with 100 subscriptions of 400 topics',
      count: counts.greedy,
      open: () => hostile.greedySocket(server),
    },
  ];
  const outcomes: Outcome[] = [];
  try {
    for (let count = 0; count < 10; count++) writeBlock();
    while (!(await (await fetch(`${server.url}/api/v1/blocks?limit=1`)).text()).includes('"number":10'))
      await sleep(50);
    await probe(server.url).stop();
    for (const { name, count, open } of kinds) {
      if (count === 0) continue;
      const before = await server.residentMb();
      const watch = probe(server.url);
      const clients: hostile.Hostile[] = [];
      for (let at = 0; at < count; at += 50) {
        clients.push(...(await Promise.all(Array.from({ length: Math.min(50, count - at) }, (_, n) => open(at + n)))));
      }
      if (!name.includes('quiet')) {
        for (let more = 0; more < blocks; more++) {
          writeBlock();
          await sleep(100);
        }
      }
      await sleep(1000);
      const { slowestMs, failures } = await watch.stop();
      const grownMb = (await server.residentMb()) - before;
      const ended = clients.filter((client) => client.isOver()).length;
      for (const client of clients) client.end();
      const outcome = { name, count, grownMb, ended, slowestMs, failures };
      outcomes.push(outcome);
      onOutcome?.(outcome);
      await sleep(500);
    }
    return outcomes;
  } finally {
    await server.close();
    await stream.close();
  }
}

/** Asks REST ten times a second. */
function probe(url: string) {
  let [slowestMs, failures, isOver] = [0, 0, false];
  const done = (async () => {
    for (let n = 0; !isOver; n++) {
      const startedMs = performance.now();
      const answer = await fetch(`${url}/api/v1/blocks?limit=${1 + (n % 20)}`).catch(() => null);
      await answer?.text();
      if (answer?.status !== 200) failures += 1;
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      await sleep(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await done;
      return { slowestMs, failures };
    },
  };
}
