// Query benchmark: skewed requests of every kind over HTTP against large ledgers, of the database and from the answer
// cache, at several numbers of connections and two sizes of the data, beside a bare Fastify route and pgbench's
// prepared point query in the same run. On a shared machine only ratios and CPU times hold. Twice: of fresh servers,
// and again after all rows were requested mixed, followed by an idle minute. The second figure counts; some states of a
// server arise only at rest.
//
//   node scripts/run.mjs bench/queries.ts [--rows 'contracts|accounts'] [--seconds 0.3] [--connections 1,16,64]
//     [--scale 0.02,0.2] [--quiet 60] [--before <checkout>] [--report <folder>] [--page bench/results/answers.md]
//
// A quarter of an hour on two cores. --before also starts the servers of another checkout, and measures both in the
// same seconds. --report writes report.json (every figure), report.md and report.html (plots); --page puts the tables
// between the marks of a page.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pause } from '../packages/kit/pause.ts';
import {
  chooseConnections,
  type PointQueryFigures,
  type QueryReport,
  type Round,
  type RowFigures,
} from './report/query-report.ts';
import { formatReportTables } from './report/report-tables.ts';
import { writeReport } from './report/write-report.ts';
import { currentLoad, describeCommit, describeMachine, readPostgresVersion } from './support/describe-machine.ts';
import { fillPage, splitPage } from './support/fill-page.ts';
import { measureLoad } from './support/http-load.ts';
import { openLargeLedger, sizeOf } from './support/large-ledger.ts';
import { type MeasuredServers, measureRequest, readUsage } from './support/measure-request.ts';
import { measurePointQuery } from './support/point-query.ts';
import { formatFigure } from './support/print-table.ts';
import { mixPaths, type RequestKind } from './support/request-kind.ts';
import { makeRequestKinds } from './support/request-mix.ts';
import { type Child, startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '' },
    seconds: { type: 'string', default: '0.3' },
    connections: { type: 'string', default: '1,16,64' },
    scale: { type: 'string', default: '0.02,0.2' },
    quiet: { type: 'string', default: '60' },
    before: { type: 'string' },
    report: { type: 'string' },
    page: { type: 'string' },
  },
});
const wanted = new RegExp(options.rows);
const seconds = readNumbers('seconds')[0]!;
const connectionCounts = readNumbers('connections');
const quietSeconds = readNumbers('quiet')[0]!;
const scales = readNumbers('scale');
/** All rows at once, at 16 connections. */
const mixedSeconds = 5;
/** MB. With the default answer cache. */
const maxServerMb = (isCached: boolean): number => (isCached ? 250 + 64 : 250);

// Fails before the measurement, not after it.
if (options.page !== undefined) splitPage(options.page, 'bench/queries.ts');

const root = fileURLToPath(new URL('..', import.meta.url));
/** With the settings of Node that users get. */
const programs = [
  { version: 'this', program: resolve(root, 'scripts/ledger-mirror.mjs') } as const,
  ...(options.before === undefined
    ? []
    : [{ version: 'before', program: resolve(options.before, 'scripts/ledger-mirror.mjs') } as const]),
];
const bareProgram = fileURLToPath(new URL('./support/serve-bare.ts', import.meta.url));
const started = new Date();
const loadBefore = currentLoad();
const rows: RowFigures[] = [];
const pointQueries: PointQueryFigures[] = [];
const memory: QueryReport['memory'] = [];
let postgresVersion = 'unknown';
for (const scale of scales) await measureScale(scale);
const report: QueryReport = {
  startedAt: started.toISOString(),
  seconds: Math.round((Date.now() - started.getTime()) / 1000),
  secondsEach: seconds,
  quietSeconds,
  before: options.before === undefined ? null : `commit ${describeCommit(options.before)}`,
  command: describeCommand(),
  commit: describeCommit(root),
  machine: { ...describeMachine(), loadBefore, loadAfter: currentLoad() },
  versions: { node: process.version, postgres: postgresVersion },
  ledgers: scales.map((scale) => ({ scale, transactions: sizeOf(scale).transactions })),
  ...{ rows, pointQueries, memory },
};
const tables = formatReportTables(report);
console.log(`\n${tables}`);
if (options.report !== undefined) writeReport(report, options.report);
if (options.page !== undefined) fillPage(options.page, 'bench/queries.ts', tables);

