// Checks that start now and whose result is fetched later. A job is stored before it runs, so that any process knows
// how it ended; a job of a dead process has failed. Equal jobs in flight are one.
import { randomUUID } from 'node:crypto';
import { pause } from '../kit/pause.ts';
import { createClientPlaces, PlacesFull } from '../kit/shares/client-places.ts';
import type { Database } from '../postgres/wire/database.ts';
import { toContractCheck } from './archive/contract-check.ts';
import { hashClaim, type VerificationArchive } from './archive/verification-archive.ts';
import type { RefusedBy } from './compilers/job-queue.ts';
import type { Verifier } from './create-verifier.ts';
import { type Attempt, attemptClaim, attemptMetadata, attemptSimilar, readCode } from './job-attempts.ts';
import type { SolidityMetadata } from './metadata/solidity-metadata.ts';
import type { InputFile } from './metadata/sort-files.ts';
import { type Chain, type ChainRegistry, resolveContract } from './registry/chain-registry.ts';
import type { VerifiedContractRow } from './store/select-verified-contracts.ts';
import {
  finishVerificationJob,
  insertVerificationJob,
  selectVerificationJob,
  type VerificationJobRow,
} from './store/verification-jobs.ts';
import { fromHex } from './terms/hex.ts';
import type { OnchainContract, OnchainSource } from './terms/onchain-contract.ts';
import type { SourceClaim } from './terms/source-claim.ts';
import { VerificationError } from './terms/verification-error.ts';
import type { SideOutcome, VerificationOutcome } from './terms/verification-outcome.ts';
import type { VerifyExplorer, VerifyExplorerRequest } from './verify-explorer.ts';

export type VerificationJobs = {
  /** All return the job's id, and throw a VerificationError if it is known at once that no check can be made. */
  checkSources(request: SourcesRequest): Promise<string>;
  checkExplorerRecord(request: VerifyExplorerRequest): Promise<string>;
  checkMetadata(request: MetadataRequest): Promise<string>;
  /** Against the sources of verified contracts with similar code. */
  checkSimilar(request: SimilarityRequest): Promise<string>;
  find(id: string): Promise<VerificationJob | null>;
  /** Resolves when no job runs any more. */
  settled(): Promise<void>;
};

export type SourcesRequest = {
  chainId: string;
  address: string;
  claim: SourceClaim;
  creationTransactionHash?: string | undefined;
  /** Whose share of the running jobs it takes. */
  client: string;
  /**
   * Refuses a contract that the client has a job of already (`duplicate_verification_request`), unless it is an equal
   * one that was asked for a while ago: then its client has given up waiting, and asks again. Else an equal job in
   * flight is the same one.
   */
  refusesTwins?: boolean;
};

export type MetadataRequest = Omit<SourcesRequest, 'claim'> & { metadata: SolidityMetadata; files: InputFile[] };
type SimilarityRequest = Omit<SourcesRequest, 'claim'>;

export type VerificationJob = Omit<VerificationJobRow, 'error' | 'outcome'> & {
  error: JobError | null;
  outcome: JobOutcome | null;
};

type JobError = { customCode: string; message: string; errorId: string; errorData?: unknown } & Partial<
  ReturnType<typeof comparedCodes>
>;

type JobOutcome = {
  creationMatch: SideOutcome['match'];
  runtimeMatch: SideOutcome['match'];
  /** null where a better match is stored, which is not this one. */
  verifiedAt: string | null;
  matchId: string | null;
  /** Why the creation could not be compared. */
  creationProblem?: string;
};

export type VerificationJobsOptions = {
  db: Database;
  registry: ChainRegistry;
  onchainSource: (chain: Chain) => OnchainSource;
  verifier: Verifier;
  archive: VerificationArchive;
  verifyExplorer: VerifyExplorer;
  log: (sentence: string, error: Error) => void;
  /** Maximum of unfinished jobs of this process, and of one client. */
  maxRunning: number;
  maxPerClient: number;
  /** After this time the same request takes part in the job, and is no second one. */
  askedAgainMs?: number | undefined;
  /** Called for each job that these limits refuse. */
  onRefused?: (limit: RefusedBy) => void;
};

/** After this time another process's job counts as lost. */
const maxJobMs = 15 * 60_000;

