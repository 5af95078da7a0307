// Commands of README and guides as they are typed, with other ports and folders: those that check, import and serve
// stream files, with files of the simulated network; those of the status and of contract checks, of a mirror that runs.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { fillPlaceholders, readGuideCommands, root, toWords } from '../pages/guide-commands.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

/** Where commands are typed: it has what a clone has. */
let folder: string;
let streams: string;
const running: RunningMirror[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guide-commands-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  for (const name of ['scripts', 'src', 'packages', 'node_modules', '.runtime', 'package.json'])
    symlinkSync(join(root, name), join(folder, name));
  streams = join(folder, 'streams');
  await type(
    `node scripts/ledger-mirror.mjs network --output ${streams} --blocks 6 --block-interval 0 --log-level error`,
  );
});
afterEach(async () => {
  for (const mirror of running) mirror.child.kill('SIGTERM');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const commands = readGuideCommands().filter(({ isBlock }) => isBlock);

/** The blocks' commands of a file that hold the text, in their order. */
function commandsWith(file: string, part: string): string[] {
  const found = commands.filter(({ place, text }) => place.startsWith(`${file}:`) && text.includes(part));
  expect(found).not.toEqual([]);
  return found.map(({ text }) => text);
}

/** Standard output and exit code, of a shell. */
async function type(command: string): Promise<{ output: string; code: number }> {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
  try {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { cwd: folder, env });
    return { output: stdout, code: 0 };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { output: `${stdout}${stderr}`, code };
  }
}

/** A command that goes on until it is ended, as a shell would start it. */
async function begin(command: string): Promise<string> {
  const [, script, ...args] = toWords(command);
  expect(script).toBe('scripts/ledger-mirror.mjs');
  const mirror = runMirror([...args, '--port', '0'], { cwd: folder });
  running.push(mirror);
  const [, url] = await mirror.says(/Answering on (http:\S+?)\/?\s/);
  return url!;
}

/** The status that a contract check finds; on a busy machine it is asked more than once. */
async function check(command: string): Promise<string> {
  for (;;) {
    const { output } = await type(`${command} --silent --show-error`);
    const { result, customCode } = JSON.parse(output) as { result?: [{ status: string }]; customCode?: string };
    if (result) return result[0].status;
    expect([command, output, customCode]).toEqual([command, output, 'too_many_jobs']);
  }
}

test('stream files are verified, imported and served as README says', async () => {
  // Every command of it has a network: that of the files is a simulated one.
  const fill = (command: string) =>
    fillPlaceholders(command, { folder: streams, file: join(streams, 'addressbook.bin') }).replace(
      '--network mainnet',
      '--network demo',
    );
  const [verify] = commandsWith('README.md', ' verify --source');
  const [importing] = commandsWith('README.md', ' import --once');
  const [serve] = commandsWith('README.md', ' serve ');
  const [start] = commandsWith('README.md', ' start --network');
  expect(await type(fill(verify!))).toMatchObject({ code: 0, output: expect.stringMatching(/6|six/) });
  expect(await type(`${fill(importing!)} --log-level error`)).toMatchObject({ code: 0 });
  const newest = async (url: string) => {
    const { blocks } = (await (await fetch(`${url}/api/v1/blocks?limit=1`)).json()) as { blocks: { number: number }[] };
    return blocks[0]!.number;
  };
  const served = await newest(await begin(fill(serve!)));
  expect(served).toBeGreaterThanOrEqual(5);
  running[0]!.child.kill('SIGTERM');
  await running[0]!.ended;
  expect(await newest(await begin(fill(start!)))).toBe(served);
});

test('the status is shown and changed, and contracts are checked and called, as the guides say', async () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  chmodSync(data, 0o711);
  const url = await begin('node scripts/ledger-mirror.mjs start');
  const { host } = new URL(url);
  const checks = commandsWith('docs/guides/verify-contracts.md', '/verify/explorer');
  // The contracts of the example are deployed by the first blocks.
  await expect
    .poll(async () => (await fetch(`${url}/api/v1/contracts/0.0.1020`)).status, { timeout: waitMs, interval: 200 })
    .toBe(200);
  const statuses = await Promise.all(checks.map((command) => check(command.replace('localhost:5551', host))));
  expect(statuses).toEqual(['perfect', 'partial', 'null']);
  for (const command of commandsWith('docs/guides/verify-contracts.md', 'curl ').filter((one) =>
    one.includes('/api?'),
  )) {
    const { output } = await type(`${command.replace('localhost:5551', host)} --silent --show-error`);
    expect([command, JSON.parse(output)]).toEqual([command, expect.objectContaining({ status: '1', message: 'OK' })]);
  }

  const calls = commandsWith('docs/guides/call-contracts.md', 'curl ');
  const results: string[] = [];
  for (const command of calls) {
    const { output } = await type(`${command.replace('localhost:5551', host)} --silent --show-error`);
    results.push((JSON.parse(output) as { result: string }).result);
  }
  const word = expect.stringMatching(/^0x[0-9a-f]{64}$/) as string;
  expect(results).toEqual([word, expect.stringMatching(/^0x[0-9a-f]{4}$/) as string]);

  const changes = commandsWith('docs/guides/follow-the-status.md', 'ledger-mirror.mjs status ').filter(
    // They send to a machine of others.
    (command) => !command.includes('webhook test') && !command.includes('webhook add'),
  );
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const times = { begin: inHours(1), end: inHours(2) };
  let id = '';
  for (const command of changes) {
    if (command.includes('webhook remove')) continue; // Of those that were not added.
    const { output, code } = await type(fillPlaceholders(command, { id, ...times }));
    expect([command, code, output]).toEqual([command, 0, expect.any(String)]);
    id = /\b[a-z0-9]{12}\b/.exec(output)?.[0] ?? id;
  }
  const [show] = commandsWith('docs/guides/follow-the-status.md', 'mjs status');
  expect((await type(show!)).output).toContain('Mirror Node REST API');
});
