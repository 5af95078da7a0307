// A compiler whose process starts slowly, or not at all, is no missing compiler: it is asked again, and a process that
// has begun to start is used by the next check. Real processes, stopped as a crowded machine stops them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { timeouts, waitMs } from '../../../packages/test-support/timeouts.ts';
import { createCheckIsolation } from './check-isolation.ts';
import { createCompilerCatalogue } from './compiler-catalogue.ts';
import { parseCompilerVersion } from './compiler-version.ts';
import { createRunCheck, type RunCheckOptions } from './run-check-process.ts';

vi.setConfig({ testTimeout: timeouts.test });

const root = mkdtempSync(join(tmpdir(), 'slow-start-'));
const folder = join(root, 'compilers');
mkdirSync(folder);
const version = '0.9.7+commit.12345678';
const path = join(folder, 'soljson-v0.9.7.js');
const compiler = (said: string) => `const functions = { version: () => ${said} };
module.exports = { _version: 1, _compileJSONMulti: 1, cwrap: (name) => functions[name] ?? (() => '{}') };`;
writeFileSync(path, compiler(JSON.stringify(`${version}.Emscripten.clang`)));
const wanted = parseCompilerVersion(version)!;
const closing = new AbortController();
afterAll(async () => {
  closing.abort(new Error('the end'));
  await vi.waitFor(() => expect(checkProcesses()).toEqual([]), waiting);
  rmSync(root, { recursive: true, force: true });
});

const waiting = { timeout: waitMs, interval: 5 };
const isolation = createCheckIsolation(() => undefined);
const limits = { cpuMs: 60_000, memoryBytes: 1_073_741_824 };
const warned: string[] = [];
beforeEach(() => void warned.splice(0));

/**
 * Processes of checks that this file started, which may read its compiler: other files run in threads of this process.
 * Between fork and exec it is not known what they are.
 */
function checkProcesses(): number[] {
  const ours = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid);
  return ours.map(Number).filter((pid) => {
    const command = readOrEmpty(`/proc/${pid}/cmdline`);
    return command.includes('check-process') && command.includes(path);
  });
}

function parentOf(pid: string): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? 0 : Number(parent);
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // It has just ended.
  }
}

/** The first process that starts from now on is stopped before it has said a word. */
async function stopNext(): Promise<number> {
  const pid = await vi.waitUntil(() => checkProcesses()[0], { ...waiting, interval: 1 });
  process.kill(pid, 'SIGSTOP');
  return pid;
}

function open(times: RunCheckOptions['times'], retryMs = { first: 1, max: 10 }) {
  const runCheck = createRunCheck(isolation, times && { times });
  const warn = (line: string): void => void warned.push(line);
  const given = { folder, download: null, runCheck, warn, signal: closing.signal, retryMs };
  return { runCheck, catalogue: createCompilerCatalogue(given) };
}

const asked = { kind: 'identify', compilerPath: path } as const;

test.skipIf(process.platform !== 'linux')('a process that starts slowly is the one of the next check', async () => {
  const { runCheck } = open({ startWithinMs: 300, keptMs: 200_000 });
  const late = runCheck(asked, limits, closing.signal).catch((error: unknown) => error);
  const pid = await stopNext();
  expect(await late).toMatchObject({
    ...{ code: 'compiler_not_available', status: 503, retryAfterSeconds: 30 },
    message: expect.stringContaining('has not started after 1 seconds'),
  });
  expect(checkProcesses()).toEqual([pid]);
  process.kill(pid, 'SIGCONT');
  // As many as are refused meanwhile, no other process is started.
  for (;;) {
    const answer = await runCheck(asked, limits, closing.signal).catch((error: { code: string }) => error.code);
    expect(checkProcesses().every((running) => running === pid)).toBe(true);
    if (answer === 'compiler_not_available') continue;
    expect(answer).toEqual({ kind: 'identified', version: `${version}.Emscripten.clang` });
    break;
  }
});

test.skipIf(process.platform !== 'linux')('time before the first word is no time of the check', async () => {
  const { runCheck } = open({ startWithinMs: 200_000, keptMs: 1 });
  const answer = runCheck(asked, limits, closing.signal);
  const pid = await stopNext();
  await new Promise((done) => setTimeout(done, 500));
  process.kill(pid, 'SIGCONT');
  expect(await answer).toMatchObject({ kind: 'identified' });
});

