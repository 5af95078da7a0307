// Benchmark of files: an account's 100,000 transactions as CSV, read at full speed and by several at once. What the
// server's memory grows by, and p99 of the API beside it against p99 without. Only ratios hold on a shared machine.
//
//   node scripts/run.mjs bench/downloads.ts [--transactions 100000] [--readers 4] [--per-second 100] [--seconds 10]
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { proto, toLong } from '../packages/protocol/hapi/hapi.ts';
import { typeNumber } from '../packages/protocol/hapi/transaction-types.ts';
import { createScratchDatabase } from '../packages/test-support/postgres/scratch-database.ts';
import { fillLedger, firstTimestamp, hotAccount } from '../packages/test-support/rows/fill-ledger.ts';
import { addRows } from '../packages/test-support/rows/load-rows.ts';
import { closeAtEnd } from './support/close-at-end.ts';
import { sendOpenLoad } from './support/open-load.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { familyCpuSeconds, listProcesses, residentMb } from './support/process-usage.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    transactions: { type: 'string', default: '100000' },
    readers: { type: 'string', default: '4' },
    'per-second': { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
  },
});
const transactions = Number(options.transactions);
const readers = Number(options.readers);
const load = { connections: 16, perSecond: Number(options['per-second']), seconds: Number(options.seconds) };
/** Of the goals: MB more, and times p99. */
const most = { megabytes: 50, p99: 1.2 };

const program = fileURLToPath(new URL('../scripts/ledger-mirror.mjs', import.meta.url));
const apiPaths = [
  '/api/v1/transactions?limit=25',
  `/api/v1/accounts/0.0.${hotAccount}?limit=25`,
  '/api/v1/accounts/0.0.9001?limit=25',
  '/api/v1/blocks?limit=25',
  '/api/v1/tokens/0.0.100500',
];

await closeAtEnd(async (later) => {
  const scratch = await createScratchDatabase();
  later(() => scratch.close());
  // Half of the ledger's transactions are paid by the account.
  await fillLedger(scratch.connectionString, transactions * 2);
  await addRows(scratch.connectionString, [rates()]);
  const server = await startChild([
    ...[resolve(program), 'serve', '--port', '0', '--log-level', 'warn', '--status-service', 'off'],
    ...['--database-url', scratch.connectionString, '--data-dir', `/tmp/bench-downloads-${process.pid}`],
  ]);
  later(() => server.stop());
  const { url } = server;
  await sendOpenLoad({ url, paths: apiPaths, ...load, seconds: 3 });
  const file = `${url}/${await findNetwork(url)}/account/0.0.${hotAccount}/transactions.csv`;
  await read(`${file}?to=2023-11-14`);

  const before = memoryOf(server.pid);
  const cpuBefore = cpuOf(server.pid);
  const one = await watchMemory(server.pid, () => read(file));
  const cpuSeconds = cpuOf(server.pid) - cpuBefore;
  const several = await watchMemory(server.pid, () => Promise.all(Array.from({ length: readers }, () => read(file))));
  printTable(
    ['', 'rows', 'MB of text', 's', 'MB of memory more'],
    [
      [
        'one reader',
        `${one.result.rows}`,
        formatFigure(one.result.megabytes),
        formatFigure(one.seconds),
        formatFigure(one.most - before),
      ],
      [
        `${readers} readers`,
        `${several.result[0]!.rows} each`,
        formatFigure(several.result[0]!.megabytes),
        formatFigure(several.seconds),
        formatFigure(several.most - before),
      ],
    ],
  );

  console.log(`One file took the server ${formatFigure(cpuSeconds)} s of CPU, without PostgreSQL.\n`);

  const p99s = { alone: [] as number[], beside: [] as number[] };
  for (let round = 0; round < 3; round++) {
    p99s.alone.push(p99((await sendOpenLoad({ url, paths: apiPaths, ...load })).acceptedMs));
    const stopping = new AbortController();
    const reading = readAgain(file, stopping.signal);
    p99s.beside.push(p99((await sendOpenLoad({ url, paths: apiPaths, ...load })).acceptedMs));
    stopping.abort();
    await reading;
  }
  const [alone, beside] = [middle(p99s.alone), middle(p99s.beside)];
  printTable(
    ['p99 of the API, ms', 'alone', 'beside a file', 'ratio'],
    [['', formatFigure(alone), formatFigure(beside), formatFigure(beside / alone)]],
  );
  const isKept =
    one.most - before <= most.megabytes && several.most - before <= most.megabytes && beside / alone <= most.p99;
  process.exitCode = isKept ? 0 : 1;
});

/** The first part of paths of pages. */
async function findNetwork(url: string): Promise<string> {
  const page = await (await fetch(url)).text();
  return /href="\/([^/"]+)\/transactions"/.exec(page)![1]!;
}

/** The file of exchange rates, older than all transactions. */
function rates() {
  const rate = { hbarEquiv: 1, centEquiv: 12, expirationTime: { seconds: toLong(4_000_000_000n) } };
  const file_data = Buffer.from(proto.ExchangeRateSet.encode({ currentRate: rate, nextRate: rate }).finish());
  const row = {
    entity_id: 112n,
    consensus_timestamp: firstTimestamp - 5n,
    transaction_type: typeNumber.fileUpdate,
    file_data,
  };
  return { table: 'file_data', row };
}

async function read(url: string, signal?: AbortSignal): Promise<{ rows: number; megabytes: number }> {
  const answer = await fetch(url, { signal });
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  let rows = -1;
  let bytes = 0;
  for await (const part of answer.body!) {
    bytes += part.length;
    for (const byte of part) if (byte === 10) rows += 1;
  }
  return { rows, megabytes: bytes / 2 ** 20 };
}

/** One file after the other, until it is told to stop. */
async function readAgain(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await read(url, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

async function watchMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; most: number; seconds: number }> {
  let most = memoryOf(pid);
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(pid));
  }, 50);
  const started = performance.now();
  const result = await work();
  clearInterval(timer);
  return { result, most, seconds: (performance.now() - started) / 1000 };
}

/** MB of the launcher and the server that it started. */
function memoryOf(pid: number): number {
  const children = (listProcesses() ?? []).filter(({ parent }) => parent === `${pid}`);
  return children.reduce((sum, child) => sum + residentMb(Number(child.pid)), residentMb(pid));
}

/** Seconds of CPU of both. */
function cpuOf(pid: number): number {
  return familyCpuSeconds(`${pid}`, listProcesses() ?? []);
}

function p99(ascending: Float64Array): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * 0.99))] ?? Number.NaN;
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
