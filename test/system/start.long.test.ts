// `start` from an empty folder, ended and killed in every way there is: each next start goes on with the same chain,
// and no block is missing or there twice in the end.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lchownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { readStream } from '../oracle/read/read-stream.ts';
import { killBackend, readServerPid } from '../support/program/postgres-processes.ts';
import { type RunMirrorOptions, type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const launcher = fileURLToPath(new URL('../../scripts/ledger-mirror.mjs', import.meta.url));

let folder: string;
let dataFolder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  dataFolder = join(folder, 'data');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running: RunningMirror[] = [];
afterEach(async () => {
  // Those of a test that failed must not be in the way of the next.
  for (const mirror of running) mirror.child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});

test('from an empty folder: every link of the page about the API answers, Ctrl-C ends it with exit code 0', async () => {
  const mirror = await start();
  const links = await untilFound(async () => {
    const page = await (await fetch(new URL('api', mirror.url))).text();
    const found = [...page.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path!);
    return examples.every((example) => found.some((path) => example.test(path))) ? found : undefined;
  });
  for (const path of links) {
    const { status } = await fetch(new URL(path, mirror.url));
    expect([path, status]).toEqual([path, 200]);
  }
  // Some of what the document names comes into being only with the first blocks.
  const answered = new Set<string>();
  await expect.poll(() => askDocumented(mirror.url, answered), { timeout: waitMs, interval: 200 }).toEqual([]);
  mirror.child.kill('SIGINT');
  expect([await mirror.ended, mirror.output()]).toEqual([0, expect.stringContaining('stopping')]);
});

type Documented = { get?: { parameters?: { name: string; in: string; schema: { examples?: string[] } }[] } };

/**
 * Every documented GET that is not among the answered ones, with the document's own examples; gives those not answered
 * with 200.
 */
async function askDocumented(url: string, answered: Set<string>): Promise<string[]> {
  const { paths } = (await (await fetch(`${url}api/v1/docs/openapi.json`)).json()) as {
    paths: Record<string, Documented>;
  };
  const table = ['/api/v2/summary.json', '/status', '/v2/contract/{chainId}/{address}', '/verify/explorer', '/metrics'];
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(table));
  // Nobody has had a contract checked yet: there is nothing of one.
  const ofChecked = /^\/(?:v2\/(?:contract|verify)\/|check-|files\/|repository\/)/;
  const failed: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    if (!get || ofChecked.test(path) || answered.has(path)) continue;
    const parameters = get.parameters ?? [];
    const place = path.replaceAll(
      /\{(\w+)\}/g,
      (_all, name: string) => parameters.find((each) => each.name === name)?.schema.examples?.[0] ?? 'none',
    );
    const { status } = await fetch(new URL(place, url));
    if (status === 200) answered.add(path);
    else failed.push(`${place}: ${status}`);
  }
  return failed;
}

const examples = [
  /^\/api\/v1\/tokens\/0\.0\.\d+$/,
  /^\/api\/v1\/accounts\/0\.0\.\d+$/,
  /^\/api\/v1\/contracts\/0\.0\.\d+$/,
  /^\/api\/v1\/contracts\/results$/,
  /^\/api\/v1\/schedules$/,
  /^\/api\/v1\/schedules\/0\.0\.\d+$/,
];

test('it goes on after an orderly end and after a kill', async () => {
  const first = await start();
  const before = await untilBlock(first, 1);
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe(null);
  const second = await start();
  await untilBlock(second, before + 2);
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});

test('it goes on by itself when its PostgreSQL, or a process of that, is killed', async () => {
  const mirror = await start();
  const before = await untilBlock(mirror, 1);
  await killBackend(dataFolder);
  const between = await untilBlock(mirror, before + 2);
  process.kill(readServerPid(dataFolder), 'SIGKILL');
  await untilBlock(mirror, between + 2);
  expect(mirror.output()).toContain('PostgreSQL ended unexpectedly (SIGKILL); starting it again');
  mirror.child.kill('SIGINT');
  expect(await mirror.ended).toBe(0);
});

test('when the launcher is killed all ends, and a start at the same moment and port waits for that', async () => {
  const launched = await start([], { script: launcher });
  const before = await untilBlock(launched, 1);
  const exited = once(launched.child, 'exit');
  launched.child.kill('SIGKILL');
  await exited;
  const next = await start(['--port', new URL(launched.url).port]);
  expect(new URL(next.url).port).toBe(new URL(launched.url).port);
  await untilBlock(next, before + 2);
  next.child.kill('SIGINT');
  expect(await next.ended).toBe(0);
  await launched.ended;
});

