// Checks that are begun now and asked about later. A job is kept in the database from its first moment, so any process
// can tell how it ended; a job of a process that died has failed. Equal jobs in flight are one.
import { randomUUID } from 'node:crypto';
import {
  finishVerificationJob,
  insertVerificationJob,
  selectVerificationJob,
  type VerificationJobRow,
} from '../../store/verification/verification-jobs.ts';
import type { Database } from '../../store/wire/database.ts';
import type { RefusedBy } from '../compilers/job-queue.ts';
import type { OnchainContract, OnchainSource } from '../onchain-contract.ts';
import type { Chain, ChainRegistry } from '../registry/chain-registry.ts';
import { resolveContract } from '../resolve-contract.ts';
import type { SourceClaim } from '../source-claim.ts';
import { VerificationError } from '../verification-error.ts';
import type { VerificationOutcome } from '../verification-outcome.ts';
import type { Verifier } from '../verifier.ts';
import type { VerifyExplorer, VerifyExplorerRequest } from '../verify-explorer.ts';
import { toContractCheck } from './contract-check.ts';
import { hashClaim, type VerificationArchive } from './verification-archive.ts';

export type VerificationJobs = {
  /** Both give the job's id, and throw a VerificationError where it is known at once that no check can be made. */
  checkSources(request: SourcesRequest): Promise<string>;
  checkExplorerRecord(request: VerifyExplorerRequest): Promise<string>;
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
};

export type VerificationJob = Omit<VerificationJobRow, 'error' | 'outcome'> & {
  error: JobError | null;
  outcome: JobOutcome | null;
};

type JobError = {
  customCode: string;
  message: string;
  errorId: string;
  errorData?: unknown;
  recompiledCreationCode?: string | null;
  recompiledRuntimeCode?: string | null;
  onchainCreationCode?: string | null;
  onchainRuntimeCode?: string | null;
  creationTransactionHash?: string | null;
};

type JobOutcome = {
  creationMatch: 'perfect' | 'partial' | null;
  runtimeMatch: 'perfect' | 'partial' | null;
  verifiedAt: string | null;
  matchId: string | null;
};

export type VerificationJobsOptions = {
  db: Database;
  registry: ChainRegistry;
  onchainSource: (chain: Chain) => OnchainSource;
  verifier: Verifier;
  archive: VerificationArchive;
  verifyExplorer: VerifyExplorer;
  log: (sentence: string, error: Error) => void;
  /** Jobs of this process that may be unfinished at a time, and of one client. */
  maxRunning: number;
  maxPerClient: number;
  /** Called for each job that is refused for them. */
  onRefused?: (limit: RefusedBy) => void;
};

/** After that another process's job counts as lost. */
const maxJobMs = 15 * 60_000;