export function createVerificationJobs(options: VerificationJobsOptions): VerificationJobs {
  const { db, registry, onchainSource, verifier, archive, verifyExplorer, log } = options;
  const running = createRunningJobs(options);

  async function start(task: Task): Promise<string> {
    const { onchain, asked } = task;
    await refuseVerified(onchain);
    const key = JSON.stringify([onchain.chainId, onchain.address, asked]);
    return running.start(key, task, (id, signal) => run(id, task, signal));
  }

  async function refuseVerified({ chainId, address }: OnchainContract): Promise<void> {
    const stored = await archive.findContract(chainId, address);
    if (stored?.creationMatch !== 'perfect' || stored.runtimeMatch !== 'perfect') return;
    throw new VerificationError(
      'already_verified',
      `Contract ${address} on chain ${chainId} is already verified with runtimeMatch and creationMatch both being exact matches.`,
    );
  }

  async function run(id: string, task: Task, signal: AbortSignal): Promise<void> {
    const { compilationMs, error, outcome } = await check(id, task, signal).catch((failure: Error): Finished => {
      if (!(failure instanceof VerificationError)) log('a contract check failed', failure);
      return { compilationMs: null, error: toJobError(failure, id), outcome: null };
    });
    await finishVerificationJob(db, {
      id,
      compilationMs,
      error: error && JSON.stringify(error),
      outcome: outcome && JSON.stringify(outcome),
    });
  }

  async function check(id: string, { chain, attempt, origin, ...task }: Task, signal: AbortSignal): Promise<Finished> {
    const onchain = await readCreation(onchainSource(chain), task, signal);
    signal.throwIfAborted();
    const simple = verifier.answerWithoutSources(onchain);
    const { outcome, claim } = simple ? { outcome: simple, claim: null } : await attempt(onchain, signal);
    const compilationMs = outcome.compilation && Math.round(outcome.compilation.durationMs);
    const { code, message, creation, runtime } = outcome;
    const problem = onchain.creationProblem?.message;
    if (code !== 'match') {
      const said = problem === undefined ? message : `${message} ${problem}`;
      const error = { customCode: code, message: said, errorId: id, ...comparedCodes(onchain, outcome) };
      return { compilationMs, error, outcome: null };
    }
    const before = await archive.findContract(onchain.chainId, onchain.address);
    await archive.keepContract(onchain, outcome, origin);
    if (claim && (origin === 'explorer' || (creation.match === 'perfect' && runtime.match === 'perfect'))) {
      await archive.keepCheck(onchain, { claimHash: hashClaim(claim), check: toContractCheck(onchain, outcome) });
    }
    const after = await archive.findContract(onchain.chainId, onchain.address);
    return { compilationMs, error: null, outcome: toJobOutcome(outcome, { before, after }, problem) };
  }

  return {
    async checkSources({ chainId, address: asked, claim, ...request }) {
      const { chain, address } = resolveContract(registry, chainId, asked);
      await verifier.assertClaim(claim);
      const onchain = await onchainSource(chain).read(address);
      const attempt = attemptClaim(verifier, claim, request.client);
      return start({ chain, onchain, ...request, attempt, asked: idOf(claim), origin: 'request' });
    },
    async checkExplorerRecord(request) {
      const { chain, onchain, record } = await verifyExplorer.prepare(request);
      const { claim, creationTransactionHash } = record;
      const { client } = request;
      const attempt = attemptClaim(verifier, claim, client);
      return start({
        chain,
        onchain,
        ...{ creationTransactionHash, client, attempt },
        asked: idOf(claim),
        origin: 'explorer',
      });
    },
    async checkMetadata({ chainId, address: asked, metadata, files, ...request }) {
      const { chain, address } = resolveContract(registry, chainId, asked);
      const { claim, attempt } = await attemptMetadata(verifier, { metadata, files, client: request.client });
      const onchain = await onchainSource(chain).read(address);
      return start({ chain, onchain, ...request, attempt, asked: idOf(claim), origin: 'request' });
    },
    async checkSimilar({ chainId, address: asked, ...request }) {
      const { chain, address } = resolveContract(registry, chainId, asked);
      const onchain = await readCode(onchainSource(chain), chain, address);
      const attempt = attemptSimilar(verifier, archive, request.client);
      return start({ chain, onchain, ...request, attempt, asked: 'similar', origin: 'request' });
    },
    find: (id) => find(db, id, running.has(id)),
    settled: running.settled,
  };
}

async function find(db: Database, id: string, isRunning: boolean): Promise<VerificationJob | null> {
  const row = await selectVerificationJob(db, id);
  if (row === null) return null;
  const error = row.error === null ? null : (JSON.parse(row.error) as JobError);
  const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as JobOutcome);
  const lostAt = row.startedAt.getTime() + maxJobMs;
  if (row.finishedAt !== null || isRunning || Date.now() <= lostAt) return { ...row, error, outcome };
  const message = 'The check was interrupted. Request it again.';
  const lost = { customCode: 'internal_error', message, errorId: id };
  return { ...row, outcome, finishedAt: new Date(lostAt), error: lost };
}

/**
 * The unfinished jobs of this process; a job is stored before it runs. When there are as many as may be, the client
 * with fewest takes a place from the one with most, whose newest job then fails unless it is being compiled already.
 */
