// What version each compiler file has, as it says itself. That it is no compiler is remembered while the file does not
// change. That it could not be asked, because its process was slow or failed, says nothing of the file: it is asked
// again, after a while.
import { type BackOff, createBackOff } from '../../kit/back-off.ts';
import { createInFlight } from '../../kit/share-in-flight.ts';
import type { CompilerFile } from './compiler-files.ts';
import { type CompilerVersion, parseCompilerVersion } from './compiler-version.ts';
import type { ProcessLimits } from './process-failures.ts';
import type { RunCheck } from './run-check-process.ts';

/** null = it is no compiler. */
export type Identified = CompilerVersion | null | NotAsked;

/** It could not be asked, and is not asked again before that time. */
export type NotAsked = { problem: string; againInMs: number };

export type CompilerIdentities = {
  /** Starts a process where nothing is known. Throws the reason of the signal. */
  identify(file: CompilerFile): Promise<Identified>;
  /** undefined = nothing is known. */
  known(file: CompilerFile): CompilerVersion | null | undefined;
};

export type IdentitiesOptions = {
  runCheck: RunCheck;
  /** For the operator: which file, and why. */
  warn: (line: string) => void;
  /** Ends running processes. */
  signal: AbortSignal;
  /** ms until a file that could not be asked is asked again: at first, and at most. */
  retryMs?: { first: number; max: number };
};

const usualRetryMs = { first: 10_000, max: 3_600_000 };
/** For asking a compiler for its version. */
const identifyLimits: ProcessLimits = { cpuMs: 60_000, memoryBytes: 1_073_741_824 };

export function isNotAsked(identified: Identified): identified is NotAsked {
  return identified !== null && 'problem' in identified;
}

export function createCompilerIdentities(options: IdentitiesOptions): CompilerIdentities {
  const { runCheck, warn, signal, retryMs = usualRetryMs } = options;
  /** By path and stamp. */
  const versions = new Map<string, CompilerVersion | null>();
  const failures = new Map<string, { problem: string; againAt: number; delays: BackOff }>();
  const asking = createInFlight<Identified>();
  const keyOf = ({ path, stamp }: CompilerFile): string => `${stamp} ${path}`;

  async function ask(file: CompilerFile): Promise<Identified> {
    const key = keyOf(file);
    const failure = failures.get(key);
    const againInMs = failure ? failure.againAt - performance.now() : 0;
    if (failure && againInMs > 0) return { problem: failure.problem, againInMs };
    const answer = await runCheck({ kind: 'identify', compilerPath: file.path }, identifyLimits, signal).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        return { kind: 'refused', message: error instanceof Error ? error.message : String(error) } as const;
      },
    );
    if (answer.kind === 'identified' || answer.kind === 'notCompiler') {
      failures.delete(key);
      const version = answer.kind === 'identified' ? parseCompilerVersion(answer.version) : null;
      const said =
        answer.kind === 'identified' ? `It reports the version ${answer.version.slice(0, 80)}.` : answer.message;
      if (version === null) warn(`${file.path} is not a usable Solidity compiler. ${said}`);
      versions.set(key, version);
      return version;
    }
    const problem = answer.kind === 'refused' ? answer.message : 'The process gave another answer.';
    return noteFailure(file, problem);
  }

  function noteFailure(file: CompilerFile, problem: string): NotAsked {
    const delays = failures.get(keyOf(file))?.delays ?? createBackOff(retryMs.first, retryMs.max);
    const againInMs = delays.next();
    failures.set(keyOf(file), { problem, againAt: performance.now() + againInMs, delays });
    const seconds = Math.ceil(againInMs / 1000);
    warn(`The compiler ${file.path} could not be asked for its version; it is asked again in ${seconds} s. ${problem}`);
    return { problem, againInMs };
  }

  return {
    known: (file) => versions.get(keyOf(file)),
    async identify(file) {
      const known = versions.get(keyOf(file));
      return known !== undefined ? known : asking.share(keyOf(file), () => ask(file));
    },
  };
}
