// One process for one check: it compiles and compares, and is killed if it takes too much processor time or memory.
// Before the compiler begins it can no longer open files and sockets (check-isolation.ts).
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { type IdleProcessors, watchIdleProcessors } from '../../kit/idle-processors.ts';
import type { CheckIsolation } from './check-isolation.ts';
import type { CheckAnswer, CheckEnvelope, CheckReply, CheckRequest } from './check-protocol.ts';
import { type Halting, haltWhileBusy } from './halt-while-busy.ts';
import { explainEnd, type ProcessLimits, processFailures } from './process-failures.ts';
import { startCheckProcess } from './start-check-process.ts';
import { createStartingProcesses, type StartedProcess, type StartTimes } from './starting-processes.ts';

/**
 * Throws a VerificationError: `compiler_limit` if a limit was reached, `compiler_crashed` if it ended unexpectedly,
 * `compiler_not_available` with a time if it has not started yet. `signal` ends it with the signal's reason.
 */
export type RunCheck = (request: CheckRequest, limits: ProcessLimits, signal: AbortSignal) => Promise<CheckAnswer>;

/**
 * From its first word on, without the time in which it was halted: for a check that gets almost no processor time, or
 * hangs.
 */
const maxWallMs = ({ cpuMs }: ProcessLimits): number => Math.max(600_000, cpuMs * 10);

export type RunCheckOptions = {
  /** Whether the service is so busy that checks are stopped. */
  isBusy?: () => boolean;
  watchIdle?: () => IdleProcessors;
  times?: StartTimes;
  /** Of a check while the service has time; default 10. */
  niceness?: number;
};

export function createRunCheck(isolation: CheckIsolation, options: RunCheckOptions = {}): RunCheck {
  const { isBusy = () => false, watchIdle = watchIdleProcessors, times, niceness = usualNiceness } = options;
  const starting = createStartingProcesses(times);
  let running = 0;

  return async (request, limits, signal) => {
    signal.throwIfAborted();
    const compilerPath = 'compilerPath' in request ? request.compilerPath : null;
    const start = () => {
      const started = startCheckProcess(isolation, compilerPath, limits);
      lowerPriority(started.child.pid, isBusy() ? busyNiceness : niceness);
      return started;
    };
    const kind = `${limits.cpuMs} ${limits.memoryBytes} ${compilerPath}`;
    const started = await starting.take(kind, limits, start, signal);
    running += 1;
    const idle = watchIdle();
    const halting = haltWhileBusy({
      send: (stopOrGoOn) => void started.child.kill(stopOrGoOn),
      isBusy,
      idleProcessors: idle.count,
      checks: () => running,
    });
    try {
      const answer = await ask(started, request, { isolation, limits, signal, halting, isBusy, niceness });
      return withoutHalts(answer, halting.haltedMs());
    } finally {
      halting.end();
      idle.close();
      running -= 1;
    }
  };
}

type Asking = {
  isolation: CheckIsolation;
  limits: ProcessLimits;
  signal: AbortSignal;
  halting: Halting;
  isBusy(): boolean;
  niceness: number;
};

async function ask({ child, user, ...started }: StartedProcess, request: CheckRequest, asking: Asking) {
  const { isolation, limits, signal, halting, isBusy } = asking;
  const secret = randomBytes(32).toString('hex');
  const { pid } = child;
  const beganMs = performance.now();
  let { niceness } = asking;
  let answer: CheckAnswer | null = null;
  let reason: Error | null = null;
  const end = (error: Error | null) => {
    reason ??= error;
    child.kill('SIGKILL');
  };
  const abort = () => end(signal.reason as Error);
  signal.addEventListener('abort', abort);
  const watch = setInterval(async () => {
    if (started.endsWithService && answer === null) halting.look();
    if (performance.now() - beganMs - halting.haltedMs() > maxWallMs(limits)) {
      end(processFailures.tooLate(maxWallMs(limits)));
    }
    const bytes = pid === undefined ? 0 : await residentBytes(pid);
    if (bytes > limits.memoryBytes && answer === null) end(processFailures.tooLarge(limits));
    if (niceness === busyNiceness || !isBusy()) return;
    niceness = busyNiceness;
    lowerPriority(pid, niceness);
  }, 100);

  try {
    return await new Promise<CheckAnswer>((resolve, reject) => {
      child.on('message', async (reply: CheckReply) => {
        if (reply?.secret !== secret) {
          return end(processFailures.crashed('The compiler tried to send the answer of the check.'));
        }
        if (reply.message.kind !== 'ready') {
          answer = reply.message;
          return end(null);
        }
        await isolation.closeDoors(pid!, user);
        send(child, 'begin');
      });
      child.on('close', (code, endSignal) => {
        if (answer !== null) resolve(answer);
        else reject(reason ?? explainEnd(code, endSignal, started.errorOutput(), limits));
      });
      // It may have ended between its first word and now.
      if (child.exitCode !== null || child.signalCode !== null || !child.connected) {
        reject(explainEnd(child.exitCode, child.signalCode, started.errorOutput(), limits));
      }
      send(child, { secret, request } satisfies CheckEnvelope);
      lowerPriority(pid, niceness);
    });
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', abort);
  }
}

/** Time in which the service had it halted is no time that compiling takes. */
function withoutHalts(answer: CheckAnswer, haltedMs: number): CheckAnswer {
  if (answer.kind !== 'checked' || !answer.outcome.compilation) return answer;
  const { outcome } = answer;
  const compilation = answer.outcome.compilation;
  const durationMs = Math.max(0, compilation.durationMs - haltedMs);
  return { ...answer, outcome: { ...outcome, compilation: { ...compilation, durationMs } } };
}

function send(child: ChildProcess, message: CheckEnvelope | 'begin'): void {
  child.send(message, (error) => {
    // A process that ends before it has read its request reports the reason when it closes.
    if (error && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
}

/** Linux only; elsewhere V8's heap limit is the limit. */
async function residentBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0; // It has just ended.
  }
}

/** A tenth of the time of other processes if all are busy: enough to finish. */
const usualNiceness = 10;
/** A seventieth. Not less: the limit of a check's wall time is ten times that of its processor time. */
const busyNiceness = 19;

/** Answering and importing have priority over every thread of the process and, on Linux, its session. */
function lowerPriority(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return;
  try {
    // On Linux a process id refers to its first thread only.
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, niceness);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // Only a courtesy; some systems do not allow it.
  }
}
