// Both services beside each other: every endpoint that the REST service of the Hiero mirror node answers, asked of it
// and of ours over the same database, in turn, in one run. Answers are compared first; a question whose answers differ
// is not measured. With large ledgers of several sizes also how cost grows, with or without the other service.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pause } from '../packages/kit/pause.ts';
import { assertAllAsked, goalOf } from './beside/asked-endpoints.ts';
import type { BesideReport, BesideRow, LedgerName, Round } from './beside/beside-report.ts';
import { timesByCpu, totalCpuMs } from './beside/beside-report.ts';
import { formatBesideTables } from './beside/beside-tables.ts';
import { type AskedQuestion, chooseQuestions } from './beside/choose-questions.ts';
import { type LedgerPlan, planLedgers } from './beside/ledgers.ts';
import { type MeasuredServer, measureQuestion, type Side, warmUp } from './beside/measure-question.ts';
import { poolSize, startServers } from './beside/measured-servers.ts';
import { questions } from './beside/questions.ts';
import { describeRival, prepareRival } from './beside/rival-service.ts';
import { type Close, closeAtEnd } from './support/close-at-end.ts';
import { currentLoad, describeCommit, describeMachine, readPostgresVersion } from './support/describe-machine.ts';
import { fillPage, splitPage } from './support/fill-page.ts';
import { timeLoad } from './support/http-load.ts';
import { ledgersFolder } from './support/kept-ledger.ts';
import { formatFigure } from './support/print-table.ts';
import { residentMb } from './support/process-usage.ts';
import { mixPaths } from './support/request-kind.ts';

const usage = `node scripts/run.mjs bench/beside.ts [options]

  --rival <clone>          of the Hiero mirror node; without it ours alone is measured
  --ledger small,large     which ledgers: a simulated network's, and one of a busy day made by SQL
  --transactions 1000000   of the large ledger; several, as 1000000,10000000, also show how cost grows
  --state <folder>         where the ledgers are kept; the system's folder for temporary files by default
  --only <pattern>         questions whose name matches
  --seconds 1              of one measurement of one server
  --connections 1,16,64
  --worn                   measure again after all questions mixed and a quiet time
  --mixed 20  --quiet 60   seconds of both
  --output <file>          where the tables go as Markdown; standard output by default
  --page <file>            also between the marks of bench/beside.ts in a page`;

