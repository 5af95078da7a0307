// Query benchmark: skewed requests of every kind over HTTP against a large ledger, each asked of the database unless
// `--cache` says so, beside a bare Fastify route and `select 1` measured in the same seconds. On a shared machine only the
// ratios hold.
//
//   node scripts/run.mjs bench/queries.ts [--scale 0.1] [--only contracts,accounts] [--seconds 2] [--connections 1,16,64] [--cache]
//
// All of it in a few minutes: --scale 0.02 --seconds 0.3 --connections 16.
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fitCostByBytes, type SizedCost } from './support/explain-by-bytes.ts';
import { type LoadFigures, type LoadOptions, measureLoad } from './support/http-load.ts';
import { openLargeLedger, sizeOf } from './support/large-ledger.ts';
import { postgresCpuSeconds } from './support/postgres-cpu.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { makeRequestKinds, type RequestKind } from './support/request-mix.ts';
import { measureSelectOne } from './support/select-one.ts';
import { type Child, startChild } from './support/start-child.ts';
import { openStatementsAlone } from './support/statements-alone.ts';

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1,16,64' },
    cache: { type: 'boolean', default: false },
  },
});
const scale = Number(options.scale);
const seconds = Number(options.seconds);
const connectionCounts = options.connections.split(',').map(Number);

/** Bare Fastify on the machine that the budgets were measured on. */
const bareOfBudget = 35_000;
/** The number of connections that budgets are for. */
const budgetConnections = 16;
const mostP99Ms = 25;
/** With what it keeps of answers by default. */
const mostServerMb = options.cache ? 250 + 64 : 250;
/** Until V8 has compiled what is hot. */
const warmUpRequests = Math.min(5_000, 2_500 * seconds);
/** An answer that costs more than so many times what its bytes explain is named. */
const mostOfExplained = 2;

