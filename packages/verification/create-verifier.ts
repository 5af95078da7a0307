// The check itself: a claim is validated here, waits in one bounded queue, and is compiled and compared in a separate
// process. Clients and the origin of claims are unknown here.
import { answerWithoutSources } from './answer-without-sources.ts';
import { assertClaim } from './assert-claim.ts';
import { createCheckIsolation } from './compilers/check-isolation.ts';
import type { ComparedSides, ContractToCompare, StoredCompilation } from './compilers/check-protocol.ts';
import { createCompilerCatalogue } from './compilers/compiler-catalogue.ts';
import { type CompilerVersion, formatCompilerVersion, parseCompilerVersion } from './compilers/compiler-version.ts';
import { createDownload, type DownloadOptions } from './compilers/create-download.ts';
import { createJobQueue, type QueueLoad, type RefusedBy } from './compilers/job-queue.ts';
import { createRunCheck, type RunCheck } from './compilers/run-check-process.ts';
import { toHex } from './terms/hex.ts';
import type { OnchainContract } from './terms/onchain-contract.ts';
import type { SourceClaim } from './terms/source-claim.ts';
import { VerificationError } from './terms/verification-error.ts';
import type { VerificationOutcome } from './terms/verification-outcome.ts';

export type Verifier = {
  /**
   * Throws a VerificationError if no check could be made. `client`: whose share of the queue it takes; absent = the
   * service's own check. `signal`: ends its waiting with its reason.
   */
  verify(
    onchain: OnchainContract,
    claim: SourceClaim,
    client?: string,
    signal?: AbortSignal,
  ): Promise<VerificationOutcome>;
  /**
   * Compares contracts with what was compiled before. In the order of the contracts; null = no match. Throws a
   * VerificationError if no comparison could be made.
   */
  compare(compilation: StoredCompilation, contracts: ContractToCompare[]): Promise<(ComparedSides | null)[]>;
  /**
   * Throws the VerificationError (400) of a claim that no compiler should see, and that of an unavailable compiler
   * (503).
   */
  assertClaim(claim: SourceClaim): Promise<void>;
  /** The answer for addresses that need no source code (nothing there, tokens, system contracts), else null. */
  answerWithoutSources(onchain: OnchainContract): VerificationOutcome | null;
  /** Long versions of the available compilers, e.g. `0.8.19+commit.7dd6d404`. */
  listCompilers(): Promise<string[]>;
  load(): QueueLoad;
  /** Ends running checks and refuses waiting ones (`too_many_jobs`). */
  close(): Promise<void>;
};

export type VerifierOptions = {
  compilers: DownloadOptions & {
    /** Compilers in addition to the installed packages; downloads go here. null = none. */
    folder: string | null;
  };
  limits: {
    /** Processor time of one check, including all its compiles. */
    compileMs: number;
    /** Memory of the process of one check. */
    memoryBytes: number;
    /** Concurrent checks, and one more of a client that runs none and has run none lately. */
    concurrent: number;
    /** Checks that may wait. */
    queue: number;
    /** Running and waiting checks of one client; default: as many as may wait. */
    perClient?: number;
    /** Sources and settings of one claim. */
    inputBytes: number;
  };
  /** Whether the service is so busy that checks are stopped. */
  isBusy?: () => boolean;
  /** Called for each check that the queue refuses. */
  onRefused?: (limit: RefusedBy) => void;
  /** For the operator. `warn`: what he should know of compilers; default: as the others. */
  log: (line: string) => void;
  warn?: (line: string) => void;
  /** Of the processes of checks while the service has time; default 10. */
  niceness?: number;
  /** Default: each check has a process of its own. Others are for tests. */
  runCheck?: RunCheck;
};

/** This many claims of the largest size may wait; more of the usual ones, of 100 KB. */
const maxLargestWaiting = 10;
const maxLargestPerClient = 2;
/** A check may take minutes of a processor: another client's need not wait for it. */
const keptForLight = 1;