const { values: options } = parseArgs({
  options: {
    rival: { type: 'string' },
    ledger: { type: 'string', default: 'small,large' },
    transactions: { type: 'string', default: '1000000' },
    state: { type: 'string', default: ledgersFolder },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '1,16,64' },
    worn: { type: 'boolean', default: false },
    mixed: { type: 'string', default: '20' },
    quiet: { type: 'string', default: '60' },
    output: { type: 'string' },
    page: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(usage);
  process.exit(0);
}
const program = 'bench/beside.ts';
const clone = options.rival === undefined ? null : resolve(options.rival);
const seconds = readNumber(options.seconds);
const connectionCounts = options.connections.split(',').map(readNumber);
const sizes = options.transactions.split(',').map(readNumber);
const plans = planLedgers(options.ledger.split(',').map(readLedgerKind), sizes);
const wanted = new RegExp(options.only);
assertAllAsked(questions);
// Fails before the work, not after it.
if (options.page !== undefined) splitPage(options.page, program);
const chosen = questions.filter(({ name }) => wanted.test(name));
if (chosen.length === 0) throw new Error(`No question matches --only ${options.only}`);
if (clone !== null) await prepareRival(clone);

const report: BesideReport = {
  startedAt: new Date().toISOString(),
  command: `${program} --ledger ${options.ledger} --transactions ${options.transactions} --seconds ${seconds} --connections ${connectionCounts}${options.worn ? ' --worn' : ''}`,
  commit: describeCommit(fileURLToPath(new URL('..', import.meta.url))),
  rival: clone === null ? null : describeRival(clone),
  poolSize,
  machine: { ...describeMachine(), loadBefore: currentLoad() },
  versions: { node: process.version, postgres: 'unknown' },
  secondsEach: seconds,
  ...{ ledgers: [], rows: [], unmeasured: [], expected: [], memory: [] },
};
// Those of one kind at the same time, so that what else the machine does falls on all of them alike.
for (const [, alike] of Map.groupBy(plans, ({ name }) => name === 'small'))
  await closeAtEnd((later) => measureLedgers(alike, later));
if (options.output === undefined) console.log(formatBesideTables(report));
if (options.page !== undefined) fillPage(options.page, program, formatBesideTables(report));

type Place = { name: LedgerName; servers: readonly MeasuredServer[]; dataFolder: string; asked: AskedQuestion[] };

async function measureLedgers(alike: readonly LedgerPlan[], later: (close: Close) => void): Promise<void> {
  const places: Place[] = [];
  for (const plan of alike) places.push(await preparePlace(plan, later));
  await measureRound('fresh', places);
  if (options.worn) {
    for (const { servers, asked } of places) {
      const paths = mixed(asked);
      for (const { url } of servers)
        await timeLoad({ url, paths, connections: 16, seconds: readNumber(options.mixed) });
    }
    await pause(readNumber(options.quiet) * 1000);
    await measureRound('worn', places);
  }
  for (const { name, servers } of places)
    for (const { side, pid } of servers) report.memory.push({ ledger: name, side, residentMb: residentMb(pid) });
  save();
}

async function preparePlace({ name, open }: LedgerPlan, later: (close: Close) => void): Promise<Place> {
  const ledger = await open(resolve(options.state));
  later(ledger.stop);
  report.versions.postgres = await readPostgresVersion(ledger.connectionString);
  const servers = await startServers(clone, ledger, later);
  const urlOf = (wantedSide: Side): string | null => servers.find(({ side }) => side === wantedSide)?.url ?? null;
  const { asked, compared, unmeasured, expected } = await chooseQuestions(
    chosen,
    { ledger: name, connectionString: ledger.connectionString },
    { rival: urlOf('rival'), mirror: urlOf('mirror')! },
  );
  for (const { request, why } of unmeasured) progress(`${name}, not measured: ${request}: ${why}`);
  report.unmeasured.push(...unmeasured);
  report.expected.push(...expected);
  const transactions = await countTransactions(ledger.connectionString);
  report.ledgers.push({ name, transactions, questions: asked.length, compared: clone === null ? 0 : compared });
  // The first rows would pay for code that all share.
  if (asked.length > 0) await warmUp(mixed(asked), servers);
  return { name, servers, dataFolder: ledger.dataFolder, asked };
}

function mixed(asked: readonly AskedQuestion[]): string[] {
  return mixPaths(asked.map(({ question, paths }) => ({ name: question.name, paths })));
}

/** Each question in all places before the next one. */
async function measureRound(round: Round, places: readonly Place[]): Promise<void> {
  for (const connections of connectionCounts) {
    for (const [index, { name }] of chosen.entries()) {
      for (const place of places) {
        const found = place.asked.find(({ question }) => question.name === name);
        if (found === undefined) continue;
        await warmUp(found.paths, place.servers);
        const costs = await measureQuestion(found.paths, place, { connections, seconds });
        const row = { ledger: place.name, round, connections, request: name, goal: goalOf(found.question), costs };
        report.rows.push(row);
        progress(
          `${place.name}, ${round}, ${connections} connections, ${index + 1} of ${chosen.length}, ${name}: ${describeRow(row)}`,
        );
      }
    }
    save();
  }
}

function describeRow(row: BesideRow): string {
  const { rival, mirror } = row.costs;
  if (rival === null) return `${formatFigure(mirror.perSecond)}/s, ${totalCpuMs(mirror).toFixed(3)} ms of CPU`;
  const both = `${formatFigure(rival.perSecond)}/s, ours ${formatFigure(mirror.perSecond)}/s`;
  return `${both}, ${timesByCpu(row).toFixed(1)} × by CPU`;
}

/** What was measured so far: a run takes long. */
function save(): void {
  if (options.output !== undefined)
    writeFileSync(
      options.output,
      `# ${clone === null ? 'How cost grows' : 'Beside the Hiero mirror node'}\n\n${formatBesideTables(report)}\n`,
    );
}

/** Beside the tables, which may go to standard output. */
function progress(text: string): void {
  console.error(text);
}

async function countTransactions(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>('select count(*) from transaction');
    return Number(rows[0]!.count);
  } finally {
    await client.end();
  }
}

function readNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`A number above 0 is wanted, not ${text}`);
  return number;
}

function readLedgerKind(text: string): 'small' | 'large' {
  if (text !== 'small' && text !== 'large') throw new Error(`--ledger takes small, large or both, not ${text}`);
  return text;
}