function createRunningJobs(options: VerificationJobsOptions) {
  // Foundry gives up after two minutes.
  const { db, log, maxRunning, maxPerClient, onRefused, askedAgainMs = 60_000 } = options;
  type Running = { id: string; done: Promise<void>; startedMs: number } & Pick<Task, 'client' | 'onchain'>;
  const running = new Map<string, Running>();
  const places = createClientPlaces({ max: maxRunning, perClient: maxPerClient });

  function refuse(limit: RefusedBy): VerificationError {
    onRefused?.(limit);
    const which = limit === 'client' ? `${maxPerClient} checks of your network address` : `${maxRunning} checks`;
    const message = `${which} are running or waiting. Try again later.`;
    return new VerificationError('too_many_jobs', message, { retryAfterSeconds });
  }

  /** Throws a VerificationError. */
  function takePlace(client: string, withdraw: () => void) {
    try {
      return places.enter(client, { withdraw });
    } catch (error) {
      if (!(error instanceof PlacesFull)) throw error;
      throw refuse(error.by === 'client' ? 'client' : 'queue');
    }
  }

  return {
    async start(key: string, { client, onchain, refusesTwins }: Task, run: Run): Promise<string> {
      const { chainId, address } = onchain;
      const twin = running.get(key);
      const isOld = twin !== undefined && performance.now() - twin.startedMs > askedAgainMs;
      const isOfContract = (other: OnchainContract) => other.chainId === chainId && other.address === address;
      const isBusy = [...running.values()].some((one) => one.client === client && isOfContract(one.onchain));
      if (refusesTwins && isBusy && !isOld) {
        const message = `Contract ${address} on chain ${chainId} is already being verified`;
        throw new VerificationError('duplicate_verification_request', message, { retryAfterSeconds });
      }
      if (twin) return twin.id;
      const withdrawn = new AbortController();
      const place = takePlace(client, () => withdrawn.abort(refuse('queue')));
      const id = randomUUID();
      const kept = insertVerificationJob(db, { id, chainId: BigInt(chainId), address: fromHex(address) });
      const done = kept
        .then(() => run(id, withdrawn.signal))
        .finally(() => {
          running.delete(key);
          place.leave();
        });
      running.set(key, { id, done, client, onchain, startedMs: performance.now() });
      // `close` waits for it; only a job that could not be stored matters here.
      done.catch((error: Error) => log('a verification job could not be finished', error));
      await kept;
      return id;
    },
    has: (id: string): boolean => [...running.values()].some((one) => one.id === id),
    async settled(): Promise<void> {
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}

const retryAfterSeconds = 10;

/** `signal`: its place went to another client. */
type Run = (id: string, signal: AbortSignal) => Promise<void>;

type Task = {
  chain: Chain;
  onchain: OnchainContract;
  attempt: Attempt;
  /** What makes it equal to another job of the same contract. */
  asked: string;
  creationTransactionHash?: string | undefined;
  origin: 'explorer' | 'request';
} & Pick<SourcesRequest, 'client' | 'refusesTwins'>;

/** Before the creation is asked for, ms. */
const creationTries = [0, 1_000, 4_000];

/** Of a chain that does not answer now the creation is asked for again. */
async function readCreation(
  source: OnchainSource,
  { onchain, creationTransactionHash }: Pick<Task, 'onchain' | 'creationTransactionHash'>,
  signal: AbortSignal,
): Promise<OnchainContract> {
  let found = onchain;
  for (const waitMs of creationTries) {
    if (!(await pause(waitMs, signal))) break;
    found = await source.withCreation(onchain, creationTransactionHash);
    if (!found.creationProblem?.isTemporary) break;
  }
  return found;
}

function idOf(claim: SourceClaim): string {
  return hashClaim(claim).toString('hex');
}

type Finished = { compilationMs: number | null; error: JobError | null; outcome: JobOutcome | null };

/** Errors that are no VerificationError are not shown to clients. */
function toJobError(failure: Error, errorId: string): JobError {
  if (!(failure instanceof VerificationError))
    return { customCode: 'internal_error', message: 'Internal error', errorId };
  const { code, message, details } = failure;
  return { customCode: code, message, errorId, ...(details === undefined ? {} : { errorData: details }) };
}

type Stored = { before: VerifiedContractRow | null; after: VerifiedContractRow | null };

function toJobOutcome(
  { creation, runtime }: VerificationOutcome,
  { before, after }: Stored,
  problem?: string,
): JobOutcome {
  const isSame = after?.creationMatch === creation.match && after.runtimeMatch === runtime.match;
  const stored = isSame || after?.id !== before?.id ? after : null;
  return {
    creationMatch: creation.match,
    runtimeMatch: runtime.match,
    verifiedAt: stored?.verifiedAt.toISOString() ?? null,
    matchId: stored?.id.toString() ?? null,
    ...(problem !== undefined && { creationProblem: problem }),
  };
}

function comparedCodes({ creation: created }: OnchainContract, { creation, runtime }: VerificationOutcome) {
  return {
    recompiledCreationCode: creation.compiledCode,
    recompiledRuntimeCode: runtime.compiledCode,
    onchainCreationCode: creation.onchainCode,
    onchainRuntimeCode: runtime.onchainCode,
    creationTransactionHash: created?.transactionHash ?? null,
  };
}
