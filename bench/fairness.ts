// One hostile address and eight honest ones: p99 of the honest ones while the other takes what it can get, against p99
// beside a process that takes as much of the processors as the hostile client and asks nothing. The whole product,
// without its answer cache, with blocks arriving. Beside it: what the honest ones were refused, the colour of the
// status page, the memory after.
//
//   node scripts/run.mjs bench/fairness.ts [--only logs] [--rounds 3] [--seconds 3] [--goal 2] [--rest 300]
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pause } from '../packages/kit/pause.ts';
import { type Attack, listAttacks } from './fairness/attacks.ts';
import { measureLoad, summarizeLoads, type TimedLoad, timeLoad } from './support/http-load.ts';
import { listPaths } from './support/list-paths.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { residentMb } from './support/process-usage.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { startAttacker } from './support/start-attacker.ts';
import { type Child, startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    goal: { type: 'string', default: '2' },
    /** Then the memory is looked at again. */
    rest: { type: 'string', default: '0' },
  },
});
const [rounds, seconds, goal] = [Number(options.rounds), Number(options.seconds), Number(options.goal)];
const hostile = ['127.0.0.66'];
const honest = Array.from({ length: 8 }, (_, place) => `127.0.1.${place + 1}`);

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
await withScratchFolder(async (folder) => {
  const product = await startChild([
    ...[main, 'start', '--port', '0', '--data-dir', folder, '--log-level', 'error', '--answer-cache', '0'],
    // Honest clients that wait for nothing else ask more than the rate of all clients lets in.
    ...['--block-interval', '1000', '--transactions-per-block', '40', '--call-rate', '10000'],
  ]);
  try {
    const url = product.url.replace(/\/$/, '');
    console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start`);
    while ((await newestBlock(url)) < 30) await pause(500);
    const paths = await listPaths(url);
    await measureLoad({ url, paths, connections: 8, seconds: 3 });
    // What starts with the first request of its kind, such as threads for calls, is there before the memory is looked
    // at.
    const isExpected = (status: number): boolean => status < 600;
    for (const { load } of await listAttacks(url)) {
      await measureLoad({ url, ...load, connections: 2, seconds: 1, isExpected });
    }
    const beganMb = residentMb(product.pid);
    const isKept = await compareAll(product, url, paths);
    await pause(1000 * Number(options.rest));
    console.log(
      `Memory: ${formatFigure(beganMb)} MB before, ${formatFigure(residentMb(product.pid))} MB ${options.rest} s after`,
    );
    if (!isKept) process.exitCode = 1;
  } finally {
    await product.stop();
  }
});

async function compareAll(product: Child, url: string, paths: readonly string[]): Promise<boolean> {
  const attacker = startAttacker();
  const rows: string[][] = [];
  let isKept = true;
  try {
    for (const attack of (await listAttacks(url)).filter(({ name }) => name.includes(options.only))) {
      const { row, isFair } = await compare(attack, { attacker, url, paths, pid: product.pid });
      rows.push(row);
      isKept &&= isFair;
    }
  } finally {
    await attacker.stop();
  }
  console.log(`\nAnswers to eight honest addresses, ms; ${rounds} rounds of ${seconds} s in turns`);
  const durations = ['p99 alone', 'beside', 'attacked'];
  printTable(['attack', 'answered', 'honest refused', ...durations, 'ratio', 'goal', 'status', 'MB'], rows);
  return isKept;
}

type Context = { attacker: ReturnType<typeof startAttacker>; url: string; paths: readonly string[]; pid: number };

async function compare(attack: Attack, { attacker, url, paths, pid }: Context) {
  const loads = { alone: [] as TimedLoad[], beside: [] as TimedLoad[], attacked: [] as TimedLoad[] };
  const asked = { url, paths, ...attack.honest, connections: honest.length, addresses: honest, seconds };
  const answered = new Map<number, number>();
  let refused = 0;
  const isExpected = (status: number): boolean => {
    if (status !== 200) refused += 1;
    return status < 600;
  };
  let colour = 'none';
  for (let round = 0; round < rounds; round++) {
    loads.alone.push(await timeLoad(asked));
    attacker.begin({ kind: 'attack', load: { url, addresses: hostile, ...attack.load } });
    await pause(500);
    loads.attacked.push(await timeLoad({ ...asked, isExpected }));
    const said = await attacker.end();
    for (const [status, times] of said.statuses) answered.set(status, (answered.get(status) ?? 0) + times);
    colour = await indicatorOf(url, colour);
    // What was begun for it ends before the next slice.
    await pause(2000);
    attacker.begin({ kind: 'spin', share: said.share });
    loads.beside.push(await timeLoad(asked));
    await attacker.end();
  }
  const [alone, beside, attacked] = [loads.alone, loads.beside, loads.attacked].map(summarizeLoads);
  const ratio = attacked!.p99Ms / beside!.p99Ms;
  const isFair = ratio <= goal && refused === 0 && colour === 'none';
  const row = [
    attack.name,
    [...answered].map(([status, times]) => `${times} × ${status}`).join(', '),
    String(refused),
    ...[alone!, beside!, attacked!].map(({ p99Ms }) => formatFigure(p99Ms)),
    `× ${ratio.toFixed(2)}`,
    isFair ? 'kept' : 'MISSED',
    colour,
    formatFigure(residentMb(pid)),
  ];
  return { row, isFair };
}

/** The worst that was seen. */
async function indicatorOf(url: string, before: string): Promise<string> {
  const { status } = (await (await fetch(`${url}/api/v2/status.json`)).json()) as { status: { indicator: string } };
  return status.indicator === 'none' ? before : status.indicator;
}

async function newestBlock(url: string): Promise<number> {
  const { blocks } = (await (await fetch(`${url}/api/v1/blocks?limit=1`)).json()) as { blocks: { number: number }[] };
  return blocks[0]?.number ?? 0;
}
