// What each test file costs, for cost-reporter.ts, which names the file to write to. Runs in the process or thread of
// the test file.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { afterAll, expect } from 'vitest';
import { isLong } from '../../../packages/test-support/run/is-long.ts';
import { costsVariable, type MeasuredFile } from './costs.ts';

const target = process.env[costsVariable];
/** Files of one thread follow each other: what it took until the last one ended. */
const state = globalThis as { processorSecondsBefore?: number };

if (target !== undefined) {
  const began = performance.now();
  afterAll(() => {
    const processor = processorSeconds();
    const measured: MeasuredFile = {
      path: expect.getState().testPath!,
      wall: (performance.now() - began) / 1000,
      processor: processor - (state.processorSecondsBefore ?? 0),
    };
    state.processorSecondsBefore = processor;
    // A file of two sizes is one name: what it costs is that of `npm test`.
    if (isLong && measured.path.endsWith('.sized.test.ts')) return;
    appendFileSync(target, `${JSON.stringify(measured)}\n`);
  });
}

/** Without PostgreSQL, which all files share. */
function processorSeconds(): number {
  const { user, system } = isMainThread ? process.cpuUsage() : process.threadCpuUsage();
  return (user + system) / 1e6 + (isMainThread ? childrenSeconds() : 0);
}

/** Of children that have ended. Linux only. */
function childrenSeconds(): number {
  if (process.platform !== 'linux') return 0;
  // proc_pid_stat(5): fields 16 and 17, in hundredths of a second. The name, field 2, may hold anything but ends with a
  // bracket.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