test.skipIf(process.platform !== 'linux')('a process that nobody takes any more ends', async () => {
  const { runCheck } = open({ startWithinMs: 50, keptMs: 200 });
  const late = runCheck(asked, limits, closing.signal).catch((error: { code: string }) => error.code);
  await stopNext();
  expect(await late).toBe('compiler_not_available');
  await vi.waitFor(() => expect(checkProcesses()).toEqual([]), waiting);
});

test.skipIf(process.platform !== 'linux')('a slow start switches no compiler off', async () => {
  const { catalogue } = open({ startWithinMs: 300, keptMs: 200_000 });
  const late = catalogue.find(wanted).catch((error: unknown) => error);
  const pid = await stopNext();
  expect(await late).toMatchObject({
    ...{ code: 'compiler_not_available', status: 503, retryAfterSeconds: 1 },
    message: 'The Solidity compiler 0.9.7+commit.12345678 could not be started now. Try again in 1 seconds.',
  });
  expect(warned).toEqual([expect.stringMatching(/soljson-v0\.9\.7\.js could not be asked .* has not started after 1/)]);
  await catalogue.assertObtainable(wanted);
  process.kill(pid, 'SIGCONT');
  await vi.waitUntil(() => catalogue.find(wanted).catch(() => null), waiting);
  expect(await catalogue.find(wanted)).toMatchObject({ path });
});

test.skipIf(process.platform !== 'linux')(
  'a process that is killed switches none off, and is not started again at once',
  async () => {
    const { catalogue } = open(undefined, { first: 300, max: 300 });
    const killed = catalogue.find(wanted).catch((error: unknown) => error);
    process.kill(await stopNext(), 'SIGKILL');
    expect(await killed).toMatchObject({ code: 'compiler_not_available', status: 503 });
    expect(await catalogue.find(wanted).catch((error: unknown) => error)).toMatchObject({ retryAfterSeconds: 1 });
    expect(checkProcesses()).toEqual([]);
    expect(warned).toHaveLength(1);
    expect(warned[0]).not.toContain('undefined');
    expect(await vi.waitUntil(() => catalogue.find(wanted).catch(() => null), waiting)).toMatchObject({ path });
  },
);

test.each([
  ['throws a text', `throw 'no text of an Error'`, /no text of an Error/],
  ['throws nothing', 'throw undefined', /usable Solidity compiler\. It threw nothing/],
  ['has another shape', 'module.exports = {};', /usable Solidity compiler\. \S/],
  ['reports another version', compiler(`'a version'`), /usable Solidity compiler\. \S/],
])(
  'a file that %s is no compiler: that is said once, and remembered while it does not change',
  async (_case, text, said) => {
    const own = mkdtempSync(join(root, 'other-'));
    writeFileSync(join(own, 'soljson-v0.9.8.js'), text);
    const runCheck = createRunCheck(isolation);
    const kinds: string[] = [];
    const catalogue = createCompilerCatalogue({
      ...{ folder: own, download: null, signal: closing.signal, warn: (line) => void warned.push(line) },
      runCheck: async (...given) => {
        const answer = await runCheck(...given);
        kinds.push(answer.kind);
        return answer;
      },
    });
    const other = parseCompilerVersion('0.9.8+commit.12345678')!;
    for (let time = 0; time < 2; time += 1) {
      await expect(catalogue.find(other)).rejects.toMatchObject({
        ...{ code: 'compiler_not_available', retryAfterSeconds: undefined },
      });
    }
    expect(kinds).toHaveLength(1);
    expect(warned).toEqual([expect.stringMatching(said)]);
  },
);

test('compilers that start all at once are all found', async () => {
  const own = mkdtempSync(join(root, 'many-'));
  const numbers = Array.from({ length: 8 }, (_, index) => `0.9.${index}`);
  for (const number of numbers) {
    writeFileSync(join(own, `soljson-v${number}.js`), compiler(`'${number}+commit.00000001.Emscripten.clang'`));
  }
  const given = { folder: own, download: null, runCheck: createRunCheck(isolation), signal: closing.signal };
  const catalogue = createCompilerCatalogue({ ...given, warn: (line) => void warned.push(line) });
  const twice = [...numbers, ...numbers].map((number) =>
    catalogue.find(parseCompilerVersion(`${number}+commit.00000001`)!),
  );
  const found = await Promise.all(twice);
  expect(found.map(({ path: file }) => file.match(/v(0\.9\.\d)\.js$/)?.[1])).toEqual([...numbers, ...numbers]);
  expect(warned).toEqual([]);
});
