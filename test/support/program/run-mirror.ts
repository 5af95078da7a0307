// The program as users run it: a child process, its output, and a way to end it.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memoryEnvironment, memoryFlags, type ProcessKind } from '../../../packages/kit/process/memory-flags.ts';
import { endWithThisProcess } from '../../../packages/postgres/embedded/end-with-this-process.ts';

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

export type RunningMirror = {
  child: ChildProcess;
  /** Both streams in order of arrival, standard output first within a chunk. */
  output(): string;
  /** Resolves with the exit code, or null when a signal ended it. */
  ended: Promise<number | null>;
  /** Waits until the output matches; rejects with the output when the process ends or time is up. */
  says(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
};

export type RunMirrorOptions = Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'detached'> & {
  env?: Record<string, string>;
  /** Runs this script in place of src/cli/main.ts. */
  script?: string;
  /** With the memory that the launcher gives a process of this kind. */
  memory?: ProcessKind;
};

export function runMirror(
  args: string[],
  { env = {}, script = main, memory, ...options }: RunMirrorOptions = {},
): RunningMirror {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(DATABASE_URL|LEDGER_MIRROR_.*|NODE_OPTIONS|VITEST.*)$/.test(name),
  );
  const flags = memory === undefined ? [] : memoryFlags(memory);
  const child = spawn(process.execPath, [...flags, script, ...args], {
    ...options,
    env: {
      ...Object.fromEntries(inherited),
      // The status service of a killed mirror ends too, except in tests about that.
      LEDGER_MIRROR_STATUS_OUTLIVE: '0',
      ...(memory !== undefined && memoryEnvironment),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) endWithThisProcess(child, 'TERM', { uid: options.uid, gid: options.gid });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // `close` rather than `exit`: by then all output has been read.
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let over = false;
  void ended.then(() => {
    over = true;
  });
  return {
    child,
    output: () => output,
    ended,
    async says(pattern, timeoutMs = 240_000) {
      for (const until = Date.now() + timeoutMs; ; await sleep(10)) {
        const match = pattern.exec(output);
        if (match) return match;
        if (over) throw new Error(`The process ended without saying ${pattern}. It said:\n${output}`);
        if (Date.now() > until)
          throw new Error(`Nothing in ${timeoutMs} ms that matches ${pattern}. It said:\n${output}`);
      }
    },
  };
}