/** With the settings of Node that users get. */
const program = fileURLToPath(new URL('../scripts/ledger-mirror.mjs', import.meta.url));
const size = sizeOf(scale);
const database = await openLargeLedger(size, scale);
const children: Child[] = [];
const statements = openStatementsAlone(database.connectionString);
const costs: (SizedCost & { name: string })[] = [];
try {
  const bare = await start([fileURLToPath(new URL('./support/serve-bare.ts', import.meta.url))]);
  const server = await start([
    ...[program, 'serve', '--port', '0', '--log-level', 'warn'],
    ...(options.cache ? [] : ['--answer-cache', '0']),
    ...['--status-service', 'off', '--data-dir', database.dataFolder, '--database-url', database.connectionString],
  ]);
  const kinds = await makeRequestKinds(database.connectionString, size);
  console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start; scale ${scale}\n`);
  const warmUp = { connections: budgetConnections, seconds: 1, leastRequests: warmUpRequests };
  await measureLoad({ url: bare.url, paths: ['/api/v1/bare'], ...warmUp });
  const rows: string[][] = [];
  const missed: string[] = [];
  const wanted = options.only.split(',');
  for (const kind of kinds.filter(({ name }) => wanted.some((part) => name.includes(part)))) {
    rows.push(...(await measureKind(kind, bare, server, missed)));
  }
  printTable(
    [
      'request',
      ...['connections', 'requests/s', 'p50 ms', 'p99 ms', 'KB', 'server CPU ms', 'PostgreSQL CPU ms'],
      ...['bare Fastify/s', 'its CPU ms', 'of bare', 'of select 1', 'of its statements'],
      ...['scaled budget', 'of it', 'by CPU', '× Hiero, scaled'],
    ],
    rows,
  );
  const { memoryMb } = await readUsage(server.url);
  if (memoryMb > mostServerMb)
    missed.push(`memory of the server: ${formatFigure(memoryMb)} MB, at most ${mostServerMb}`);
  console.log(`\nMemory of the server after all of it: ${formatFigure(memoryMb)} MB (at most ${mostServerMb})`);
  const explained = fitCostByBytes(costs);
  for (const { name, kilobytes, cost } of costs) {
    if (cost <= mostOfExplained * explained(kilobytes)) continue;
    const figures = `${formatFigure(cost)} ms of CPU, ${formatFigure(kilobytes)} KB explain ${formatFigure(explained(kilobytes))}`;
    console.log(`Costs more than its bytes explain: ${name}, ${figures}`);
  }
  console.log(missed.length === 0 ? 'All budgets are kept.' : `MISSED:\n  ${missed.join('\n  ')}`);
} finally {
  await statements.close();
  await Promise.all(children.map((child) => child.stop()));
  await database.stop();
}

async function start(args: string[]): Promise<Child> {
  const child = await startChild(args);
  children.push(child);
  return child;
}

async function measureKind(
  { name, paths, budget, hiero }: RequestKind,
  bare: Child,
  server: Child,
  missed: string[],
): Promise<string[][]> {
  // Plans are made, code is compiled, pages are in memory.
  const warmUp = { connections: budgetConnections, seconds: Math.min(1, seconds), leastRequests: warmUpRequests };
  await measureLoad({ url: server.url, paths, ...warmUp });
  const rows: string[][] = [];
  for (const connections of connectionCounts) {
    // What else runs on the machine changes from second to second: the bare route is measured on both sides.
    const bareLoad = { paths: ['/api/v1/bare'], connections, seconds: seconds / 4 };
    const bareBefore = await measure(bare, bareLoad);
    const selectOne = await measureSelectOne(database.connectionString, Math.min(connections, 8), seconds / 4);
    const statementsPerSecond = await statements.measure({ paths, connections, seconds: seconds / 2 });
    const figures = await measure(server, { paths, connections, seconds });
    const bareAfter = await measure(bare, bareLoad);
    const barePerSecond = (bareBefore.perSecond + bareAfter.perSecond) / 2;
    const bareCpuMs = (bareBefore.cpuMs + bareAfter.cpuMs) / 2;
    const isBudgeted = connections === budgetConnections;
    rows.push([
      name,
      String(connections),
      formatFigure(figures.perSecond),
      formatFigure(figures.p50Ms),
      formatFigure(figures.p99Ms),
      formatFigure(figures.bytes / 1000),
      formatFigure(figures.cpuMs),
      figures.postgresCpuMs === null ? 'unknown' : formatFigure(figures.postgresCpuMs),
      formatFigure(barePerSecond),
      formatFigure(bareCpuMs),
      formatFigure(figures.perSecond / barePerSecond),
      formatFigure(figures.perSecond / selectOne),
      formatFigure(figures.perSecond / statementsPerSecond),
    ]);
    if (!isBudgeted) continue;
    costs.push({ name, kilobytes: figures.bytes / 1000, cost: figures.cpuMs + (figures.postgresCpuMs ?? 0) });
    if (budget !== undefined && hiero !== undefined) {
      const scaled = (budget * barePerSecond) / bareOfBudget;
      // Bare and measured server are bound by one core each: with the machine to themselves the CPU time decides.
      const byCpu = ((bareCpuMs / figures.cpuMs) * bareOfBudget) / budget;
      rows
        .at(-1)!
        .push(
          formatFigure(scaled),
          formatFigure(figures.perSecond / scaled),
          formatFigure(byCpu),
          formatFigure((figures.perSecond / barePerSecond / hiero) * bareOfBudget),
        );
      if (figures.perSecond < scaled) {
        const excuse = byCpu >= 1 ? ' (its CPU time keeps the budget)' : '';
        missed.push(`${name}: ${formatFigure(figures.perSecond)} requests/s of ${formatFigure(scaled)}${excuse}`);
      }
    }
    if (figures.p99Ms > mostP99Ms) missed.push(`${name}: p99 ${formatFigure(figures.p99Ms)} ms of ${mostP99Ms}`);
  }
  return rows;
}

type Load = Omit<LoadOptions, 'url'>;

/** CPU times are ms a request. */
async function measure(
  { url }: Child,
  load: Load,
): Promise<LoadFigures & { cpuMs: number; postgresCpuMs: number | null }> {
  const before = await readUsage(url);
  const postgresBefore = postgresCpuSeconds(database.dataFolder);
  const figures = await measureLoad({ url, ...load });
  const postgresAfter = postgresCpuSeconds(database.dataFolder);
  const after = await readUsage(url);
  const perRequest = (cpuSeconds: number): number => (cpuSeconds * 1000) / figures.count;
  return {
    ...figures,
    cpuMs: perRequest(after.cpuSeconds - before.cpuSeconds),
    postgresCpuMs:
      postgresBefore === null || postgresAfter === null ? null : perRequest(postgresAfter - postgresBefore),
  };
}

/** What a server says of itself in its metrics. */
async function readUsage(url: string): Promise<{ cpuSeconds: number; memoryMb: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    cpuSeconds: metric('process_cpu_seconds_total'),
    memoryMb: metric('process_resident_memory_bytes') / 2 ** 20,
  };
}
