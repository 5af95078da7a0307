// Faults on the running product: a network that goes on, an importer, a server, a PostgreSQL on a small disk, and
// clients that ask all along. One fault after the other; for each it prints what clients got and how soon all was well
// again. At the end the tables must equal those of an undisturbed import, and every answer must be the one of that
// database. Needs root, for the small disk.
//
//   node scripts/run.mjs test/faults/run-faults.ts [--idle 10000] [--slow 1000]
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { printTable } from '../../bench/support/print-table.ts';
import { startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { compareWithUndisturbed, countBlocks, waitForBlocks } from '../support/tables/compare-undisturbed.ts';
import { type Asking, askAllAlong, fetchOnce } from './ask-all-along.ts';
import { neverRead, openBadClients, sendSlowly, stayIdle } from './bad-clients.ts';

const { values: options } = parseArgs({
  options: { idle: { type: 'string', default: '10000' }, slow: { type: 'string', default: '1000' } },
});
/** Of the disk that PostgreSQL has. */
const diskSize = '700m';
const backAfterMs = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'faults-'));
chmodSync(folder, 0o755);
const disk = join(folder, 'disk');
const streams = join(folder, 'streams');
mkdirSync(disk);
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}`, 'tmpfs', disk]);
const running: RunningMirror[] = [];
const run = (args: string[], databaseUrl?: string): RunningMirror => {
  const env: Record<string, string> = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const mirror = runMirror([...args, '--log-level', 'warn'], { env });
  running.push(mirror);
  return mirror;
};
const postgres = await startEmbeddedPostgres({ dataFolder: join(disk, 'postgres') });
const database = postgres.connectionString;
try {
  await main();
} finally {
  for (const { child } of running) child.kill('SIGKILL');
  await postgres.stop();
  execFileSync('umount', ['-l', disk]);
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const dataFolder = join(folder, 'data');
  const network = run([
    ...['network', '--output', streams, '--block-interval', '500', '--transactions-per-block', '15'],
    ...['--seed', 'faults', '--nodes', '3', '--keep-blocks', '100000'],
  ]);
  const book = join(streams, 'addressbook.bin');
  while (!isThere(book)) await sleep(100);
  const startImporter = () =>
    run(
      ['import', '--source', streams, '--address-book', book, '--network', 'demo', '--data-dir', dataFolder],
      database,
    );
  let importer = startImporter();
  await waitForBlocks(database, 12);
  const server = run(['serve', '--port', '0', '--network', 'demo', '--data-dir', dataFolder], database);
  const [, url] = (await server.says(/Answering on (http:\S+)/)) as unknown as [string, string];
  const questions = await listQuestions(url);
  const asking = askAllAlong(url, questions);

  const faults: Record<string, () => Promise<void>> = {
    'nothing, for comparison': () => sleep(10_000),
    'PostgreSQL restarted': async () => void process.kill(postgres.pid(), 'SIGINT'),
    'PostgreSQL killed': async () => void process.kill(postgres.pid(), 'SIGKILL'),
    'PostgreSQL out of connections for 10 s': () => takeAllConnections(10_000),
    'disk full for 10 s': async () => {
      const filler = join(disk, 'filler');
      // Until there is no more room, which dd counts as a failure.
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096'], { stdio: 'ignore' });
      // What the WAL has room for by itself.
      await withClient(database, (client) => client.query('select pg_switch_wal()')).catch(() => undefined);
      await sleep(10_000);
      rmSync(filler);
    },
    'importer killed': async () => {
      importer.child.kill('SIGKILL');
      await sleep(2000);
      importer = startImporter();
    },
    [`${options.idle} idle connections`]: () => withBadClients(url, Number(options.idle), stayIdle),
    [`${options.slow} slow connections`]: () => withBadClients(url, Number(options.slow), sendSlowly),
    '200 clients that never read': () => withBadClients(url, 200, neverRead),
  };
  const rows: string[][] = [];
  const wrong: string[] = [];
  for (const [name, make] of Object.entries(faults)) {
    const before = await countBlocks(database);
    const tally = asking.begin();
    const began = performance.now();
    await make();
    const ended = performance.now();
    await waitUntilWell(url, before + 1);
    const back = performance.now();
    wrong.push(...tally.wrong);
    rows.push([
      name,
      ((ended - began) / 1000).toFixed(1),
      ((back - ended) / 1000).toFixed(1),
      String(tally.right),
      String(tally.refused),
      String(tally.cut),
      String(tally.wrong.length),
      tally.slowestMs.toFixed(0),
      memoryMb(server.child.pid!).toFixed(0),
    ]);
    console.log(rows.at(-1)!.join(' · '));
  }
  network.child.kill('SIGTERM');
  await network.ended;
  await asking.stop();
  printTable(['fault', 's', 'well again after s', 'right', '503', 'cut', 'wrong', 'slowest ms', 'server MB'], rows);
  const differences = await compareTablesAndAnswers(book, asking);
  for (const sentence of [...wrong.slice(0, 5), ...differences]) console.log(sentence.slice(0, 500));
  const isRight = wrong.length === 0 && differences.length === 0 && asking.backwards() === 0;
  console.log(
    isRight
      ? 'The tables equal those of an undisturbed import; every answer was right, or an honest refusal.'
      : `MISSED: ${wrong.length} wrong answers, ${differences.length} differences, ${asking.backwards()} times an older block`,
  );
  if (!isRight) process.exitCode = 1;
}

/** Of the tables of an undisturbed import, and of the answers that its database gives. */
function compareTablesAndAnswers(book: string, asking: Asking): Promise<string[]> {
  return compareWithUndisturbed({
    ...{ connectionString: database, streams, book, folder: join(folder, 'reference') },
    async compareMore(undisturbed) {
      const server = run(
        ['serve', '--port', '0', '--network', 'demo', '--data-dir', join(folder, 'other'), '--status-service', 'off'],
        undisturbed,
      );
      const [, url] = (await server.says(/Answering on (http:\S+)/)) as unknown as [string, string];
      const differences: string[] = [];
      for (const [question, body] of asking.answers) {
        const answer = await fetchOnce(url + question);
        if (answer.body !== body) differences.push(`${question}: ${body}, undisturbed ${answer.body}`);
      }
      console.log(`${asking.answers.size} answers compared`);
      return differences;
    },
  });
}

/** Blocks of the past, what is in them, and what is not there. */
async function listQuestions(url: string): Promise<string[]> {
  const { body } = await fetchOnce(`${url}/api/v1/blocks?limit=10&order=asc`);
  const { blocks } = JSON.parse(body) as { blocks: { number: number; timestamp: { from: string; to: string } }[] };
  return blocks.flatMap(({ number, timestamp: { from, to } }) => [
    `/api/v1/blocks/${number}`,
    `/api/v1/transactions?timestamp=gte:${from}&timestamp=lte:${to}&limit=100&order=asc`,
    `/api/v1/contracts/results?timestamp=gte:${from}&timestamp=lte:${to}&order=asc`,
  ]);
}

/** Also those of the mirror: the next that comes finds none. */
async function takeAllConnections(forMs: number): Promise<void> {
  const mine: pg.Client[] = [];
  const open = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: database, application_name: 'taker' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      mine.push(client);
      return true;
    } catch {
      return false;
    }
  };
  while (await open());
  await mine[0]!.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'ledger-mirror%'",
  );
  for (const until = performance.now() + forMs; performance.now() < until; ) if (!(await open())) await sleep(20);
  await Promise.all(mine.map((client) => client.end().catch(() => undefined)));
}

async function withBadClients(url: string, count: number, habit: Parameters<typeof openBadClients>[2]): Promise<void> {
  const clients = await openBadClients(url, count, habit);
  console.log(`${count} opened, ${clients.open()} of them open`);
  await sleep(15_000);
  console.log(`${clients.open()} of them open after 15 s`);
  clients.close();
}

/** Ready, right, and importing. */
async function waitUntilWell(url: string, blocks: number): Promise<void> {
  for (const until = performance.now() + backAfterMs; performance.now() < until; await sleep(50)) {
    const { status } = await fetchOnce(`${url}/health/readiness`, 5000);
    if (status === 200 && (await countBlocks(database)) >= blocks) return;
  }
  throw new Error(
    `Not well again after ${backAfterMs / 1000} s. It said:\n${running.map((one) => one.output()).join('\n')}`,
  );
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function memoryMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

function isThere(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