export function createVerifier(options: VerifierOptions): Verifier {
  const { compilers, limits, isBusy, niceness, onRefused, log, warn = log } = options;
  const processLimits = { cpuMs: limits.compileMs, memoryBytes: limits.memoryBytes };
  const closing = new AbortController();
  const { signal } = closing;
  const download = createDownload(compilers, log);
  const runCheck =
    options.runCheck ?? createRunCheck(createCheckIsolation(log), { ...(isBusy && { isBusy }), niceness });
  const catalogue = createCompilerCatalogue({ folder: compilers.folder, download, runCheck, warn, signal });
  const queue = createJobQueue({
    concurrent: limits.concurrent,
    kept: keptForLight,
    waiting: limits.queue,
    waitingBytes: maxLargestWaiting * limits.inputBytes,
    perClient: {
      jobs: limits.perClient ?? limits.queue + limits.concurrent,
      waitingBytes: maxLargestPerClient * limits.inputBytes,
    },
    usualMs: 5000,
    ...(onRefused && { onRefused }),
  });

  /** Checks a claim before it waits: one that no compiler will accept gets no place. */
  async function lookOver(claim: SourceClaim) {
    const looked = assertClaim(claim, limits);
    const { language, compilerVersion } = looked.claim;
    if (language === 'Vyper') throw noVyper(compilerVersion);
    const wanted = readCompilerVersion(compilerVersion);
    await catalogue.assertObtainable(wanted);
    return { ...looked, wanted };
  }

  async function check(onchain: OnchainContract, claim: SourceClaim, wanted: CompilerVersion) {
    const compiler = await catalogue.find(wanted);
    const subject = onchain.implementation ?? onchain;
    const answer = await runCheck(
      {
        kind: 'check',
        compilerPath: compiler.path,
        compilerVersion: formatCompilerVersion(compiler.version),
        language: claim.language === 'Yul' ? 'Yul' : 'Solidity',
        input: claim.input,
        target: claim.target,
        libraries: claim.libraries ?? [],
        runtimeCode: subject.runtimeCode?.length ? toHex(subject.runtimeCode) : null,
        creationCodes: subject.creationCodes.filter((code) => code.length > 0).map(toHex),
        addresses: [subject.address, ...subject.otherAddresses],
      },
      processLimits,
      signal,
    );
    if (answer.kind === 'refused')
      throw new VerificationError(answer.code, answer.message, { details: answer.details });
    // It was one when it was found.
    if (answer.kind === 'notCompiler') throw new VerificationError('compiler_crashed', answer.message);
    if (answer.kind !== 'checked') throw new VerificationError('compiler_crashed', 'The check gave no outcome.');
    return withCircumstances(answer.outcome, onchain);
  }

  return {
    answerWithoutSources,
    assertClaim: async (claim) => void (await lookOver(claim)),
    load: queue.load,
    async verify(onchain, claim, client, waiting) {
      const answer = answerWithoutSources(onchain);
      if (answer !== null) return answer;
      const { claim: looked, sizeBytes, wanted } = await lookOver(claim);
      return queue.run(() => check(onchain, looked, wanted), { client, sizeBytes, signal: waiting });
    },
    compare: (compilation, contracts) =>
      queue.run(async () => {
        const answer = await runCheck({ kind: 'compare', compilation, contracts }, processLimits, signal);
        if (answer.kind === 'refused') throw new VerificationError(answer.code, answer.message);
        if (answer.kind !== 'compared')
          throw new VerificationError('compiler_crashed', 'The comparison has no outcome.');
        return answer.matches;
      }, {}),
    listCompilers: async () => (await catalogue.list()).map(formatCompilerVersion),
    async close() {
      const reason = new VerificationError('too_many_jobs', 'The service is shutting down.', { retryAfterSeconds: 5 });
      closing.abort(reason);
      await queue.close(reason);
    },
  };
}

/** Adds facts about the address: a proxy, deleted. */
function withCircumstances(outcome: Omit<VerificationOutcome, 'proxy'>, onchain: OnchainContract): VerificationOutcome {
  const after = onchain.deleted ? ' The contract has been deleted since.' : '';
  if (!onchain.implementation) return { ...outcome, message: `${outcome.message}${after}`, proxy: null };
  const implementation = onchain.implementation.address;
  const before = `${onchain.address} is a minimal proxy (EIP-1167) of ${implementation}; the code of that was compared.`;
  return { ...outcome, message: `${before} ${outcome.message}${after}`, proxy: { kind: 'eip1167', implementation } };
}

function readCompilerVersion(text: string): CompilerVersion {
  const version = parseCompilerVersion(text);
  if (version !== null) return version;
  const shown = JSON.stringify(text.slice(0, 80));
  const message = `${shown} is no compiler version: wanted is one like v0.8.19+commit.7dd6d404.`;
  throw new VerificationError('invalid_compiler_version', message);
}

function noVyper(version: string): VerificationError {
  const missing = version.slice(0, 80);
  const message = `The Vyper compiler ${missing} is not available here: only Solidity and Yul can be compiled.`;
  return new VerificationError('compiler_not_available', message, { details: { missing, available: [] } });
}