test('when npm is killed, whose shell lives on, all ends too', async () => {
  const npm = join(folder, 'npm.mjs');
  writeFileSync(
    npm,
    `import { spawn } from 'node:child_process';
    const command = [process.execPath, ${JSON.stringify(launcher)}, ...process.argv.slice(2)].map((word) => JSON.stringify(word)).join(' ');
    spawn('sh', ['-c', command + '; true'], { stdio: 'inherit' });`,
  );
  const mirror = await start([], { script: npm, env: { npm_lifecycle_event: 'start' } });
  mirror.child.kill('SIGKILL');
  // Its output ends when the last of the processes below it ends.
  await mirror.ended;
  expect(mirror.output()).toContain('stopping');
});

test.skipIf(process.getuid?.() !== 0)('an ordinary user goes on with a copy that is his own', async () => {
  const copy = join(folder, 'copy');
  // Not `cpSync`: it makes folders that every user may enter, which PostgreSQL refuses.
  execFileSync('cp', ['-a', dataFolder, copy]);
  const nobody = { uid: 65_534, gid: 65_534 };
  for (const path of [copy, ...listAll(copy)]) lchownSync(path, nobody.uid, nobody.gid);
  const mirror = await start(['--data-dir', copy], { ...nobody, cwd: '/' });
  const before = await untilBlock(mirror, 1);
  await untilBlock(mirror, before + 2);
  mirror.child.kill('SIGINT');
  expect(await mirror.ended).toBe(0);
  await expectWholeChain(copy);
});

test('after all that the chain is whole', () => expectWholeChain(dataFolder));

type Answering = RunningMirror & { url: string };

async function start(args: string[] = [], options: RunMirrorOptions = {}): Promise<Answering> {
  const settings = ['--block-interval', '150', '--port', '0', '--data-dir', dataFolder, '--nodes', '3'];
  // What outlives a killed mirror shall not outlive the tests for long.
  settings.push('--status-outlive', '20');
  const mirror = runMirror(['start', ...settings, ...args], options);
  running.push(mirror);
  const [, url] = await mirror.says(/^Answering on (\S+)$/m);
  return { ...mirror, url: url! };
}

/** Waits until the mirror has imported this block, and a new one in any case; gives the newest. */
async function untilBlock({ url, output }: Answering, least: number): Promise<number> {
  const seen = new Set<number>();
  return untilFound(async () => {
    const answer = await fetch(url, { headers: { accept: 'application/json' } }).catch((error: Error) => {
      throw new Error(`${url} does not answer: ${error.cause}. The mirror said:\n${output()}`);
    });
    const index = (await answer.json()) as { latest_block: { number: number } | null };
    const block = index.latest_block?.number ?? -1;
    seen.add(block);
    return block >= least && seen.size > 1 ? block : undefined;
  });
}

async function untilFound<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (const until = Date.now() + 240_000; Date.now() < until; await sleep(50)) {
    const found = await find();
    if (found !== undefined) return found;
  }
  throw new Error('Nothing of what was waited for within 240 s');
}

function listAll(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name));
}

/** Blocks on disk follow each other, and each is in the database once, under its number and hash. */
async function expectWholeChain(path: string): Promise<void> {
  const stream = readStream(join(path, 'network'));
  expect(stream.map(({ file }) => file.blockNumber)).toEqual(stream.map((_block, index) => BigInt(index)));
  const server = await startEmbeddedPostgres({ dataFolder: path });
  const client = new pg.Client({ connectionString: server.connectionString });
  try {
    await client.connect();
    const { rows } = await client.query<{ index: string; hash: string; prev_hash: string }>(
      'select index, hash, prev_hash from record_file order by consensus_end',
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.map(({ index }) => Number(index))).toEqual(rows.map((_row, index) => index));
    expect(rows.slice(1).map(({ prev_hash }) => prev_hash)).toEqual(rows.slice(0, -1).map(({ hash }) => hash));
    expect(rows.map(({ hash }) => hash)).toEqual(
      stream.slice(0, rows.length).map(({ file }) => Buffer.from(file.hash).toString('hex')),
    );
  } finally {
    await client.end();
    await server.stop();
  }
}
