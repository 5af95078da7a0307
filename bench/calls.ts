// Benchmark of contract calls: CPU of server and PostgreSQL for a request over HTTP, against `GET tokens/{id}` in
// turns; the same at a block of the past; runs of estimates; memory of a list of opcodes; and p99 of other answers
// while hostile code runs. Only ratios and CPU times hold on a shared machine. Each slice begins with a new block, so
// that nothing of the present is in memory.
//
//   node scripts/run.mjs bench/calls.ts [--rounds 7] [--seconds 0.5] [--connections 8] [--scale 0.25] [--quick] [--only cpu,…]
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDatabase } from '../packages/postgres/wire/database.ts';
import { usualRealm } from '../packages/protocol/hapi/system-entity.ts';
import { assemble } from '../packages/test-support/evm/assemble.ts';
import { createCalls } from '../src/calls/create-calls.ts';
import type { CallQuestion } from '../src/calls/thread/job.ts';
import type { CalledContracts } from './support/called-contracts.ts';
import { openCalledLedger } from './support/called-ledger.ts';
import { closeAtEnd } from './support/close-at-end.ts';
import { toAddress } from './support/hex.ts';
import { type LoadOptions, measureLoad, summarizeLoads, type TimedLoad, timeLoad } from './support/http-load.ts';
import { firstId, sizeOf } from './support/large-ledger.ts';
import { measureCpu } from './support/measure-request.ts';
import { median } from './support/median.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { listProcesses, residentMb } from './support/process-usage.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '0.5' },
    connections: { type: 'string', default: '8' },
    scale: { type: 'string', default: '0.25' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'cpu,estimates,opcodes,hostile' },
  },
});
const rounds = options.quick ? 1 : Number(options.rounds);
const seconds = options.quick ? 0.1 : Number(options.seconds);
const scale = options.quick ? 0.02 : Number(options.scale);
const connections = Number(options.connections);
const wanted = new Set(options.only.split(','));
/** Of the goals. */
const most = { view: 2, past: 3, runs: 4, megabytes: 100, p99: 1.5 };

const size = sizeOf(scale);
const callPath = '/api/v1/contracts/call';
const blocksAgo = Math.min(10_000, size.blocks - 100);
const program = fileURLToPath(new URL('../scripts/ledger-mirror.mjs', import.meta.url));

let isKept = true;
await closeAtEnd(async (later) => {
  const { ledger, contracts } = await openCalledLedger(size, scale, later);
  const server = await startChild([
    ...[resolve(program), 'serve', '--port', '0', '--log-level', 'warn', '--status-service', 'off', '--max-wait', '0'],
    ...['--data-dir', ledger.dataFolder, '--database-url', ledger.connectionString, '--answer-cache', '0'],
    ...['--call-rate', '1000000', '--call-gas-rate', '1000000', '--opcode-rate', '1000'],
    ...['--max-call-gas', '1000000000'],
  ]);
  later(() => server.stop());
  const place: Place = { url: server.url, launcher: server.pid, dataFolder: ledger.dataFolder, contracts };
  if (wanted.has('cpu')) await compareCpu(place);
  if (wanted.has('estimates')) await countRuns(ledger.connectionString, contracts);
  if (wanted.has('opcodes')) await measureOpcodes(place);
  if (wanted.has('hostile')) await compareTails(place);
});
process.exitCode = isKept ? 0 : 1;

type Place = { url: string; launcher: number; dataFolder: string; contracts: CalledContracts };

