import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createRunCheck } from './run-check-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-priority-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(process.platform !== 'linux')(
  'a check gives way, and altogether as soon as the service is busy',
  async () => {
    const compilerPath = join(folder, 'soljson-endless.js');
    writeFileSync(compilerPath, 'for (;;);');
    let isBusy = false;
    const pids: number[] = [];
    const isolation = { user: () => null, closeDoors: async (pid: number) => void pids.push(pid) };
    const runCheck = createRunCheck(isolation, () => isBusy);
    const ending = new AbortController();
    const check = runCheck({ kind: 'identify', compilerPath }, { cpuMs: 600_000, memoryBytes: 2e9 }, ending.signal);
    const ended = expect(check).rejects.toThrow('enough');
    const waiting = { timeout: 240_000, interval: 50 };
    await vi.waitFor(() => expect(pids).toHaveLength(1), waiting);
    await vi.waitFor(() => expect(new Set(nicenessOfThreads(pids[0]!))).toEqual(new Set([10])), waiting);
    isBusy = true;
    await vi.waitFor(() => expect(new Set(nicenessOfThreads(pids[0]!))).toEqual(new Set([19])), waiting);
    ending.abort(new Error('enough'));
    await ended;
  },
);

function nicenessOfThreads(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    // Behind the name in brackets: state, parent, … the niceness is the 17th.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}
