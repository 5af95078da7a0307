// Overload: the whole product, with blocks arriving, gets more requests than it can answer. What it accepts must be
// answered soon, the rest refused at once with Retry-After; its memory must not grow, and it must stay ready.
// The sender takes its share of the same processors: how late it was itself is printed, and counts as the product's.
//
//   node scripts/run.mjs bench/overload.ts [--minutes 10] [--times 2] [--connections 400]
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pause } from '../packages/kit/pause.ts';
import { measureLoad } from './support/http-load.ts';
import { listPaths } from './support/list-paths.ts';
import { mediansOfTenths } from './support/medians-of-tenths.ts';
import { sendOpenLoad } from './support/open-load.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { residentMb } from './support/process-usage.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    times: { type: 'string', default: '2' },
    connections: { type: 'string', default: '400' },
  },
});
const seconds = Number(options.minutes) * 60;
const times = Number(options.times);
const connections = Number(options.connections);
const maxP99Ms = 250;
/** Ratio of the last fifth of the time to the second. */
const maxGrowth = 1.15;

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
await withScratchFolder(async (folder) => {
  const product = await startChild([
    ...[main, 'start', '--port', '0', '--data-dir', folder, '--log-level', 'error', '--answer-cache', '0'],
    ...['--block-interval', '500', '--transactions-per-block', '40'],
  ]);
  try {
    const { pid } = product;
    const url = product.url.replace(/\/$/, '');
    console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start`);
    while ((await newestBlock(url)) < 60) await pause(500);
    const paths = await listPaths(url);
    await measureLoad({ url, paths, connections: 32, seconds: 5 });
    const capacity = await measureLoad({ url, paths, connections: 32, seconds: 10 });
    const firstBlock = await newestBlock(url);
    const watch = watchProduct(url, pid);
    const perSecond = times * capacity.perSecond;
    const load = await sendOpenLoad({ url, paths, connections, perSecond, seconds });
    const { readiness, memoryMb } = watch.stop();
    const blocks = (await newestBlock(url)) - firstBlock;

    const accepted = load.acceptedMs;
    const quantileOf = (values: Float64Array, share: number): number =>
      values[Math.floor((values.length - 1) * share)] ?? Number.NaN;
    const quantile = (share: number): number => quantileOf(accepted, share);
    printTable(
      [`${paths.length} questions, uncached, ${connections} connections`, 'value'],
      [
        ['capacity, 32 connections, requests/s', formatFigure(capacity.perSecond)],
        ['its p99, ms', formatFigure(capacity.p99Ms)],
        ['requests/s due', formatFigure(perSecond)],
        ['requests sent', formatFigure(load.sent)],
        ['not sent, because all connections waited', formatFigure(load.notSent)],
        ...[...load.kinds].sort().map(([kind, number]) => [`answers ${kind}`, formatFigure(number)]),
        ['accepted/s', formatFigure(accepted.length / seconds)],
        ['p50 of accepted, ms', formatFigure(quantile(0.5))],
        ['p99 of accepted, ms', formatFigure(quantile(0.99))],
        ['p99.9 of accepted, ms', formatFigure(quantile(0.999))],
        ['p99 of accepted since they were sent, ms', formatFigure(quantileOf(load.sinceSentMs, 0.99))],
        ['p99 of how late they were sent, ms', formatFigure(quantileOf(load.senderLateMs, 0.99))],
        ["p99 of the sender's event loop delay, ms", formatFigure(load.senderDelayP99Ms)],
        ['connections lost', formatFigure(load.lost)],
        ['blocks imported meanwhile', formatFigure(blocks)],
        ['readiness asked, not ready', `${readiness.asked}, ${readiness.refused}`],
        ['slowest readiness, ms', formatFigure(readiness.slowestMs)],
        ['memory of the mirror, MB, ten times over', memoryMb.map((mb) => mb.toFixed(0)).join(' ')],
      ],
    );
    const allowed = new Set(['200', '503 with Retry-After']);
    const growth = memoryMb.at(-1)! / memoryMb[2]!;
    const misses = [
      ...[...load.kinds.keys()].filter((kind) => !allowed.has(kind)).map((kind) => `answers ${kind}`),
      ...(quantile(0.99) <= maxP99Ms ? [] : [`p99 of accepted above ${maxP99Ms} ms`]),
      ...(readiness.refused === 0 ? [] : ['not ready']),
      ...(growth <= maxGrowth ? [] : [`memory × ${growth.toFixed(2)}`]),
      ...(blocks > 0 ? [] : ['no block was imported']),
    ];
    console.log(misses.length === 0 ? 'All limits are met.' : `MISSED: ${misses.join('; ')}`);
    if (misses.length > 0) process.exitCode = 1;
  } finally {
    await product.stop();
  }
});

async function newestBlock(url: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/blocks?limit=1`);
  // Refused while there is too much to do.
  if (response.status === 503) return pause(500).then(() => newestBlock(url));
  if (!response.ok) throw new Error(`blocks were answered with ${response.status}: ${await response.text()}`);
  const { blocks } = (await response.json()) as { blocks: { number: number }[] };
  return blocks[0]?.number ?? 0;
}

/** Readiness every second on a separate connection, and the memory of the process, as medians of tenths of the time. */
function watchProduct(url: string, pid: number) {
  const readiness = { asked: 0, refused: 0, slowestMs: 0 };
  const samples: number[] = [];
  const timer = setInterval(async () => {
    samples.push(residentMb(pid));
    const asked = performance.now();
    const status = await fetch(`${url}/health/readiness`).then(
      (response) => response.status,
      () => 0,
    );
    readiness.asked += 1;
    if (status !== 200) readiness.refused += 1;
    readiness.slowestMs = Math.max(readiness.slowestMs, performance.now() - asked);
  }, 1000);
  return {
    stop() {
      clearInterval(timer);
      return { readiness, memoryMb: mediansOfTenths(samples) };
    },
  };
}
