// Every program in examples/ as its comment says to run it, against the simulated network.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { root } from '../pages/guide-commands.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const examples = join(root, 'examples');
/** Not programs: what they share. */
const shared = ['exact-json.mjs', 'program.mjs'];

let folder: string;
let database: ScratchDatabase;
let mirror: RunningMirror;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'examples-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  database = await createScratchDatabase();
  mirror = runMirror(['start', '--port', '0', '--block-interval', '500', '--data-dir', join(folder, 'data')], {
    env: { DATABASE_URL: database.connectionString },
  });
  [, url] = (await mirror.says(/Answering on (http:\/\/[^/\s]+)/)) as unknown as [string, string];
});
afterAll(async () => {
  mirror?.child.kill('SIGTERM');
  await mirror?.ended;
  await database?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Its lines. */
async function run(name: string, args: string[] = [], env: Record<string, string> = {}): Promise<string[]> {
  const { LEDGER_MIRROR_LAUNCHER: _, ...inherited } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [join(examples, name), ...args], {
    cwd: folder,
    env: { ...inherited, MIRROR: url, ...env },
  });
  return stdout.trimEnd().split('\n');
}

/** Until there is something there. */
async function untilFound(path: string, list: string): Promise<void> {
  const find = async () => ((await (await fetch(url + path)).json()) as Record<string, unknown[] | undefined>)[list];
  await expect.poll(async () => (await find())?.length ?? 0, { timeout: waitMs, interval: 200 }).not.toBe(0);
}

test('a topic is followed, from its first message on', async () => {
  await untilFound(
    '/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&limit=1',
    'transactions',
  );
  const lines = await run('follow-topic.mjs', ['', '2']);
  expect(lines).toEqual(
    [1, 2].map((number) => expect.stringMatching(new RegExp(`^0\\.0\\.\\d+ #${number} at \\d+\\.\\d{9} by 0\\.`))),
  );
  expect(await run('follow-topic.mjs', [lines[0]!.split(' ')[0]!, '1'])).toEqual([lines[0]]);
});

test('the page of a wallet says what the account has', async () => {
  await untilFound('/api/v1/accounts?account.id=gt:1000', 'accounts');
  const text = (await run('wallet-page.mjs')).join('\n');
  expect(text).toMatch(
    /^Account 0\.0\.\d+.*\n {2}\d+\.\d{8} hbar at \d+\.\d{9}\nTokens\n[\s\S]*NFTs\n[\s\S]*Newest transactions\n {2}\d/,
  );
  // What exceeds a double is exact.
  const [, whole] = /\n {2}(\d+)\.\d{8} hbar/.exec(text)!;
  expect(BigInt(whole!)).not.toBe(0n);
  expect((await run('wallet-page.mjs', ['0.0.2'])).slice(0, 2)).toEqual([
    expect.stringMatching(/^Account 0\.0\.2( \(0x\w{40}\))?$/),
    expect.stringMatching(/^ {2}\d+\.\d{8} hbar/),
  ]);
});

test('a contract is verified, and its sources are shown', async () => {
  await expect
    .poll(async () => (await fetch(`${url}/api/v1/contracts/0.0.1015`)).status, { timeout: waitMs, interval: 200 })
    .toBe(200);
  const lines = await run('verify-contract.mjs');
  expect(lines[0]).toBe('0x00000000000000000000000000000000000003f7 on chain 298: perfect');
  expect(lines[1]).toMatch(/^compiled by solc 0\.\d+\.\d+\+commit\.\w+ as \S+:\w+$/);
  expect(lines.join('\n')).toMatch(/\n--- \S+\.sol\n[\s\S]*contract /);
});

test('a private network is mirrored', async () => {
  const lines = await run('private-network.mjs', [join(folder, 'private'), '2']);
  const numbers = lines
    .slice(0, 2)
    .map((line) => Number(/^Block (\d+): \d+ transactions, 0x[0-9a-f]{16}…$/.exec(line)?.[1]));
  expect(numbers).toEqual([numbers[0], numbers[0]! + 1]);
  expect(lines.slice(-2)).toEqual(['Nodes: 0 (0.0.3), 1 (0.0.4), 2 (0.0.5)', 'Supply: 50000000000 hbar']);
});

test('several processes answer over one database, also when one of them is killed', async () => {
  const shared = await createScratchDatabase();
  try {
    const env = { DATABASE_URL: shared.connectionString };
    expect(await run('cluster.mjs', [join(folder, 'cluster')], env)).toEqual([
      'Both servers have block 2, and answer the same',
      'Server one is killed; server two answers for block 3',
    ]);
  } finally {
    await shared.close();
  }
});

test('every example is run here, says how to run it, and is in README', () => {
  const names = readdirSync(examples).filter((name) => !shared.includes(name));
  const own = readFileSync(import.meta.filename, 'utf8');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  for (const name of names) {
    expect(readFileSync(join(examples, name), 'utf8')).toContain(`node examples/${name}`);
    expect(own).toContain(`run('${name}'`);
    expect(readme).toContain(`(examples/${name})`);
  }
});
