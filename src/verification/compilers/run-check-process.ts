// One process for one check: it compiles and compares, and is killed if it takes too much processor time or memory. It may
// read program files only (Node's permission model), write nothing, and has no environment; before the compiler begins it
// can no longer open sockets (check-isolation.ts). The kernel limits its processor time even if the service was killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IdleProcessors, watchIdleProcessors } from '../../kit/idle-processors.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { CheckIsolation } from './check-isolation.ts';
import type { CheckAnswer, CheckEnvelope, CheckReply, CheckRequest } from './check-protocol.ts';
import { haltWhileBusy } from './halt-while-busy.ts';

export type ProcessLimits = {
  /** Processor time of a whole check: all its compiles and the comparison, whatever else the machine does meanwhile. */
  cpuMs: number;
  /** Resident memory of the process. */
  memoryBytes: number;
};

/**
 * Throws a VerificationError: `compiler_limit` if a limit was reached, `compiler_crashed` if it ended unexpectedly. `signal`
 * ends it with the signal's reason.
 */
export type RunCheck = (request: CheckRequest, limits: ProcessLimits, signal: AbortSignal) => Promise<CheckAnswer>;

/** For a check that gets almost no processor time, or hangs. */
const maxWallMs = ({ cpuMs }: ProcessLimits): number => Math.max(600_000, cpuMs * 10);

/** `isBusy`: whether the service is so busy that checks are stopped. */
export function createRunCheck(
  isolation: CheckIsolation,
  isBusy: () => boolean = () => false,
  watchIdle: () => IdleProcessors = watchIdleProcessors,
): RunCheck {
  let running = 0;
  return async (request, limits, signal) => {
    signal.throwIfAborted();
    const secret = randomBytes(32).toString('hex');
    const compilerPath = 'compilerPath' in request ? request.compilerPath : null;
    const user = isolation.user([
      ...programFolders(),
      entry,
      ...(compilerPath ? [compilerPath] : []),
      process.execPath,
    ]);
    const launcher = isolation.endsWithService();
    const child = start(compilerPath, limits, { user, launcher });
    const { pid } = child;
    running += 1;
    const idle = watchIdle();
    const halting = haltWhileBusy({
      send: (stopOrGoOn) => void child.kill(stopOrGoOn),
      isBusy,
      idleProcessors: idle.count,
      checks: () => running,
    });
    let errorOutput = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-2000);
    });

    let niceness = isBusy() ? busyNiceness : usualNiceness;
    let answer: CheckAnswer | null = null;
    let reason: Error | null = null;
    const end = (error: Error | null) => {
      reason ??= error;
      child.kill('SIGKILL');
    };
    const abort = () => end(signal.reason as Error);
    signal.addEventListener('abort', abort);
    const timer = setTimeout(() => end(tooLate(limits)), maxWallMs(limits));
    const watch = setInterval(async () => {
      if (launcher !== null && answer === null) halting.look();
      const bytes = pid === undefined ? 0 : await residentBytes(pid);
      if (bytes > limits.memoryBytes && answer === null) end(tooLarge(limits));
      if (niceness === busyNiceness || !isBusy()) return;
      niceness = busyNiceness;
      lowerPriority(pid, niceness);
    }, 100);

    try {
      return await new Promise<CheckAnswer>((resolve, reject) => {
        child.on('error', (error) => {
          reject(crashed(`The compiler could not be started: ${error.message}.`));
        });
        child.on('message', async (reply: CheckReply) => {
          if (reply?.secret !== secret) return end(crashed('The compiler tried to send the answer of the check.'));
          if (reply.message.kind !== 'ready') {
            answer = reply.message;
            return end(null);
          }
          await isolation.closeDoors(pid!, user);
          send(child, 'begin');
        });
        child.on('close', (code, endSignal) => {
          if (answer !== null) resolve(answer);
          else reject(reason ?? explainEnd(code, endSignal, errorOutput, limits));
        });
        send(child, { secret, request } satisfies CheckEnvelope);
        lowerPriority(pid, niceness);
      });
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      halting.end();
      idle.close();
      running -= 1;
      signal.removeEventListener('abort', abort);
    }
  };
}