async function compareCpu({ url, dataFolder, contracts }: Place): Promise<void> {
  const { coin, holders, relations } = contracts;
  const tokens = relations.map(({ token }) => token);
  const views: [name: string, bodies: (block: string) => string[], isView: boolean][] = [
    ['view name()', (block) => tokens.map((token) => toBody(token, '06fdde03', block)), true],
    ['view totalSupply()', (block) => tokens.map((token) => toBody(token, '18160ddd', block)), true],
    [
      'view balanceOf(address)',
      (block) => relations.map(({ token, holder }) => toBody(token, `70a08231${toWord(holder)}`, block)),
      true,
    ],
    ['view name(), one token', (block) => [toBody(tokens[0]!, '06fdde03', block)], true],
    [
      'ERC-20 contract, balanceOf(address)',
      (block) => holders.map((holder) => toBody(coin, `70a08231${toWord(holder)}`, block)),
      false,
    ],
  ];
  const past = (): string => String(contracts.newestBlock - blocksAgo);
  const kinds: { name: string; load(): Pick<LoadOptions, 'paths' | 'bodies'> }[] = [
    { name: 'GET tokens/{id}', load: () => ({ paths: tokens.map((token) => `/api/v1/tokens/0.0.${token}`) }) },
    ...views.flatMap(([name, bodies]) => [
      { name, load: () => toLoad(bodies('latest')) },
      { name: `${name}, ${blocksAgo} blocks ago`, load: () => toLoad(bodies(past())) },
    ]),
  ];
  const taken = kinds.map((): { server: number; postgres: number }[] => []);
  for (const { load } of kinds)
    await measureLoad({ url, ...load(), connections, seconds, leastRequests: options.quick ? 50 : 4000 });
  for (let round = 0; round < rounds; round++) {
    for (const [place, { load }] of kinds.entries()) {
      await contracts.addBlock();
      const figures = await measureCpu({ url, ...load(), connections, seconds }, dataFolder);
      taken[place]!.push({ server: figures.serverCpuMs, postgres: figures.postgresCpuMs ?? 0 });
      // Another block of the past: nothing of it is in memory.
      contracts.newestBlock -= 1;
    }
  }
  const cpuOf = (place: number): number => median(taken[place]!.map(({ server, postgres }) => server + postgres));
  const rows = kinds.map(({ name }, place) => {
    const isPast = place > 0 && place % 2 === 0;
    const isView = !isPast && (views[(place - 1) / 2]?.[2] ?? false);
    const ratio = place === 0 ? null : cpuOf(place) / cpuOf(isPast ? place - 1 : 0);
    const goal = isPast ? most.past : isView ? most.view : null;
    return [
      name,
      formatFigure(median(taken[place]!.map(({ server }) => server))),
      formatFigure(median(taken[place]!.map(({ postgres }) => postgres))),
      formatFigure(cpuOf(place)),
      ratio === null ? '' : `× ${ratio.toFixed(2)} of ${isPast ? 'now' : 'GET'}`,
      ratio === null || goal === null ? '' : judge(ratio, goal),
    ];
  });
  console.log(`\nCPU ms a request, median of ${rounds} rounds, ${connections} connections`);
  printTable(['request', 'server', 'PostgreSQL', 'together', 'ratio', 'goal'], rows);
}

/** In this process: answers do not say how many runs there were. */
async function countRuns(
  connectionString: string,
  { coin, holders, relations, hostile }: CalledContracts,
): Promise<void> {
  const db = openDatabase({ connectionString });
  const calls = createCalls({ db, system: usualRealm, network: { chainId: 298n } });
  const hex = (text: string): Uint8Array => Buffer.from(text, 'hex');
  const question = (to: bigint | null, data: Uint8Array): CallQuestion => ({
    ...{
      from: null,
      to,
      value: 0n,
      data,
      gas: 15_000_000,
      paysValue: false,
      estimate: true,
      block: null,
      overrides: [],
    },
  });
  const { token, holder } = relations[0]!;
  const questions: Record<string, CallQuestion> = {
    'view name()': question(token, hex('06fdde03')),
    'view balanceOf(address)': question(token, hex(`70a08231${toWord(holder)}`)),
    'ERC-20 contract': question(coin, hex(`70a08231${toWord(holders[0]!)}`)),
    'a million gas': question(coin + 1n, hex('')),
    'a creation': question(null, assemble('PUSH 32 PUSH 0 RETURN')),
    'an account': question(holder, hex('')),
    'depth 1,024': question(hostile.find(({ name }) => name.startsWith('depth'))!.id, hex('')),
  };
  const rows: string[][] = [];
  let all = 0;
  for (const [name, asked] of Object.entries(questions)) {
    const answer = await calls.ask(asked);
    if (answer.kind !== 'estimated') throw new Error(`${name} ended as ${answer.kind}`);
    all += answer.runs;
    rows.push([name, formatFigure(answer.gas), String(answer.runs)]);
  }
  const mean = all / rows.length;
  await calls.close();
  await db.close();
  console.log('\nEstimates');
  printTable(['of', 'gas', 'runs'], [...rows, ['mean', '', mean.toFixed(2)]]);
  console.log(`runs of an estimate: ${mean.toFixed(2)} ${judge(mean, most.runs)}`);
}

