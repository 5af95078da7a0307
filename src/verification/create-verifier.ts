// The verifier: claims are looked over here, wait in one bounded queue, and are compiled and compared in a process of
// their own. This process only ever sees requests and answers.
import { answerWithoutSources } from './answer-without-sources.ts';
import { assertClaim } from './assert-claim.ts';
import { createCheckIsolation } from './compilers/check-isolation.ts';
import { createCompilerCatalogue } from './compilers/compiler-catalogue.ts';
import { type CompilerVersion, formatCompilerVersion, parseCompilerVersion } from './compilers/compiler-version.ts';
import { createDownload, type DownloadOptions } from './compilers/create-download.ts';
import { createJobQueue, type RefusedBy } from './compilers/job-queue.ts';
import { createRunCheck } from './compilers/run-check-process.ts';
import type { OnchainContract } from './onchain-contract.ts';
import type { SourceClaim } from './source-claim.ts';
import { VerificationError } from './verification-error.ts';
import type { VerificationOutcome } from './verification-outcome.ts';
import type { Verifier } from './verifier.ts';

export type VerifierOptions = {
  compilers: DownloadOptions & {
    /** Compilers in addition to the installed packages; downloads go here. null = none. */
    folder: string | null;
  };
  limits: {
    /** Processor time of one check, all its compiles included. */
    compileMs: number;
    /** Memory of the process of one check. */
    memoryBytes: number;
    /** Checks at a time. */
    concurrent: number;
    /** Checks that may wait. */
    queue: number;
    /** Checks of one client that run or wait; as many as may wait where it is left out. */
    perClient?: number;
    /** Sources and settings of one claim. */
    inputBytes: number;
  };
  /** Whether the service has so much to answer that checks give way altogether. */
  isBusy?: () => boolean;
  /** Called for each check that the queue refuses. */
  onRefused?: (limit: RefusedBy) => void;
  /** For the operator. */
  log: (line: string) => void;
};

/** So many claims of the largest size may wait; more of the usual ones, of 100 KB. */
const maxLargestWaiting = 10;
/** And so many of one client. */
const maxLargestPerClient = 2;

export function createVerifier({ compilers, limits, isBusy, onRefused, log }: VerifierOptions): Verifier {
  const processLimits = { cpuMs: limits.compileMs, memoryBytes: limits.memoryBytes };
  const closing = new AbortController();
  const { signal } = closing;
  const download = createDownload(compilers, log);
  const runCheck = createRunCheck(createCheckIsolation(log), isBusy);
  const catalogue = createCompilerCatalogue({ folder: compilers.folder, download, runCheck, log, signal });
  const queue = createJobQueue({
    concurrent: limits.concurrent,
    waiting: limits.queue,
    waitingBytes: maxLargestWaiting * limits.inputBytes,
    perClient: {
      jobs: limits.perClient ?? limits.queue + limits.concurrent,
      waitingBytes: maxLargestPerClient * limits.inputBytes,
    },
    usualMs: 5000,
    ...(onRefused && { onRefused }),
  });

  /** What can be said of a claim before it waits: nothing that no compiler will take takes a place. */
  async function lookOver(claim: SourceClaim) {
    const looked = assertClaim(claim, limits);
    const { language, compilerVersion } = looked.claim;
    if (language === 'Vyper') throw noVyper(compilerVersion);
    const wanted = readCompilerVersion(compilerVersion);
    await catalogue.assertObtainable(wanted);
    return { ...looked, wanted };
  }

  async function check(
    onchain: OnchainContract,
    claim: SourceClaim,
    wanted: CompilerVersion,
  ): Promise<VerificationOutcome> {
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
    if (answer.kind !== 'checked') throw new VerificationError('compiler_crashed', 'The check gave no outcome.');
    return withCircumstances(answer.outcome, onchain);
  }

  return {
    answerWithoutSources,
    assertClaim: async (claim) => void (await lookOver(claim)),
    load: queue.load,
    async verify(onchain, claim, client) {
      const answer = answerWithoutSources(onchain);
      if (answer !== null) return answer;
      const { claim: looked, sizeBytes, wanted } = await lookOver(claim);
      return queue.run(() => check(onchain, looked, wanted), { client, sizeBytes });
    },
    listCompilers: async () => (await catalogue.list()).map(formatCompilerVersion),
    async close() {
      const reason = new VerificationError('too_many_jobs', 'The service is shutting down.', { retryAfterSeconds: 5 });
      closing.abort(reason);
      await queue.close(reason);
    },
  };
}

/** Says what an address is besides its code: a proxy, deleted. */
function withCircumstances(outcome: Omit<VerificationOutcome, 'proxy'>, onchain: OnchainContract): VerificationOutcome {
  const implementation = onchain.implementation?.address ?? null;
  const before =
    implementation === null
      ? ''
      : `${onchain.address} is a minimal proxy (EIP-1167) of ${implementation}; the code of that was compared. `;
  const after = onchain.deleted ? ' The contract has been deleted since.' : '';
  return {
    ...outcome,
    message: `${before}${outcome.message}${after}`,
    proxy: implementation === null ? null : { kind: 'eip1167', implementation },
  };
}

function readCompilerVersion(text: string): CompilerVersion {
  const version = parseCompilerVersion(text);
  if (version !== null) return version;
  const shown = JSON.stringify(text.slice(0, 80));
  throw new VerificationError(
    'invalid_compiler_version',
    `${shown} is no compiler version: wanted is one like v0.8.19+commit.7dd6d404.`,
  );
}

function noVyper(version: string): VerificationError {
  return new VerificationError(
    'compiler_not_available',
    `The Vyper compiler ${version.slice(0, 80)} is not available here: only Solidity and Yul can be compiled.`,
    { details: { missing: version.slice(0, 80), available: [] } },
  );
}

function toHex(code: Buffer): string {
  return `0x${code.toString('hex')}`;
}
