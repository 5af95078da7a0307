// Verification benchmark: seconds and memory of a contract check, and the effect of many checks on ledger queries,
// whose p99 must stay within 1.5 times. On a shared machine only the ratio holds: it is measured in rounds, each with a
// separate server, first without checks and then while they wait.
//
//   node scripts/run.mjs bench/verification.ts [--checks 200] [--rounds 8] [--seconds 1] [--connections 4]
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pause } from '../packages/kit/pause.ts';
import { addCheckableContracts } from './support/checkable-contracts.ts';
import { type LoadFigures, measureLoad } from './support/http-load.ts';
import { openLargeLedger, sizeOf } from './support/large-ledger.ts';
import { median } from './support/median.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { makeRequestKinds } from './support/request-mix.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    checks: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '4' },
  },
});
const checks = Number(options.checks);
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const connections = Number(options.connections);
const single = 5;
const maxRatio = 1.5;
/** Of each kind in a round. */
const turns = 4;
const warmUpSeconds = 3;
const scale = 0.015;
const rightAnswer = '200 partial';

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const database = await openLargeLedger(sizeOf(scale), scale);
try {
  await withScratchFolder(async (folder) => {
    const { connectionString } = database;
    const records = join(folder, 'network', 'explorer');
    const prepare = () => addCheckableContracts(connectionString, records, checks + single + 1);
    const withServer = async (use: (url: string, memory: Memory) => Promise<void>): Promise<void> => {
      const server = await startChild([
        ...[main, 'serve', '--port', '0', '--log-level', 'error', '--network', 'demo', '--data-dir', folder],
        // Repeated requests: answered from memory they would not show the load of a check on PostgreSQL.
        ...['--database-url', connectionString, '--answer-cache', '0'],
      ]);
      const memory = watchMemory(server.pid);
      try {
        await use(server.url, memory);
      } finally {
        memory.stop();
        await server.stop();
      }
    };
    console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start\n`);
    const addresses = await prepare();
    await withServer((url, memory) => measureSingle(url, addresses.slice(0, single + 1), memory));
    const kinds = await makeRequestKinds(connectionString, sizeOf(scale));
    // What most requests of wallets and explorers are about.
    const paths = kinds
      .filter(({ name }) => /^(?:accounts|contracts|tokens|transactions|schedules|blocks)\b/.test(name))
      .flatMap(({ paths }) => paths.slice(0, 50));
    const crowd = startCrowd(paths);
    for (let round = 1; round <= rounds; round++) {
      await prepare();
      await withServer((url, memory) => crowd.measure(url, addresses.slice(single + 1), memory, round === rounds));
    }
    crowd.report();
  });
} finally {
  await database.stop();
}

async function measureSingle(url: string, [first, ...others]: string[], memory: Memory): Promise<void> {
  const idleMb = memory.serverMb();
  const took = async (address: string): Promise<number> => {
    const started = performance.now();
    const answer = await check(url, address);
    if (answer !== rightAnswer) throw new Error(`The check of ${address} was answered with ${answer}`);
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
      ['the first, its compiler checked, s', formatFigure(firstSeconds)],
      ['each of the next, median, s', formatFigure(all[all.length >> 1]!)],
      ['the same again, from the store, ms', formatFigure(again * 1000)],
      ['service before, MB', formatFigure(idleMb)],
      ['service after, MB', formatFigure(memory.serverMb())],
      ['process of a check at its peak, MB', formatFigure(memory.childPeakMb())],
    ],
  );
}

/** Answers without and with checks, in rounds of some seconds: what else the machine does changes more slowly. */
function startCrowd(paths: string[]) {
  const without: LoadFigures[] = [];
  const beside: LoadFigures[] = [];
  const told = new Map<string, number>();
  let answeredBeside = 0;
  let afterwardsSeconds = 0;
  let peakMb = 0;
  let childPeakMb = 0;

  return {
    async measure(url: string, addresses: string[], memory: Memory, isLast: boolean): Promise<void> {
      const load = { url, paths, connections, seconds };
      await measureLoad({ ...load, seconds: warmUpSeconds });
      for (let turn = 0; turn < turns; turn++) without.push(await measureLoad(load));
      let answered = 0;
      const asked = addresses.map(async (address) => {
        const answer = await check(url, address);
        answered += 1;
        return answer;
      });
      const answers = Promise.allSettled(asked);
      await memory.untilCheck();
      for (let turn = 0; turn < turns; turn++) beside.push(await measureLoad(load));
      if (answered === addresses.length)
        throw new Error('All checks were done before the end: more of them are needed');
      answeredBeside += answered;
      peakMb = Math.max(peakMb, memory.serverPeakMb());
      childPeakMb = Math.max(childPeakMb, memory.childPeakMb());
      // Those of the other rounds end with their server.
      if (!isLast) return void answers.catch(() => undefined);
      const began = performance.now();
      for (const settled of await answers) {
        const answer = settled.status === 'fulfilled' ? settled.value : String(settled.reason);
        told.set(answer, (told.get(answer) ?? 0) + 1);
      }
      afterwardsSeconds = (performance.now() - began) / 1000;
    },
    report(): void {
      const p99 = (figures: LoadFigures[]): number => median(figures.map(({ p99Ms }) => p99Ms));
      const rate = (figures: LoadFigures[]): number => median(figures.map(({ perSecond }) => perSecond));
      const ratio = median(beside.map(({ p99Ms }, turn) => p99Ms / without[turn]!.p99Ms));
      const rateRatio = median(beside.map(({ perSecond }, turn) => perSecond / without[turn]!.perSecond));
      printTable(
        [`ledger queries, ${connections} connections`, 'requests/s', 'p99 ms'],
        [
          ['without checks', formatFigure(rate(without)), formatFigure(p99(without))],
          [`while ${checks} checks wait`, formatFigure(rate(beside)), formatFigure(p99(beside))],
          ['median of the ratios within a round', formatFigure(rateRatio), formatFigure(ratio)],
        ],
      );
      console.log(`Checks done beside ${formatFigure(beside.length * seconds)} s of queries: ${answeredBeside}`);
      console.log(`The others of the last round, without queries: ${formatFigure(afterwardsSeconds)} s`);
      for (const [answer, count] of told) console.log(`  ${count} × ${answer}`);
      console.log(
        `Service at its peak: ${formatFigure(peakMb)} MB; processes of checks: ${formatFigure(childPeakMb)} MB`,
      );
      const misses = [
        ...(ratio <= maxRatio ? [] : [`p99 × ${formatFigure(ratio)}, at most ${maxRatio}`]),
        ...(told.get(rightAnswer) === checks ? [] : [`not all ${checks} checks were answered with ${rightAnswer}`]),
      ];
      console.log(misses.length === 0 ? `p99 stays within ${maxRatio} times.` : `MISSED: ${misses.join('; ')}`);
      if (misses.length > 0) process.exitCode = 1;
    },
  };
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
  /** Resolves when a check has begun. */
  untilCheck(): Promise<void>;
  stop(): void;
};

/** Linux only: elsewhere no check is ever seen. */
function watchMemory(pid: number): Memory {
  let childPeak = 0;
  const timer = setInterval(() => {
    for (const child of childrenOf(pid)) childPeak = Math.max(childPeak, statusMb(child, 'VmHWM'));
  }, 100);
  return {
    serverMb: () => statusMb(pid, 'VmRSS'),
    serverPeakMb: () => statusMb(pid, 'VmHWM'),
    childPeakMb: () => childPeak,
    async untilCheck() {
      while (!childrenOf(pid).some(isCheck)) await pause(5);
    },
    stop: () => clearInterval(timer),
  };
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

function isCheck(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('check-process');
  } catch {
    return false; // It has ended.
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
