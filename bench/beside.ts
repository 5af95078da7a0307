// Both services beside each other: every endpoint that the REST service of the Hiero mirror node answers, asked of it
// and of ours over the same database, in turn, in one run. Answers are compared first; a question whose answers differ
// is not measured.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pause } from '../packages/kit/pause.ts';
import { assertAllAsked, goalOf } from './beside/asked-endpoints.ts';
import type { BesideReport, LedgerName, Round } from './beside/beside-report.ts';
import { timesByCpu } from './beside/beside-report.ts';
import { formatBesideTables } from './beside/beside-tables.ts';
import { type AskedQuestion, chooseQuestions } from './beside/choose-questions.ts';
import { openLedger } from './beside/ledgers.ts';
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

const usage = `node scripts/run.mjs bench/beside.ts --rival <clone of the Hiero mirror node> [options]

  --ledger small,large     which ledgers: a simulated network's, and one of a busy day made by SQL
  --transactions 1000000   of the large ledger
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
if (options.help || options.rival === undefined) {
  console.log(usage);
  process.exit(options.help ? 0 : 1);
}
const program = 'bench/beside.ts';
const clone = resolve(options.rival);
const seconds = readNumber(options.seconds);
const connectionCounts = options.connections.split(',').map(readNumber);
const ledgerNames = options.ledger.split(',').map(readLedgerName);
const wanted = new RegExp(options.only);
assertAllAsked(questions);
// Fails before the work, not after it.
if (options.page !== undefined) splitPage(options.page, program);
const chosen = questions.filter(({ name }) => wanted.test(name));
if (chosen.length === 0) throw new Error(`No question matches --only ${options.only}`);
await prepareRival(clone);

const report: BesideReport = {
  startedAt: new Date().toISOString(),
  command: `${program} --ledger ${options.ledger} --seconds ${seconds} --connections ${connectionCounts}${options.worn ? ' --worn' : ''}`,
  commit: describeCommit(fileURLToPath(new URL('..', import.meta.url))),
  rival: describeRival(clone),
  poolSize,
  machine: { ...describeMachine(), loadBefore: currentLoad() },
  versions: { node: process.version, postgres: 'unknown' },
  secondsEach: seconds,
  ...{ ledgers: [], rows: [], unmeasured: [], expected: [], memory: [] },
};
for (const name of ledgerNames) await closeAtEnd((later) => measureLedger(name, later));
if (options.output === undefined) console.log(formatBesideTables(report));
if (options.page !== undefined) fillPage(options.page, program, formatBesideTables(report));

type Place = { servers: readonly MeasuredServer[]; dataFolder: string };

async function measureLedger(name: LedgerName, later: (close: Close) => void): Promise<void> {
  const ledger = await openLedger(name, readNumber(options.transactions), resolve(options.state));
  later(ledger.stop);
  report.versions.postgres = await readPostgresVersion(ledger.connectionString);
  const servers = await startServers(clone, ledger, later);
  const urlOf = (wantedSide: Side): string => servers.find(({ side }) => side === wantedSide)!.url;
  const { asked, compared, unmeasured, expected } = await chooseQuestions(
    chosen,
    { ledger: name, connectionString: ledger.connectionString },
    { rival: urlOf('rival'), mirror: urlOf('mirror') },
  );
  for (const { request, why } of unmeasured) progress(`${name}, not measured: ${request}: ${why}`);
  report.unmeasured.push(...unmeasured);
  report.expected.push(...expected);
  const transactions = await countTransactions(ledger.connectionString);
  report.ledgers.push({ name, transactions, questions: asked.length, compared });
  if (asked.length === 0) return save();
  const place = { servers, dataFolder: ledger.dataFolder };
  const paths = mixPaths(asked.map(({ question, paths }) => ({ name: question.name, paths })));
  // The first rows would pay for code that all share.
  await warmUp(paths, servers);
  await measureRound(name, 'fresh', asked, place);
  if (options.worn) {
    for (const { url } of servers) {
      await timeLoad({ url, paths, connections: 16, seconds: readNumber(options.mixed) });
    }
    await pause(readNumber(options.quiet) * 1000);
    await measureRound(name, 'worn', asked, place);
  }
  for (const { side, pid } of servers) report.memory.push({ ledger: name, side, residentMb: residentMb(pid) });
  save();
}

async function measureRound(
  ledger: LedgerName,
  round: Round,
  asked: readonly AskedQuestion[],
  place: Place,
): Promise<void> {
  for (const connections of connectionCounts) {
    for (const [index, { question, paths }] of asked.entries()) {
      await warmUp(paths, place.servers);
      const costs = await measureQuestion(paths, place, { connections, seconds });
      const row = { ledger, round, connections, request: question.name, goal: goalOf(question), costs };
      report.rows.push(row);
      const { rival, mirror } = costs;
      progress(
        `${ledger}, ${round}, ${connections} connections, ${index + 1} of ${asked.length}, ${question.name}: ` +
          `${formatFigure(rival.perSecond)}/s, ours ${formatFigure(mirror.perSecond)}/s, ${timesByCpu(row).toFixed(1)} × by CPU`,
      );
    }
    save();
  }
}

/** What was measured so far: a run takes long. */
function save(): void {
  if (options.output !== undefined)
    writeFileSync(options.output, `# Beside the Hiero mirror node\n\n${formatBesideTables(report)}\n`);
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

function readLedgerName(text: string): LedgerName {
  if (text !== 'small' && text !== 'large') throw new Error(`--ledger takes small, large or both, not ${text}`);
  return text;
}