async function measureOpcodes({ url, launcher, contracts }: Place): Promise<void> {
  const pid = pidBelow(launcher);
  const rows: string[][] = [];
  for (const query of ['', '?memory=true&storage=true']) {
    const path = `${url}${contracts.heavyPath}${query}`;
    const ask = async (): Promise<Buffer> => {
      const answer = await fetch(path, { headers: { 'accept-encoding': 'gzip' } });
      const body = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`);
      return body;
    };
    const before = residentMb(pid);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMb(pid));
    }, 5);
    const times = options.quick ? 2 : 4;
    let length = 0;
    for (let count = 0; count < times; count++) length = (await ask()).length;
    clearInterval(watch);
    rows.push([
      query || 'stack only',
      formatFigure(length / 2 ** 20),
      formatFigure(before),
      formatFigure(peak),
      formatFigure(peak - before),
      judge(peak - before, most.megabytes),
    ]);
  }
  console.log('\nOpcodes of a million gas, MB');
  printTable(['', 'text', 'resident before', 'at most', 'growth', 'goal'], rows);
}

/** The launcher's child, which answers. */
function pidBelow(launcher: number): number {
  const found = listProcesses()?.find(({ parent }) => parent === String(launcher));
  if (!found) throw new Error('Memory of a process can be read on Linux only.');
  return Number(found.pid);
}

async function compareTails({ url, contracts }: Place): Promise<void> {
  const { relations, holders, hostile } = contracts;
  const paths = relations.flatMap(({ token }, place) => [
    `/api/v1/tokens/0.0.${token}`,
    `/api/v1/accounts/0.0.${holders[place % holders.length]}?transactions=false`,
    `/api/v1/blocks/${place % size.blocks}`,
    `/api/v1/transactions?account.id=${firstId.account + (place % 500)}&limit=10`,
  ]);
  const load = { url, paths, connections: 4, seconds: seconds * 4 };
  await measureLoad(load);
  const rows: string[][] = [];
  for (const { name, id } of hostile) {
    const calm: TimedLoad[] = [];
    const attacked: TimedLoad[] = [];
    const statuses = new Map<number, number>();
    for (let round = 0; round < rounds; round++) {
      calm.push(await timeLoad(load));
      const attack = timeLoad({
        url,
        paths: [callPath],
        bodies: [JSON.stringify({ to: toAddress(id), gas: 1_000_000_000 })],
        isExpected(status) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          return status < 500;
        },
        connections: 2,
        seconds: load.seconds,
      });
      attacked.push(await timeLoad(load));
      await attack;
    }
    const [before, during] = [summarizeLoads(calm), summarizeLoads(attacked)];
    const ratio = during.p99Ms / before.p99Ms;
    rows.push([
      name,
      [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
      formatFigure(before.p50Ms),
      formatFigure(during.p50Ms),
      formatFigure(before.p99Ms),
      formatFigure(during.p99Ms),
      `× ${ratio.toFixed(2)}`,
      judge(ratio, most.p99),
    ]);
  }
  console.log('\nOther answers, ms, without and with two connections of hostile calls');
  printTable(['hostile', 'answered', 'p50', 'with', 'p99', 'with', 'ratio', 'goal'], rows);
}

function judge(figure: number, goal: number): string {
  if (figure <= goal) return `≤ ${goal}: kept`;
  isKept = false;
  return `≤ ${goal}: MISSED`;
}

function toBody(to: bigint, data: string, block: string): string {
  return JSON.stringify({ to: toAddress(to), data: `0x${data}`, gas: 1_000_000, block });
}

function toLoad(bodies: string[]): Pick<LoadOptions, 'paths' | 'bodies'> {
  return { paths: bodies.map(() => callPath), bodies };
}

function toWord(id: bigint): string {
  return id.toString(16).padStart(64, '0');
}