export function createVerificationJobs(options: VerificationJobsOptions): VerificationJobs {
  const { db, registry, onchainSource, verifier, archive, verifyExplorer, log, maxRunning, maxPerClient, onRefused } =
    options;
  const running = new Map<string, { id: string; client: string; done: Promise<void> }>();

  async function start(key: string, { chain, onchain, client }: Task, work: (id: string) => Promise<Finished>) {
    const { chainId } = chain;
    const { address } = onchain;
    const twin = running.get(key);
    if (twin) return twin.id;
    const ofClient = [...running.values()].filter((one) => one.client === client).length;
    if (ofClient >= maxPerClient) throw refuse('client', `${ofClient} checks of your network address`);
    if (running.size >= maxRunning) throw refuse('queue', `${maxRunning} checks`);
    const id = randomUUID();
    const kept = insertVerificationJob(db, {
      id,
      chainId: BigInt(chainId),
      address: Buffer.from(address.slice(2), 'hex'),
    });
    const done = kept.then(() => run(id, work)).finally(() => running.delete(key));
    running.set(key, { id, client, done });
    // `close` waits for it; only a job that could not be stored matters here.
    done.catch((error: Error) => log('a verification job could not be finished', error));
    await kept;
    return id;
  }

  function refuse(limit: RefusedBy, which: string): VerificationError {
    onRefused?.(limit);
    return new VerificationError('too_many_jobs', `${which} are running or waiting. Try again later.`, {
      retryAfterSeconds: 10,
    });
  }

  async function run(id: string, work: (id: string) => Promise<Finished>): Promise<void> {
    const { compilationMs, error, outcome } = await work(id).catch((failure: Error) => {
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

  async function finish(id: string, task: Task): Promise<Finished> {
    const { claim, client, origin } = task;
    const onchain = await onchainSource(task.chain).withCreation(task.onchain, task.creationTransactionHash);
    const outcome = verifier.answerWithoutSources(onchain) ?? (await verifier.verify(onchain, claim, client));
    const compilationMs = outcome.compilation && Math.round(outcome.compilation.durationMs);
    if (outcome.code !== 'match') return { compilationMs, error: toMismatch(id, onchain, outcome), outcome: null };
    await archive.keepContract(onchain, outcome, origin);
    const { creation, runtime } = outcome;
    if (origin === 'explorer' || (creation.match === 'perfect' && runtime.match === 'perfect')) {
      await archive.keepCheck(onchain, { claimHash: hashClaim(claim), check: toContractCheck(onchain, outcome) });
    }
    const stored = await archive.findContract(onchain.chainId, onchain.address);
    return {
      compilationMs,
      error: null,
      outcome: {
        creationMatch: creation.match,
        runtimeMatch: runtime.match,
        verifiedAt: stored?.verifiedAt.toISOString() ?? null,
        matchId: stored?.id.toString() ?? null,
      },
    };
  }

  async function refuseVerified(onchain: OnchainContract): Promise<void> {
    const stored = await archive.findContract(onchain.chainId, onchain.address);
    if (stored?.creationMatch !== 'perfect' || stored.runtimeMatch !== 'perfect') return;
    throw new VerificationError(
      'already_verified',
      `Contract ${onchain.address} on chain ${onchain.chainId} is already verified with runtimeMatch and creationMatch both being exact matches.`,
    );
  }

  return {
    async checkSources({ chainId, address: asked, claim, creationTransactionHash, client }) {
      const { chain, address } = resolveContract(registry, chainId, asked);
      await verifier.assertClaim(claim);
      const onchain = await onchainSource(chain).read(address);
      await refuseVerified(onchain);
      const key = JSON.stringify([chainId, onchain.address, hashClaim(claim).toString('hex')]);
      const task: Task = { chain, onchain, claim, creationTransactionHash, client, origin: 'request' };
      return start(key, task, (id) => finish(id, task));
    },
    async checkExplorerRecord(request) {
      const { chain, onchain, record } = await verifyExplorer.prepare(request);
      await refuseVerified(onchain);
      const key = JSON.stringify([onchain.chainId, onchain.address, hashClaim(record.claim).toString('hex')]);
      const task: Task = { chain, onchain, ...record, client: request.client, origin: 'explorer' };
      return start(key, task, (id) => finish(id, task));
    },
    async find(id) {
      const row = await selectVerificationJob(db, id);
      if (row === null) return null;
      const job = {
        ...row,
        error: row.error === null ? null : (JSON.parse(row.error) as JobError),
        outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as JobOutcome),
      };
      const isHere = [...running.values()].some((one) => one.id === id);
      const isLost = job.finishedAt === null && !isHere && Date.now() - job.startedAt.getTime() > maxJobMs;
      if (!isLost) return job;
      const message = 'The check was interrupted. Ask for it again.';
      return {
        ...job,
        finished_at: new Date(job.startedAt.getTime() + maxJobMs),
        error: { customCode: 'internal_error', message, errorId: id },
      };
    },
    async settled() {
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}

type Task = {
  chain: Chain;
  onchain: OnchainContract;
  claim: SourceClaim;
  creationTransactionHash?: string | undefined;
  client: string;
  origin: 'explorer' | 'request';
};

type Finished = { compilationMs: number | null; error: JobError | null; outcome: JobOutcome | null };

/** What is not a VerificationError is ours to know alone. */
function toJobError(failure: Error, errorId: string): JobError {
  if (!(failure instanceof VerificationError))
    return { customCode: 'internal_error', message: 'Internal error', errorId };
  const { code, message, details } = failure;
  return { customCode: code, message, errorId, ...(details === undefined ? {} : { errorData: details }) };
}

function toMismatch(errorId: string, onchain: OnchainContract, outcome: VerificationOutcome): JobError {
  const { code, message, creation, runtime } = outcome;
  return {
    customCode: code,
    message,
    errorId,
    recompiledCreationCode: creation.compiledCode,
    recompiledRuntimeCode: runtime.compiledCode,
    onchainCreationCode: creation.onchainCode,
    onchainRuntimeCode: runtime.onchainCode,
    creationTransactionHash: onchain.creation?.transactionHash ?? null,
  };
}
