// `node scripts/run.mjs test/replicas/run-faults.ts`: `serve --workers 2` on a PostgreSQL 15 with two streaming
// replicas, while blocks are imported: a replica stops replaying, each is lost, a worker is killed. Exit code 0 only
// when every answer was right or an honest error. Needs the Debian package postgresql-15.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNetwork } from '../../packages/simulated-network/network.ts';
import {
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../../packages/test-support/postgres/debian-postgres.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { importFolder } from '../support/tables/import-folder.ts';

if (!isDebianPostgresInstalled) throw new Error('Install the Debian package postgresql-15 first.');
const folder = mkdtempSync(join(tmpdir(), 'replica-faults-'));
const source = join(folder, 'network');
const primary = await startDebianPostgres();
const DATABASE_URL = primary.connectionString('admin', 'postgres');
const network = await createNetwork({ folder: source, nodes: 3 });
await network.writeBlock();
const addressBook = readFileSync(join(source, 'addressbook.bin'));
await runMirror(['migrate'], { env: { DATABASE_URL } }).ended;
await importFolder(source, addressBook, DATABASE_URL);
const replicas = [await primary.startReplica(), await primary.startReplica()];
const urls = replicas.map((replica) => replica.connectionString('admin', 'postgres')).join(',');
const flags = ['--workers', '2', '--port', '0', '--status-service', 'off', '--data-dir', join(folder, 'data')];
const mirror = runMirror(['serve', ...flags, '--replica-max-lag', '5'], {
  env: { DATABASE_URL, LEDGER_MIRROR_REPLICA_URLS: urls },
});
const [, url] = await mirror.says(/Answering on (http:\S+)/);

const stop = new AbortController();
const counts = { answers: 0, honest: 0, broken: 0 };
const wrong: string[] = [];

/** One client on connections that are kept: it stays at one process until that is killed. */
async function client(): Promise<void> {
  let seen = -1;
  while (!stop.signal.aborted) {
    try {
      const answer = await fetch(`${url}/api/v1/blocks?limit=1`, { signal: AbortSignal.timeout(15_000) });
      const body = (await answer.json()) as { blocks?: { number: number }[]; _status?: unknown };
      if (answer.status === 503 && body._status) counts.honest += 1;
      else if (answer.status !== 200) wrong.push(`status ${answer.status}: ${JSON.stringify(body)}`);
      else {
        const { number } = body.blocks![0]!;
        if (number < seen) wrong.push(`block ${number} after ${seen}`);
        seen = number;
        counts.answers += 1;
      }
    } catch {
      // A connection to a worker that is killed; another one may be at another process.
      counts.broken += 1;
      seen = -1;
    }
    await sleep(5);
  }
}

async function write(): Promise<void> {
  while (!stop.signal.aborted) {
    await network.writeBlock();
    await importFolder(source, addressBook, DATABASE_URL);
    await sleep(200);
  }
}

const running = [write(), ...Array.from({ length: 6 }, client)];
const steps: [string, () => Promise<void>][] = [
  ['nothing', async () => {}],
  ['replica 1 stops replaying', async () => replicas[0]!.pauseReplay(true)],
  ['replica 1 goes on', async () => replicas[0]!.pauseReplay(false)],
  [
    'a worker is killed',
    async () => {
      const { pid } = mirror.child;
      const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      process.kill(Number(first), 'SIGKILL');
    },
  ],
  ['replica 1 is lost', async () => replicas[0]!.kill()],
  ['replica 2 is lost', async () => replicas[1]!.kill()],
];
for (const [name, step] of steps) {
  const before = { ...counts };
  await step();
  await sleep(10_000);
  const { answers, honest, broken } = counts;
  console.log(
    `${name}: ${answers - before.answers} answers, ${honest - before.honest} times 503, ${broken - before.broken} broken connections, ${wrong.length} wrong`,
  );
}
stop.abort();
await Promise.all(running);
for (const line of mirror
  .output()
  .split('\n')
  .filter((one) => one.includes('in place of')))
  console.log(line);
for (const line of wrong.slice(0, 20)) console.log(`WRONG: ${line}`);
mirror.child.kill('SIGTERM');
await mirror.ended;
await network.close();
await primary.close();
rmSync(folder, { recursive: true });
process.exit(wrong.length === 0 && counts.answers > 100 ? 0 : 1);
