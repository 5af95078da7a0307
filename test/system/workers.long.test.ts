// `serve --workers`: several processes as one service.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAlive } from '../../packages/postgres/embedded/running-process.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { askDoors, type DoorPlaces } from '../support/program/ask-doors.ts';
import { freePort } from '../support/program/free-port.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { importFolder } from '../support/tables/import-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'workers-'));
let database: ScratchDatabase;
let mirror: RunningMirror;
let url: string;
let hieroPort: number;
let doors: DoorPlaces;

beforeAll(async () => {
  database = await createScratchDatabase();
  await writeNetwork({ folder: join(folder, 'network'), blocks: 3, transactions: 3 });
  const addressBook = readFileSync(join(folder, 'network', 'addressbook.bin'));
  await importFolder(join(folder, 'network'), addressBook, database.connectionString);
  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  hieroPort = ports[0]!;
  const names = ['port-hiero', 'rpc-port', 'grpc-port', 'block-node-port'];
  const flags = names.flatMap((name, place) => [`--${name}`, `${ports[place]}`]);
  mirror = serve('--workers', '2', '--port', '0', ...flags);
  url = (await mirror.says(/Answering on (http:\S+)/))[1]!;
  doors = { url, rpcPort: ports[1]!, grpcPort: ports[2]!, blockNodePort: ports[3]! };
});
afterAll(async () => {
  mirror.child.kill('SIGKILL');
  await mirror.ended;
  await database.close();
  rmSync(folder, { recursive: true });
});

function serve(...flags: string[]): RunningMirror {
  const args = ['serve', '--data-dir', join(folder, 'data'), '--status-service', 'off', '--network', 'demo', ...flags];
  return runMirror(args, { env: { DATABASE_URL: database.connectionString } });
}

/** A separate connection: each goes to the worker whose turn it is. */
async function ask(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url + path, { headers: { connection: 'close' }, signal: AbortSignal.timeout(120_000) });
  return { status: answer.status, text: await answer.text() };
}

async function metric(line: string): Promise<number> {
  const { text } = await ask('/metrics');
  const found = text.split('\n').find((one) => one.startsWith(line));
  return Number(found?.slice(found.lastIndexOf(' ')) ?? 0);
}

function workerPids(): number[] {
  const { pid } = mirror.child;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

it('each worker answers the dialect hiero on a separate port, and under its prefix', async () => {
  for (let round = 0; round < 4; round += 1) {
    const answer = await fetch(`http://127.0.0.1:${hieroPort}/api/v1/schedules?limit=101`, {
      headers: { connection: 'close' },
    });
    expect(answer.status).toBe(200);
    expect((await ask('/hiero/api/v1/schedules?limit=101')).status).toBe(200);
    expect((await ask('/api/v1/schedules?limit=101')).status).toBe(400);
  }
});

it('each worker answers at every door', async () => {
  await mirror.says(new RegExp(`Block node: 127.0.0.1:${doors.blockNodePort}`));
  // They take connections in turns.
  for (let round = 0; round < 2; round += 1) expect(await askDoors(doors)).toEqual(ofLedger);
});

const none = `${2n ** 64n - 1n}`;
/** Three blocks of which no file was kept, written by three nodes. */
const ofLedger = {
  ...{ rpc: ['0x2', '0x2'], socket: '0x2', nodes: ['3', '4', '5'], blockNode: [none, none, '3'] },
  live: expect.stringMatching(/^\d+\.\d{9}$/),
};

const countedBlocks = 'http_requests_total{method="GET",route="/api/v1/blocks",status="200"';

it('both answer, and the metrics of either are those of both', async () => {
  expect(workerPids()).toHaveLength(2);
  const before = await metric(countedBlocks);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/api/v1/blocks')));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(JSON.parse(answers[0]!.text).blocks).toHaveLength(3);
  // Each question for metrics may come to the other worker.
  for (let time = 0; time < 4; time++) expect(await metric(countedBlocks)).toBe(before + 20);
  expect(await metric('ledger_mirror_workers{state="wanted"}')).toBe(2);
  expect(await metric('ledger_mirror_workers{state="answering"}')).toBe(2);
});

it('one that is killed is started again; what it had counted stays counted', async () => {
  const before = await metric(countedBlocks);
  const [victim] = workerPids();
  process.kill(victim!, 'SIGKILL');
  await mirror.says(/Worker \d has ended \(SIGKILL\) and is started again in 0\.1 s/);
  // The other one answers meanwhile.
  expect((await ask('/api/v1/blocks')).status).toBe(200);
  const answering = () => metric('ledger_mirror_workers{state="answering"}');
  await expect.poll(answering, { message: mirror.output(), timeout: waitMs, interval: 100 }).toBe(2);
  expect(workerPids()).toHaveLength(2);
  expect(workerPids()).not.toContain(victim);
  for (let round = 0; round < 2; round += 1) expect(await askDoors(doors)).toEqual(ofLedger);
  expect(await metric(countedBlocks)).toBe(before + 1);
  expect(await metric('ledger_mirror_worker_restarts_total')).toBe(1);
});

it('ends as one: what was begun is answered, and the port is free', async () => {
  const pids = workerPids();
  mirror.child.kill('SIGTERM');
  expect(await mirror.ended).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
  await expect(fetch(url)).rejects.toThrow();
});

it('no worker outlives the process that started it', async () => {
  mirror = serve('--workers', '2', '--port', '0');
  url = (await mirror.says(/Answering on (http:\S+)/))[1]!;
  const pids = workerPids();
  mirror.child.kill('SIGKILL');
  await mirror.ended;
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.filter(isAlive), { timeout: 60_000, interval: 20 }).toEqual([]);
});
