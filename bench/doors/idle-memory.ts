// Memory of a service that nobody asks: with no door but REST, and with one or all of the others open.
import { pause } from '../../packages/kit/pause.ts';
import { median } from '../support/median.ts';
import { formatFigure, printTable } from '../support/print-table.ts';
import { residentMb } from '../support/process-usage.ts';
import type { Child } from '../support/start-child.ts';

export type Serve = (...flags: string[]) => Promise<Child>;

/** MB more than without doors. */
const goal = 30;
const opened: readonly [name: string, flags: readonly string[]][] = [
  ['none', []],
  ['JSON-RPC and web sockets', ['--rpc-port', '0']],
  ['gRPC', ['--grpc-port', '0']],
  ['all', ['--rpc-port', '0', '--grpc-port', '0']],
];

/** Whether the goal is kept. */
export async function compareIdle(serve: Serve, rounds: number): Promise<boolean> {
  const taken = opened.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [place, [, flags]] of opened.entries()) {
      const server = await serve(...flags);
      await pause(1500);
      taken[place]!.push(await settledMb(server.pid));
      await server.stop();
    }
  }
  const more = opened.map((_, place) => median(taken[place]!.map((mb, round) => mb - taken[0]![round]!)));
  const isKept = more.at(-1)! <= goal;
  console.log(`\nResident MB of an idle service after a collection; median of ${rounds} rounds`);
  printTable(
    ['doors', 'MB', 'more', 'goal'],
    opened.map(([name], place) => [
      name,
      formatFigure(median(taken[place]!)),
      formatFigure(more[place]!),
      name === 'all' ? `≤ ${goal}: ${isKept ? 'kept' : 'MISSED'}` : '',
    ]),
  );
  return isKept;
}

async function settledMb(pid: number): Promise<number> {
  for (let times = 0; times < 2; times++) {
    process.kill(pid, 'SIGUSR2');
    await pause(400);
  }
  return residentMb(pid);
}
