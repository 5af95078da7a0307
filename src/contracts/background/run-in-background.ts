// Work over a whole ledger in the background: in one of the processes on a database, while that has nothing better to
// do. It ends with its lease, and begins again where it was.

import { createBackOff } from '../../../packages/kit/back-off.ts';
import { pause } from '../../../packages/kit/pause.ts';
import type { Lease } from '../../../packages/postgres/wire/take-lease.ts';

export type RunningWork = {
  /** Waits for the step that is running. */
  close(): Promise<void>;
};

type Options = {
  /** For the log: `the search for sources of contracts`. */
  what: string;
  /** null = another process has it. */
  takeLease(): Promise<Lease | null>;
  /** null = there was nothing to do. */
  step(): Promise<unknown>;
  /** Whether this process has better things to do. */
  isBusy(): boolean;
  /** Changes with each block. */
  turn(): number;
  /** After each step that did something, and when the lease is taken. */
  onProgress(): Promise<void>;
  log(sentence: string, error: Error): void;
  pauses?: Partial<Pauses>;
};

type Pauses = {
  /** Between two steps, ms: the database and this thread serve others meanwhile. */
  stepMs: number;
  /** Between looks at whether there is a block, or time. */
  lookMs: number;
  /** At most between steps, if blocks are not known. */
  idleMs: number;
  /** How long it gives way at most: then one step is made, so that a process that is always busy gets on, too. */
  busyMs: number;
  /** Between attempts to take the lease. */
  leaseMs: number;
};

export function runInBackground({ pauses, ...options }: Options): RunningWork {
  const { what, takeLease, step, isBusy, turn, onProgress, log } = options;
  const { stepMs, lookMs, idleMs, busyMs, leaseMs } = {
    stepMs: 100,
    lookMs: 1_000,
    idleMs: 10_000,
    busyMs: 30_000,
    leaseMs: 30_000,
    ...pauses,
  };
  const closing = new AbortController();
  const { signal } = closing;
  const delays = createBackOff(1_000, 60_000);

  async function work(lease: Lease): Promise<void> {
    await onProgress();
    let steppedMs = performance.now();
    while (!signal.aborted && lease.isHeld()) {
      if (isBusy() && performance.now() - steppedMs < busyMs) {
        await pause(lookMs, signal);
        continue;
      }
      const seen = turn();
      const done = await step();
      steppedMs = performance.now();
      delays.reset();
      if (done === null) await nextBlock(seen);
      else {
        await onProgress();
        await pause(stepMs, signal);
      }
    }
  }

  async function nextBlock(seen: number): Promise<void> {
    const until = performance.now() + idleMs;
    do await pause(Math.min(lookMs, idleMs), signal);
    while (!signal.aborted && turn() === seen && performance.now() < until);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const lease = await takeLease();
        if (lease === null) {
          await pause(leaseMs, signal);
          continue;
        }
        try {
          await work(lease);
        } finally {
          await lease.release();
        }
      } catch (error) {
        if (signal.aborted) return;
        log(`${what} was interrupted`, error as Error);
        await pause(delays.next(), signal);
      }
    }
  }

  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
