// Three days and nights in minutes: `start` with its simulated network, PostgreSQL, server and status service, which
// keeps 36 hours; and beside it an import that keeps everything, and a server of its database. All see one clock, which
// goes over the end of a month and a year: it is moved on in steps, each after the blocks of the last one have come, and
// passes each midnight by itself. After each midnight: partitions, staking periods, counted days, snapshots of
// balances, what was dropped and what not, pages, charts and status of the day, and that nothing was said to go wrong.
// In the end tables equal those of undisturbed imports. Needs libfaketime (Debian: libfaketime).
//
//   node scripts/run.mjs test/soak/run-three-days.ts [--days 3] [--step 20] [--restart]
//
// --step: minutes. --restart: `start` is ended at ten in the evening and started again at two.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { connectionStringOf } from '../../packages/postgres/embedded/connection-string.ts';
import { startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { openMovedClock } from '../support/program/moved-clock.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { compareWithUndisturbed, waitForBlocks } from '../support/tables/compare-undisturbed.ts';
import { checkDays, checkPartitions, checkRetention, checkSnapshots, checkStaking, dateOf } from './days/day-checks.ts';

const { values: options } = parseArgs({
  options: {
    days: { type: 'string', default: '3' },
    step: { type: 'string', default: '20' },
    restart: { type: 'boolean', default: false },
  },
});
const days = Number(options.days);
const stepMs = Number(options.step) * 60_000;
const [hourMs, dayMs] = [3_600_000, 86_400_000];
const keepHours = 36;
const arrivesWithinMs = 120_000;

/** On the last evening but one of the next December. */
const beginMs = (() => {
  const now = new Date();
  const begin = Date.UTC(now.getUTCFullYear(), 11, 30, 20);
  return begin > now.getTime() ? begin : Date.UTC(now.getUTCFullYear() + 1, 11, 30, 20);
})();

const folder = mkdtempSync(join(tmpdir(), 'three-days-'));
// PostgreSQL runs as another user where this is root, and must reach the clock and its folder.
chmodSync(folder, 0o755);
const clock = openMovedClock(folder, true);
if (clock === null) throw new Error('libfaketime is not installed (Debian: apt-get install libfaketime)');
const dataFolder = join(folder, 'data');
const streams = join(dataFolder, 'network');
const book = join(streams, 'addressbook.bin');
const ofStart = connectionStringOf({ dataFolder, socketFolder: join(dataFolder, 'socket'), password: null });
const rulesFile = join(folder, 'rules.json');
// The clock moves on by more than a signal counts, and than a network is silent or an import late.
const longDelays = { enterAt: 4 * hourMs, exitBelow: 4 * hourMs };
const delayed = [
  ...['import-absent', 'import-behind', 'import-silent', 'import-long-silent'],
  ...['stream-gap', 'stream-long-gap', 'network-silent', 'network-long-silent'],
];
writeFileSync(
  rulesFile,
  JSON.stringify({
    timings: { tickMs: 500, staleMs: 4 * hourMs, selfTestMs: 12 * hourMs },
    levels: Object.fromEntries(delayed.map((name) => [name, longDelays])),
  }),
);
const rules = ['--status-rules', rulesFile];

const running: RunningMirror[] = [];
let checkedLines = 0;
function run(args: string[], databaseUrl?: string): RunningMirror {
  const env = { ...clock!.env, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  const mirror = runMirror([...args, '--log-level', 'warn'], { env, memory: 'others' });
  running.push(mirror);
  return mirror;
}
const setTime = (ms: number): void => clock.set(Math.round((ms - Date.now()) / 1000));

setTime(beginMs);
const fullPostgres = await startEmbeddedPostgres({ dataFolder: join(folder, 'full') });
const clients: pg.Client[] = [];
try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  for (const { child, output } of running)
    console.log(`${child.spawnargs.slice(2, 4).join(' ')}: ${output().slice(-2000)}`);
  throw error;
} finally {
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  for (const { child } of running) child.kill('SIGTERM');
  await Promise.all(running.map(({ ended }) => ended));
  await fullPostgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Sides = { small: pg.Client; full: pg.Client; smallUrl: string; fullUrl: string };

function startMirror(): RunningMirror {
  return run([
    ...['start', '--data-dir', dataFolder, '--port', '0', '--nodes', '3', '--keep', `${keepHours}h`, ...rules],
    ...['--block-interval', '300', '--transactions-per-block', '8', '--keep-blocks', '1000000', '--seed', 'three days'],
  ]);
}

async function urlOf(mirror: RunningMirror): Promise<string> {
  return (await mirror.says(/Answering on (http:\S+?)\/?\s/))[1]!;
}

async function main(): Promise<boolean> {
  let start = startMirror();
  const sides: Sides = { ...({} as Sides), smallUrl: await urlOf(start) };
  while (!existsSync(book)) await sleep(100);
  const fullData = ['--network', 'demo', '--data-dir', join(folder, 'full-data')];
  run(['import', '--source', streams, '--address-book', book, ...fullData], fullPostgres.connectionString);
  await waitForBlocks(fullPostgres.connectionString, 12, arrivesWithinMs);
  const server = run(
    ['serve', '--port', '0', '--source', streams, ...fullData, ...rules],
    fullPostgres.connectionString,
  );
  sides.fullUrl = await urlOf(server);
  sides.full = await connect(fullPostgres.connectionString);
  sides.small = await connect(ofStart);
  const wrong: string[] = [];
  const began = performance.now();
  const end = beginMs + days * dayMs;
  for (let now = beginMs; now < end; ) {
    const midnight = Math.ceil((now + 1) / dayMs) * dayMs;
    for (; now + stepMs < midnight; now += stepMs) {
      await passTo(now + stepMs, sides);
      if (options.restart && isHour(now + stepMs, 22)) {
        start.child.kill('SIGTERM');
        if ((await start.ended) !== 0) wrong.push(`start ended with an error: ${start.output()}`);
        await sides.small.end();
        setTime(midnight + 2 * hourMs);
        start = startMirror();
        sides.smallUrl = await urlOf(start);
        sides.small = await connect(ofStart);
        now = midnight + 2 * hourMs;
        break;
      }
    }
    if (now < midnight) {
      await passTo(midnight - 3000, sides);
      await sleep(6000);
      now = midnight + 10 * 60_000;
    }
    await passTo(now, sides);
    const found = await checkDay(sides, BigInt(midnight / dayMs));
    wrong.push(...found.map((sentence) => `${dateOf(BigInt(midnight / dayMs))}: ${sentence}`));
    console.log(
      `${((performance.now() - began) / 60_000).toFixed(1)} min · ${dateOf(BigInt(midnight / dayMs))} · ${found.length} wrong`,
    );
    for (const sentence of found) console.log(`  ${sentence.slice(0, 400)}`);
  }
  start.child.kill('SIGTERM');
  await start.ended;
  wrong.push(...(await compareSides()));
  for (const sentence of wrong) console.log(sentence.slice(0, 600));
  console.log(wrong.length === 0 ? 'Each day was as it should be.' : 'MISSED');
  return wrong.length === 0;
}

function isHour(ms: number, hour: number): boolean {
  return new Date(ms).getUTCHours() === hour;
}

/** Until both have a block of that time. */
async function passTo(ms: number, { small, full }: Sides): Promise<void> {
  setTime(ms);
  for (const until = performance.now() + arrivesWithinMs; ; await sleep(50)) {
    const newest = await Promise.all([small, full].map(newestBlockMs));
    if (Math.min(...newest) >= ms - 1500) return;
    if (performance.now() > until) throw new Error(`No block of ${new Date(ms).toISOString()}`);
  }
}

async function newestBlockMs(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ end: string | null }>('select max(consensus_end) as end from record_file');
  return Number(BigInt(rows[0]!.end ?? 0) / 1_000_000n);
}

/** The day has begun some minutes ago. */
async function checkDay({ small, full, smallUrl, fullUrl }: Sides, day: bigint): Promise<string[]> {
  const keepNs = BigInt(keepHours) * 3_600_000_000_000n;
  const wrong = [
    ...(await checkPartitions(small)).map((sentence) => `start: ${sentence}`),
    ...(await checkPartitions(full)),
    ...(await checkSnapshots(full)),
    ...(await checkStaking(full)),
    ...(await retryUntilNone(() => checkDays(full))),
    ...(await retryUntilNone(() => checkRetention({ small, full, keepNs }))),
    ...(await checkAnswers(smallUrl, day)).map((sentence) => `start: ${sentence}`),
    ...(await checkAnswers(fullUrl, day)),
    ...checkLogs(),
  ];
  return wrong;
}

/** Work in the background has its time. */
async function retryUntilNone(check: () => Promise<string[]>): Promise<string[]> {
  for (const until = performance.now() + 20_000; ; await sleep(500)) {
    const found = await check();
    if (found.length === 0 || performance.now() > until) return found;
  }
}

async function checkAnswers(url: string, day: bigint): Promise<string[]> {
  const wrong: string[] = [];
  const read = async (path: string): Promise<string> => {
    const answer = await fetch(url + path);
    const text = await answer.text();
    if (answer.status !== 200) wrong.push(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    return text;
  };
  const [today, yesterday] = [dateOf(day), dateOf(day - 1n)];
  for (const name of ['transactions', 'types']) {
    const file = await read(`/demo/charts/${name}.csv`);
    for (const date of [yesterday, today]) if (!file.includes(date)) wrong.push(`charts/${name}.csv: without ${date}`);
  }
  await read('/demo/charts');
  await read('/health/readiness');
  const { blocks } = JSON.parse(await read('/api/v1/blocks?limit=1')) as { blocks: { timestamp: { to: string } }[] };
  const midnight = day * 86_400n;
  if (!(Number(blocks[0]?.timestamp.to) >= Number(midnight)))
    wrong.push(`the newest block is of ${blocks[0]?.timestamp.to}, before ${today}`);
  const { timestamp } = JSON.parse(await read(`/api/v1/balances?limit=1&timestamp=${midnight - 1n}`)) as {
    timestamp: string | null;
  };
  // From ten in the evening on nothing runs where `start` is ended.
  if (timestamp === null || Number(timestamp) < Number(midnight) - (options.restart ? 3 : 2) * 3600)
    wrong.push(`balances just before ${today} are of ${timestamp}`);
  const stake = JSON.parse(await read('/api/v1/network/stake')) as { staking_period: { from: string; to: string } };
  if (!stake.staking_period.from.startsWith(`${midnight}.`))
    wrong.push(`the staking period is ${JSON.stringify(stake.staking_period)}, not that of ${today}`);
  const page = await read('/status');
  if (!page.includes(yesterday)) wrong.push(`the status page has nothing of ${yesterday}`);
  const { incidents } = JSON.parse(await read('/api/v2/incidents.json')) as { incidents: { name: string }[] };
  wrong.push(...incidents.map(({ name }) => `incident: ${name}`));
  return wrong;
}

/** With `--log-level warn` nothing is said of days that pass. Logs stay small. */
function checkLogs(): string[] {
  const lines = running
    .flatMap((mirror) => mirror.output().split('\n'))
    .filter((line) => /Z (warn|error|fatal) /.test(line));
  const fresh = lines.slice(checkedLines);
  checkedLines = lines.length;
  const files = [join(dataFolder, 'postgres.log'), join(dataFolder, 'status', 'status.log')];
  return [
    ...fresh.map((line) => `said: ${line}`),
    ...files.flatMap((file) => {
      if (!existsSync(file)) return [`${file} is not there`];
      const errors = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /\b(ERROR|PANIC)\b|Z (warn|error|fatal) /.test(line));
      return [...errors.slice(0, 5), ...(statSync(file).size > 10 * 2 ** 20 ? [`${file} has grown`] : [])];
    }),
  ];
}

/** Once the network has ended: each mirror beside one that imports the same files at once. */
async function compareSides(): Promise<string[]> {
  const ofFull = await compareWithUndisturbed({
    ...{ connectionString: fullPostgres.connectionString, streams, book, folder: join(folder, 'undisturbed') },
  });
  const small = await startEmbeddedPostgres({ dataFolder });
  try {
    // Drops up to now, as an import that ends does.
    const flags = ['--keep', `${keepHours}h`];
    const ended = run(
      ['import', '--once', '--source', streams, '--address-book', book, '--network', 'demo', ...flags],
      small.connectionString,
    );
    if ((await ended.ended) !== 0) return [...ofFull, `the last drop failed: ${ended.output()}`];
    const ofSmall = await compareWithUndisturbed({
      ...{ connectionString: small.connectionString, streams, book, folder: join(folder, 'undisturbed-small'), flags },
    });
    return [...ofFull, ...ofSmall.map((sentence) => `start: ${sentence}`)];
  } finally {
    await small.stop();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}
