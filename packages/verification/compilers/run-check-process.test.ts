import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { waitMs } from '../../../packages/test-support/timeouts.ts';
import { createCheckIsolation } from './check-isolation.ts';
import { createRunCheck } from './run-check-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-priority-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** null = this system has none. */
const launcher = createCheckIsolation(() => undefined).endsWithService();

const waiting = { timeout: waitMs, interval: 50 };

test.skipIf(process.platform !== 'linux')(
  'a check gives way, and altogether as soon as the service is busy',
  async () => {
    const load = { isBusy: false, idle: 0 };
    const check = startEndlessCheck(load, null);
    const pid = await check.pid();
    await vi.waitFor(() => expect(nicenessOfThreads(pid)).toEqual(new Set([10])), waiting);
    load.isBusy = true;
    await vi.waitFor(() => expect(nicenessOfThreads(pid)).toEqual(new Set([19])), waiting);
    await check.end();
  },
);

test.skipIf(launcher === null)(
  'a check is halted while the service is busy and no processor is idle, and then goes on',
  async () => {
    const load = { isBusy: false, idle: 0 };
    const check = startEndlessCheck(load, launcher);
    const pid = await check.pid();
    for (const [change, state] of [
      [{ isBusy: true }, /^T/],
      [{ isBusy: false }, /^[^T]/],
      [{ isBusy: true }, /^T/],
      [{ idle: 2 }, /^[^T]/],
    ] as const) {
      Object.assign(load, change);
      await vi.waitFor(() => expect(statOf(`/proc/${pid}`)[0]).toMatch(state), waiting);
    }
    await check.end();
  },
);

test.skipIf(launcher === null)('a check that is halted ends with the service that was killed', async () => {
  const compilerPath = writeEndlessCompiler();
  const service = spawn(process.execPath, ['--input-type=module', '-e', busyService, compilerPath], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [pid] = (await once(service, 'message')) as [number];
  await vi.waitFor(() => expect(statOf(`/proc/${pid}`)[0]).toBe('T'), waiting);
  service.kill('SIGKILL');
  await vi.waitFor(() => expect(hasEnded(pid)).toBe(true), waiting);
});

const busyService = `
const { createRunCheck } = await import(${JSON.stringify(new URL('run-check-process.ts', import.meta.url).href)});
let isBusy = false;
const isolation = {
  user: () => null,
  async closeDoors(pid) {
    isBusy = true;
    process.send(pid);
  },
  endsWithService: () => ${JSON.stringify(launcher)},
};
const runCheck = createRunCheck(isolation, { isBusy: () => isBusy, watchIdle: () => ({ count: () => 0, close() {} }) });
const request = { kind: 'identify', compilerPath: process.argv[1] };
await runCheck(request, { cpuMs: 600_000, memoryBytes: 2e9 }, new AbortController().signal);`;

function writeEndlessCompiler(): string {
  const path = join(folder, 'soljson-endless.js');
  writeFileSync(path, 'for (;;);');
  return path;
}

function startEndlessCheck(load: { isBusy: boolean; idle: number }, endsWithService: string | null) {
  const compilerPath = writeEndlessCompiler();
  const pids: number[] = [];
  const isolation = {
    user: () => null,
    closeDoors: async (pid: number) => void pids.push(pid),
    endsWithService: () => endsWithService,
  };
  const runCheck = createRunCheck(isolation, {
    isBusy: () => load.isBusy,
    watchIdle: () => ({ count: () => load.idle, close: () => undefined }),
  });
  const ending = new AbortController();
  const check = runCheck({ kind: 'identify', compilerPath }, { cpuMs: 600_000, memoryBytes: 2e9 }, ending.signal);
  const ended = expect(check).rejects.toThrow('enough');
  return {
    async pid() {
      await vi.waitFor(() => expect(pids).toHaveLength(1), waiting);
      return pids[0]!;
    },
    end() {
      ending.abort(new Error('enough'));
      return ended;
    },
  };
}

function nicenessOfThreads(pid: number): Set<number> {
  const threads = readdirSync(`/proc/${pid}/task`);
  // The 17th behind the name.
  return new Set(threads.map((thread) => Number(statOf(`/proc/${pid}/task/${thread}`)[16])));
}

/** In a container its exit status may not have been collected yet. */
function hasEnded(pid: number): boolean {
  return !existsSync(`/proc/${pid}`) || statOf(`/proc/${pid}`)[0] === 'Z';
}

/** Behind the name in brackets: state, parent, … */
function statOf(folder: string): string[] {
  const stat = readFileSync(join(folder, 'stat'), 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