function send(child: ChildProcess, message: CheckEnvelope | 'begin'): void {
  child.send(message, (error) => {
    // A process that ends before it has read its request reports the reason when it closes.
    if (error && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
}

type Start = { user: number | null; launcher: string | null };

function start(compilerPath: string | null, limits: ProcessLimits, { user, launcher }: Start): ChildProcess {
  const [command, args] = commandLine(compilerPath, limits, launcher);
  return spawn(command, args, {
    cwd: sourceFolder,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
    ...(user === null ? {} : { uid: user, gid: user }),
    // A separate session, because Linux divides the processors among sessions before it considers priorities.
    detached: process.platform === 'linux',
  });
}

const sourceFolder = fileURLToPath(new URL('..', import.meta.url));
const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const entry = fileURLToPath(new URL(`../check-process${ownExtension}`, import.meta.url));

function commandLine(compilerPath: string | null, limits: ProcessLimits, launcher: string | null): [string, string[]] {
  const heapMegabytes = Math.max(64, Math.floor(limits.memoryBytes / 1_048_576));
  const readable = [
    ...programFolders().map((path) => join(path, '*')),
    packageFile,
    ...(compilerPath ? [compilerPath] : []),
  ];
  const node = [
    '--permission',
    // The compiler's thread.
    '--allow-worker',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heapMegabytes}`,
    // Deep expressions and the optimizer of large contracts need more than V8's 1 MB; systems give 8 MB.
    ...(process.platform === 'win32' ? [] : ['--stack-size=3900']),
    // V8's helper threads are as busy as the compiler during a usual check (1.20 → 1.06 s of processor time).
    '--single-threaded',
    '--no-warnings',
    entry,
  ];
  if (process.platform === 'win32') return [process.execPath, node];
  // Whole seconds. A process that does not end at the soft limit is killed at the hard one.
  const seconds = Math.ceil(limits.cpuMs / 1000);
  const script = `ulimit -S -t ${seconds}; ulimit -H -t ${seconds + 1}; ulimit -c 0; ulimit -f 0; exec ${launcher ?? ''} "$0" "$@"`;
  return ['/bin/sh', ['-c', script, process.execPath, ...node]];
}

const packageFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const packageFile = join(dirname(packageFolder), 'package.json');

/** The service's own sources and the packages; not its data. */
function programFolders(): string[] {
  const modules = (createRequire(import.meta.url).resolve.paths('solc') ?? []).filter((path) => existsSync(path));
  // Also the targets of links.
  const folders = [...modules, packageFolder].flatMap((path) => [path, realpathSync(path)]);
  return [...new Set(folders)];
}

function explainEnd(
  code: number | null,
  signal: NodeJS.Signals | null,
  errorOutput: string,
  limits: ProcessLimits,
): VerificationError {
  if (/heap out of memory|Cannot enlarge memory|Out of memory/i.test(errorOutput)) return tooLarge(limits);
  if (signal === 'SIGXCPU') return tooSlow(limits);
  const how = signal === null ? `exit code ${code}` : signal;
  const said = errorOutput.trim().split('\n').at(-1) ?? '';
  return crashed(`The compiler ended with ${how} and no answer. It said: "${said}".`);
}

function tooSlow({ cpuMs }: ProcessLimits): VerificationError {
  return exceeded(`${Math.ceil(cpuMs / 1000)} seconds of processor time`, 'verify-compile-seconds');
}

function tooLarge({ memoryBytes }: ProcessLimits): VerificationError {
  return exceeded(`${Math.round(memoryBytes / 1_000_000)} MB of memory`, 'verify-compile-memory');
}

function exceeded(limit: string, setting: string): VerificationError {
  const message = `Compiling took more than ${limit} and was stopped. The operator can allow more (${setting}).`;
  return new VerificationError('compiler_limit', message);
}

function tooLate(limits: ProcessLimits): VerificationError {
  const seconds = Math.ceil(maxWallMs(limits) / 1000);
  const message = `Compiling was not done after ${seconds} seconds and was stopped: the machine is too busy. Try again later.`;
  return new VerificationError('compiler_limit', message);
}

function crashed(message: string): VerificationError {
  return new VerificationError('compiler_crashed', message);
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