async function measureScale(scale: number): Promise<void> {
  const size = sizeOf(scale);
  const database = await openLargeLedger(size, scale);
  const children: Child[] = [];
  const start = async (...args: string[]): Promise<Child> => {
    const child = await startChild(args);
    children.push(child);
    return child;
  };
  try {
    postgresVersion = await readPostgresVersion(database.connectionString);
    const bare = await start(bareProgram);
    // Refusals are not what is measured here: see bench/overload.ts.
    const serve = (program: string, ...flags: string[]): Promise<Child> =>
      start(
        ...[program, 'serve', '--port', '0', '--log-level', 'warn', '--status-service', 'off', '--max-wait', '0'],
        ...['--data-dir', database.dataFolder, '--database-url', database.connectionString, ...flags],
      );
    const servers: MeasuredServers['servers'][number][] = [];
    for (const { version, program } of programs) {
      servers.push({ url: (await serve(program, '--answer-cache', '0')).url, isCached: false, version });
      servers.push({ url: (await serve(program)).url, isCached: true, version });
    }
    const place = { bareUrl: bare.url, servers, dataFolder: database.dataFolder, scale };
    const kinds = await makeRequestKinds(database.connectionString, size);
    const chosen = kinds.filter(({ name }) => wanted.test(name));
    if (chosen.length === 0) throw new Error(`No row matches --rows ${options.rows}`);
    await measureLoad({ url: bare.url, paths: ['/api/v1/bare'], connections: 16, seconds: 1 });
    // Otherwise the first rows would include the cost of shared code.
    for (const { url } of servers) {
      for (const { paths } of chosen)
        await measureLoad({ url, paths, connections: 16, seconds: 0.02, leastRequests: 500 });
    }
    for (const connections of connectionCounts) {
      const figures = await measurePointQuery({ ...database, size }, connections);
      if (figures) pointQueries.push({ scale, connections, ...figures });
    }
    await measureRound('fresh', chosen, { place, counts: [chooseConnections(connectionCounts)] });
    for (const { url } of servers) {
      await measureLoad({ url, paths: mixPaths(chosen), connections: 16, seconds: mixedSeconds });
    }
    await pause(quietSeconds * 1000);
    await measureRound('worn', chosen, { place, counts: connectionCounts });
    for (const { url, isCached, version } of servers) {
      const { residentMb } = await readUsage(url);
      memory.push({ scale, version, isCached, residentMb, maxMb: maxServerMb(isCached) });
    }
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    await database.stop();
  }
}

async function measureRound(
  round: Round,
  kinds: readonly RequestKind[],
  { place, counts }: { place: MeasuredServers; counts: readonly number[] },
): Promise<void> {
  for (const [index, kind] of kinds.entries()) {
    const measured = await measureRequest(kind, place, { connectionCounts: counts, seconds, round });
    rows.push(...measured);
    const each = measured.map(
      ({ isCached, connections, perSecond, version }) =>
        `${version === 'before' ? 'before ' : ''}${connections}${isCached ? ' kept' : ''}: ${formatFigure(perSecond)}/s`,
    );
    console.log(`scale ${place.scale}, ${round}, ${index + 1} of ${kinds.length}, ${kind.name}: ${each.join(', ')}`);
  }
}

function readNumbers(name: 'seconds' | 'connections' | 'scale' | 'quiet'): number[] {
  const numbers = options[name].split(',').map(Number);
  if (numbers.some((number) => !(number > 0))) throw new Error(`--${name} takes numbers above 0, not ${options[name]}`);
  return numbers;
}

/** Without the path of the report. */
function describeCommand(): string {
  const { report: _report, page: _page, ...measured } = options;
  const flags = Object.entries(measured).filter(([, value]) => value !== '');
  return [
    'node scripts/run.mjs bench/queries.ts',
    ...flags.map(([name, value]) => `--${name} ${quoteForShell(value)}`),
  ].join(' ');
}

function quoteForShell(argument: string): string {
  return /^[\w./,=-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
