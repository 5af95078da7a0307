// Benchmark of the doors beside REST: CPU of server and PostgreSQL for an answer of JSON-RPC against the answers of
// REST that hold the same, in turns; memory of a service with all doors open and idle against one with none; and p99 of
// REST while JSON-RPC is attacked. Only ratios, CPU times and memory hold on a shared machine.
//
//   node scripts/run.mjs bench/doors.ts [--rounds 7] [--seconds 0.5] [--scale 0.05] [--only cpu,cached,idle,hostile] [--quick]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryFlags } from '../packages/kit/process/memory-flags.ts';
import { type DoorPair, doorPairs } from './doors/door-pairs.ts';
import { compareTails } from './doors/hostile-requests.ts';
import { compareIdle } from './doors/idle-memory.ts';
import { openCalledLedger } from './support/called-ledger.ts';
import { closeAtEnd } from './support/close-at-end.ts';
import { measureLoad } from './support/http-load.ts';
import { sizeOf } from './support/large-ledger.ts';
import { measureCpu } from './support/measure-request.ts';
import { median } from './support/median.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '0.5' },
    connections: { type: 'string', default: '8' },
    scale: { type: 'string', default: '0.05' },
    pairs: { type: 'string', default: '' },
    only: { type: 'string', default: 'cpu,cached,idle,hostile' },
    attacks: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
});
const rounds = options.quick ? 1 : Number(options.rounds);
const seconds = options.quick ? 0.1 : Number(options.seconds);
const scale = Number(options.scale);
const connections = Number(options.connections);
const wanted = new Set(options.only.split(','));
/** Of the goal: CPU of a door's answer, in those of REST. */
const mostCpu = 1.2;

const size = sizeOf(scale);
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
let isKept = true;

await closeAtEnd(async (later) => {
  const { ledger, contracts } = await openCalledLedger(size, scale, later);
  const serve = (...flags: string[]) =>
    startChild([
      ...[
        '--expose-gc',
        `--import=${import.meta.resolve('./doors/collect-at-signal.ts')}`,
        ...memoryFlags('serve'),
        main,
        'serve',
        '--port',
        '0',
        '--log-level',
        'warn',
      ],
      ...['--data-dir', ledger.dataFolder, '--database-url', ledger.connectionString, '--status-service', 'off'],
      ...flags,
    ]);
  const pairs = doorPairs(size, contracts).filter(({ name }) => name.includes(options.pairs));
  const unbounded = ['--max-wait', '0', '--limit-max', '1000', '--opcode-rate', '1000'];
  if (wanted.has('cpu')) {
    const server = await serve('--answer-cache', '0', ...unbounded);
    later(() => server.stop());
    await compareCpu('of the database', pairs, server.url, ledger.dataFolder);
    await server.stop();
  }
  if (wanted.has('cached')) {
    const server = await serve(...unbounded);
    later(() => server.stop());
    await compareCpu('asked again and again, from memory', pairs, server.url, ledger.dataFolder);
    await server.stop();
  }
  if (wanted.has('idle')) isKept = (await compareIdle(serve, rounds)) && isKept;
  if (wanted.has('hostile')) {
    const kept = await compareTails({ serve, size, contracts, rounds, seconds: seconds * 4, only: options.attacks });
    isKept = kept && isKept;
  }
});
process.exitCode = isKept ? 0 : 1;

async function compareCpu(title: string, pairs: readonly DoorPair[], url: string, dataFolder: string): Promise<void> {
  const rows: string[][] = [];
  for (const { name, door, rest, isBound } of pairs) {
    const sides = [door, ...rest];
    for (const { load } of sides) {
      const leastRequests = options.quick ? 5 : Math.max(750, load.paths.length);
      await measureLoad({ url, ...load, connections, seconds, leastRequests });
    }
    const taken = sides.map((): { server: number; postgres: number }[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [place, { load, times }] of sides.entries()) {
        const figures = await measureCpu({ url, ...load, connections, seconds }, dataFolder);
        taken[place]!.push({ server: times * figures.serverCpuMs, postgres: times * (figures.postgresCpuMs ?? 0) });
      }
    }
    const own = taken[0]!.map(sum);
    for (const [place, side] of sides.entries()) {
      const figures = taken[place]!;
      const ratios = figures.map((one, round) => own[round]! / sum(one));
      const ratio = median(ratios);
      rows.push([
        place === 0 ? name : `  ${side.name}`,
        formatFigure(median(figures.map(({ server }) => server))),
        formatFigure(median(figures.map(({ postgres }) => postgres))),
        place === 0 ? '' : `× ${ratio.toFixed(2)}`,
        place === 0 || !isBound ? '' : judge(ratio),
      ]);
    }
  }
  console.log(`\nCPU ms of an answer, ${title}; median of ${rounds} rounds, ${connections} connections`);
  printTable(['answer', 'server', 'PostgreSQL', 'JSON-RPC in REST', 'goal'], rows);
}

function sum({ server, postgres }: { server: number; postgres: number }): number {
  return server + postgres;
}

function judge(ratio: number): string {
  if (ratio <= mostCpu) return `≤ ${mostCpu}: kept`;
  isKept = false;
  return `≤ ${mostCpu}: MISSED`;
}
