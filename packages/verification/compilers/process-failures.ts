// How a check's process may end without an answer, as it is reported to clients and operators.
import { VerificationError } from '../terms/verification-error.ts';

export type ProcessLimits = {
  /** Processor time of a whole check: all its compiles and the comparison, whatever else the machine does meanwhile. */
  cpuMs: number;
  /** Resident memory of the process. */
  memoryBytes: number;
};

export const processFailures = {
  tooSlow: ({ cpuMs }: ProcessLimits) =>
    exceeded(`${Math.ceil(cpuMs / 1000)} seconds of processor time`, 'verify-compile-seconds'),
  tooLarge: ({ memoryBytes }: ProcessLimits) =>
    exceeded(`${Math.round(memoryBytes / 1_000_000)} MB of memory`, 'verify-compile-memory'),
  tooLate: (ms: number) =>
    limitError(`was not done after ${Math.ceil(ms / 1000)} seconds and was stopped: the machine is too busy`),
  crashed: (message: string) => new VerificationError('compiler_crashed', message),
  /** It goes on starting, for the next check. */
  starting(ms: number) {
    const message = `The process of the check has not started after ${Math.ceil(ms / 1000)} seconds: the machine is too busy. Try again in ${startRetrySeconds} seconds.`;
    return new VerificationError('compiler_not_available', message, { retryAfterSeconds: startRetrySeconds });
  },
};

const startRetrySeconds = 30;

function exceeded(limit: string, setting: string): VerificationError {
  const message = `Compiling took more than ${limit} and was stopped. The operator can allow more (${setting}).`;
  return new VerificationError('compiler_limit', message);
}

function limitError(how: string): VerificationError {
  return new VerificationError('compiler_limit', `Compiling ${how}. Try again later.`);
}

export function explainEnd(
  code: number | null,
  signal: NodeJS.Signals | null,
  errorOutput: string,
  limits: ProcessLimits,
): VerificationError {
  if (/heap out of memory|Cannot enlarge memory|Out of memory/i.test(errorOutput)) {
    return processFailures.tooLarge(limits);
  }
  if (signal === 'SIGXCPU') return processFailures.tooSlow(limits);
  const how = signal === null ? `exit code ${code}` : signal;
  const said = errorOutput.trim().split('\n').at(-1) ?? '';
  return processFailures.crashed(`The compiler ended with ${how} and no answer. It said: "${said}".`);
}
