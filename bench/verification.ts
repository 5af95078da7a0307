// Verification benchmark: seconds and memory of a contract check, and what a crowd of checks does to ledger queries, which
// must keep their p99 within 1.5 times. On a shared machine only the ratio holds: it is measured in turns, with checks
// that run and checks that are halted.
//
//   node scripts/run.mjs bench/verification.ts [--checks 200] [--seconds 1] [--connections 4]
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hieroFigures } from './report/hiero-figures.ts';
import { addCheckableContracts } from './support/checkable-contracts.ts';
import { type LoadFigures, measureLoad } from './support/http-load.ts';
import { openLargeLedger, sizeOf } from './support/large-ledger.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { makeRequestKinds } from './support/request-mix.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    checks: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '4' },
  },
});
const checks = Number(options.checks);
const seconds = Number(options.seconds);
const connections = Number(options.connections);
const single = 5;
const mostRatio = 1.5;
const turns = 40;
const scale = 0.015;

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const database = await openLargeLedger(sizeOf(scale), scale);
try {
  await withScratchFolder(async (folder) => {
    const { connectionString } = database;
    const records = join(folder, 'network', 'explorer');
    const addresses = await addCheckableContracts(connectionString, records, checks + single + 1);
    const server = await startChild([
      ...[main, 'serve', '--port', '0', '--log-level', 'error', '--network', 'demo', '--data-dir', folder],
      // The same requests again and again: from memory they would not show what a check takes from PostgreSQL.
      ...['--database-url', connectionString, '--answer-cache', '0'],
    ]);
    const memory = watchMemory(server.pid);
    try {
      console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start\n`);
      await measureSingle(server.url, addresses.slice(0, single + 1), memory);
      const kinds = await makeRequestKinds(connectionString, sizeOf(scale));
      await measureCrowd(
        server.url,
        addresses.slice(single + 1),
        // The kinds that the peer was measured with, of which most requests of wallets and explorers are.
        kinds.filter(({ name }) => name in hieroFigures).flatMap(({ paths }) => paths.slice(0, 50)),
        memory,
      );
    } finally {
      memory.stop();
      await server.stop();
    }
  });
} finally {
  await database.stop();
}

async function measureSingle(url: string, [first, ...others]: string[], memory: Memory): Promise<void> {
  const idleMb = memory.serverMb();
  const took = async (address: string): Promise<number> => {
    const started = performance.now();
    const answer = await check(url, address);
    if (answer !== '200 partial') throw new Error(`The check of ${address} was answered with ${answer}`);
    return (performance.now() - started) / 1000;
  };
  const firstSeconds = await took(first!);
  const all: number[] = [];
  for (const address of others) all.push(await took(address));
  all.sort((a, b) => a - b);
  const again = await took(first!);
  printTable(
    ['one check after another', 'value'],
    [
      ['the first, its compiler looked at, s', formatFigure(firstSeconds)],
      ['each of the next, median, s', formatFigure(all[all.length >> 1]!)],
      ['the same again, from the store, ms', formatFigure(again * 1000)],
      ['service before, MB', formatFigure(idleMb)],
      ['service after, MB', formatFigure(memory.serverMb())],
      ['process of a check at its peak, MB', formatFigure(memory.childPeakMb())],
    ],
  );
}

async function measureCrowd(url: string, addresses: string[], paths: string[], memory: Memory): Promise<void> {
  const load = { url, paths, connections, seconds };
  await measureLoad(load);
  const started = performance.now();
  const answers = Promise.all(addresses.map((address) => check(url, address)));
  let running = true;
  void answers.finally(() => {
    running = false;
  });
  // In turns, within the same seconds: what else the machine does meets both alike.
  const idle: LoadFigures[] = [];
  const busy: LoadFigures[] = [];
  while (running && busy.length < turns) {
    busy.push(await measureLoad(load));
    const resume = memory.pauseChildren();
    idle.push(await measureLoad(load));
    resume();
  }
  const told = await answers;
  const elapsed = (performance.now() - started) / 1000;
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
  const p99 = (figures: LoadFigures[]): number => median(figures.map(({ p99Ms }) => p99Ms));
  const rate = (figures: LoadFigures[]): number => median(figures.map(({ perSecond }) => perSecond));
  // Of neighbouring turns: what else the machine does changes within a run by more than what is measured.
  const ratio = median(busy.map(({ p99Ms }, turn) => p99Ms / idle[turn]!.p99Ms));
  const rateRatio = median(busy.map(({ perSecond }, turn) => perSecond / idle[turn]!.perSecond));
  console.log(
    `\n${addresses.length} checks at once: ${formatFigure(elapsed)} s, ${formatFigure(elapsed / addresses.length)} s each`,
  );
  for (const answer of new Set(told)) console.log(`  ${told.filter((one) => one === answer).length} × ${answer}`);
  printTable(
    ['ledger queries meanwhile', 'requests/s', 'p99 ms'],
    [
      ['checks halted', formatFigure(rate(idle)), formatFigure(p99(idle))],
      ['checks running', formatFigure(rate(busy)), formatFigure(p99(busy))],
      ['median of the ratios of neighbouring turns', formatFigure(rateRatio), formatFigure(ratio)],
    ],
  );
  console.log(
    `Service at its peak: ${formatFigure(memory.serverPeakMb())} MB; processes of checks: ${formatFigure(memory.childPeakMb())} MB`,
  );
  console.log(
    ratio <= mostRatio
      ? `p99 stays within ${mostRatio} times.`
      : `MISSED: p99 × ${formatFigure(ratio)}, at most ${mostRatio}`,
  );
}

/** Status code and verdict. Node's own client, because a check at the end of the queue takes minutes. */
function check(url: string, address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/verify/explorer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const { result, customCode } = JSON.parse(text) as { result?: { status: string }[]; customCode?: string };
        resolve(`${response.statusCode} ${result?.[0]?.status ?? customCode}`);
      });
    });
    sent.end(JSON.stringify({ address, chainId: '298' }));
  });
}

type Memory = {
  serverMb(): number;
  serverPeakMb(): number;
  /** Of all processes that the server has started, the largest. */
  childPeakMb(): number;
  /** Halts what runs now until the result is called. */
  pauseChildren(): () => void;
  stop(): void;
};

/** Linux only: elsewhere all figures are 0. */
function watchMemory(pid: number): Memory {
  let childPeak = 0;
  const timer = setInterval(() => {
    for (const child of childrenOf(pid)) childPeak = Math.max(childPeak, statusMb(child, 'VmHWM'));
  }, 100);
  return {
    serverMb: () => statusMb(pid, 'VmRSS'),
    serverPeakMb: () => statusMb(pid, 'VmHWM'),
    childPeakMb: () => childPeak,
    pauseChildren() {
      const children = childrenOf(pid);
      for (const child of children) signal(child, 'SIGSTOP');
      return () => {
        for (const child of children) signal(child, 'SIGCONT');
      };
    },
    stop: () => clearInterval(timer),
  };
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const texts = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return texts.join(' ').split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function statusMb(pid: number, name: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has ended.
  }
}
