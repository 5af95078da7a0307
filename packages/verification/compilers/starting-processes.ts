// Processes of checks from their start to their first word. A start takes half a second of a processor, which on a
// crowded machine can be minutes: it is no time of the check. A check that has waited long enough is refused, and the
// process goes on starting, for the next check of the same kind.
import { once } from 'node:events';
import { explainEnd, type ProcessLimits, processFailures } from './process-failures.ts';
import type { CheckProcess } from './start-check-process.ts';

/** A process that has said its first word, and what it wrote to its error output so far. */
export type StartedProcess = CheckProcess & { errorOutput(): string };

export type StartingProcesses = {
  /**
   * Throws a VerificationError: it ended, or has not started in time. Throws the reason of the signal, which ends it.
   */
  take(kind: string, limits: ProcessLimits, start: () => CheckProcess, signal: AbortSignal): Promise<StartedProcess>;
};

export type StartTimes = {
  /** How long a check waits for its process. */
  startWithinMs: number;
  /** How long a process waits for a check, from when the last one gave it up. */
  keptMs: number;
};

const usualStartTimes: StartTimes = { startWithinMs: 120_000, keptMs: 300_000 };

/** Of those that are kept: each takes some 50 MB. */
const maxKept = 4;

type Starting = StartedProcess & { hasSpoken: Promise<unknown> };
type Kept = { kind: string; starting: Starting; forget(): void };

export function createStartingProcesses({ startWithinMs, keptMs }: StartTimes = usualStartTimes): StartingProcesses {
  const kept = new Set<Kept>();

  function takeKept(kind: string): Starting | null {
    const one = [...kept].find((each) => each.kind === kind);
    one?.forget();
    return one?.starting ?? null;
  }

  function keep(kind: string, starting: Starting, signal: AbortSignal): void {
    const { child } = starting;
    const end = (): void => {
      child.kill('SIGKILL');
    };
    if (kept.size >= maxKept) end();
    if (child.killed) return;
    const timer = setTimeout(end, keptMs).unref();
    const one: Kept = {
      kind,
      starting,
      forget() {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        kept.delete(one);
      },
    };
    signal.addEventListener('abort', end);
    child.once('close', one.forget);
    kept.add(one);
  }

  return {
    async take(kind, limits, start, signal) {
      const starting = takeKept(kind) ?? begin(start(), limits);
      const { child } = starting;
      const abort = (): void => {
        child.kill('SIGKILL');
      };
      signal.addEventListener('abort', abort);
      const late = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => late.resolve('late'), startWithinMs);
      try {
        if ((await Promise.race([starting.hasSpoken, late.promise])) !== 'late') return starting;
        keep(kind, starting, signal);
        throw processFailures.starting(startWithinMs);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

function begin(started: CheckProcess, limits: ProcessLimits): Starting {
  const { child } = started;
  let errorOutput = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-2000);
  });
  const failure = Promise.withResolvers<never>();
  child.once('error', ({ message }) =>
    failure.reject(processFailures.crashed(`The process of the check could not be started: ${message}.`)),
  );
  child.once('close', (code, signal) => failure.reject(explainEnd(code, signal, errorOutput, limits)));
  // Nothing foreign runs in it yet.
  const hasSpoken = Promise.race([once(child, 'message'), failure.promise]);
  // The caller that takes it gets the error.
  hasSpoken.catch(() => {});
  failure.promise.catch(() => {});
  return { ...started, errorOutput: () => errorOutput, hasSpoken };
}
