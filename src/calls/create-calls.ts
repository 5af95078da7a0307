// Questions to contracts: what a call would answer, now or after any block, and the gas that it needs.
import type { ContractResultDetail } from '../ledger/contracts/create-contract-results.ts';
import { createGasPrices } from '../ledger/contracts/gas-prices.ts';
import type { SystemRealm } from '../protocol/hapi/system-entity.ts';
import { type BlockWatch, noBlockWatch } from '../store/notify/block-watch.ts';
import {
  type StateBlockName,
  selectNewestStateBlock,
  selectStateBlock,
} from '../store/read/state/select-state-block.ts';
import type { Database } from '../store/wire/database.ts';
import { createBriefCalls } from './brief/brief-calls.ts';
import { createBalanceSnapshots } from './facts/balance-snapshots.ts';
import { createCodeCache } from './facts/code-cache.ts';
import { createFactSource } from './facts/fetch-facts.ts';
import { type Moment, numAfter, pastAt, presentAt } from './facts/moment.ts';
import { createSystemFiles } from './facts/system-files.ts';
import { type CallPool, createCallPool } from './pool/call-pool.ts';
import { type ComparedPart, compareRun } from './rerun/compare-run.ts';
import { toRerun } from './rerun/to-rerun.ts';
import type { CallInput, Job, Outcome, StateOverride } from './thread/job.ts';
import { toJob } from './thread/to-job.ts';
import { type CallThrottle, createBucket, createThrottle } from './throttle.ts';
import type { TraceOptions } from './trace/trace-opcodes.ts';

export type CallQuestion = CallInput & {
  estimate: boolean;
  /** null = now. */
  block: StateBlockName | null;
  overrides: StateOverride[];
};

export type CallAnswer = Outcome | { kind: 'noBlock' } | { kind: 'throttled'; by: 'requests' | 'gas' };

/** What of a run and the ledger differs; empty = nothing, null: the network did not run it. */
type Traced = Extract<Outcome, { kind: 'traced' }> & { differences: ComparedPart[] | null };
export type TraceAnswer = Traced | Exclude<Outcome, { kind: 'traced' }> | { kind: 'unknownCode' };

export type Calls = {
  ask(question: CallQuestion): Promise<CallAnswer>;
  /** Whether there may be one more trace in this second; then it counts. */
  mayTrace(): boolean;
  /** Runs a transaction again on the state before it, and lists its opcodes. */
  trace(result: ContractResultDetail, options: Omit<TraceOptions, 'head'>): Promise<TraceAnswer>;
  counts: CallPool['counts'];
  close(): Promise<void>;
};

export type CallsOptions = {
  db: Database;
  system: SystemRealm;
  chainId: bigint;
  /** What is known of the newest block; without it that is read for each call. */
  blocks?: BlockWatch;
  limits?: Partial<CallLimits>;
  onLost?(error: Error): void;
  /** Kind of each answer. */
  onAnswer?(kind: CallAnswer['kind']): void;
  onCompared?(differences: readonly ComparedPart[]): void;
};

export type CallLimits = {
  threads: number;
  requestsPerSecond: number;
  gasPerSecond: number;
  tracesPerSecond: number;
  timeMs: number;
  /** Bytes of one call. */
  memory: number;
  /** Facts of the ledger that one call may read. */
  reads: number;
};

export const usualLimits: CallLimits = {
  threads: 2,
  requestsPerSecond: 500,
  gasPerSecond: 7_500_000_000,
  tracesPerSecond: 1,
  timeMs: 10_000,
  memory: 256 * 2 ** 20,
  reads: 10_000,
};

const megabyte = 2 ** 20;
const maxWaiting = 1000;
/** Beside the memory of a call: caches, and what the engine of JavaScript needs. */
const maxHeapMb = 1024;
const cache = { maxCodeBytes: 32 * megabyte, maxPastBytes: 32 * megabyte, maxPresentBytes: 64 * megabyte };

export function createCalls(options: CallsOptions): Calls {
  const { db, system, chainId, blocks = noBlockWatch, onLost = () => {}, onAnswer, onCompared } = options;
  const limits = { ...usualLimits, ...options.limits };
  const kept = {
    system,
    codes: createCodeCache(2 * cache.maxCodeBytes),
    files: createSystemFiles(system),
    snapshots: createBalanceSnapshots(system),
  };
  const basis = { chainId, limits, gasPrices: createGasPrices({ db, system }) };
  const brief = createBriefCalls({ db, kept, basis, blocks, cache });
  const throttle: CallThrottle = createThrottle(limits);
  const traces = createBucket(limits.tracesPerSecond);
  let pool: CallPool | null = null;
  const openPool = (): CallPool => createCallPool({ maxThreads: limits.threads, maxWaiting, cache, maxHeapMb, onLost });

  return {
    async ask(question) {
      const { gas } = question;
      const by = throttle.enter(gas);
      if (by !== null) {
        onAnswer?.('throttled');
        return { kind: 'throttled', by };
      }
      let unused = gas;
      try {
        const answer = (await brief.ask(question)) ?? (await runInPool(question));
        unused = unusedGas(answer, gas);
        onAnswer?.(answer.kind);
        return answer;
      } finally {
        throttle.giveBack(unused);
      }
    },
    mayTrace: () => traces.take(1),
    async trace(result, shown) {
      const answer = await runAgain(result, shown);
      if (answer.kind !== 'traced') return answer;
      const differences = compareRun(answer.run, result);
      if (differences !== null) onCompared?.(differences);
      return { ...answer, differences };
    },
    counts: () => pool?.counts() ?? { threads: 0, busy: 0, waiting: 0, lost: 0 },
    close: async () => pool?.close(),
  };

  function runInPool({ estimate, block, overrides, ...input }: CallQuestion): Promise<CallAnswer> {
    pool ??= openPool();
    // First the thread, then the snapshot: no connection waits.
    return pool.use((runInThread) =>
      db.snapshot(async (own) => {
        const found = await findMoment(own, block);
        if (found === null) return { kind: 'noBlock' };
        const { moment, lastId } = found;
        const job: Job = {
          ...(await toJob(moment, basis)),
          kind: estimate ? 'estimate' : 'call',
          input,
          nextNum: numAfter(lastId),
          overrides,
        };
        return runInThread(job, createFactSource({ db: own, moment, ...kept }));
      }),
    );
  }

  async function runAgain(
    result: ContractResultDetail,
    shown: Omit<TraceOptions, 'head'>,
  ): Promise<Outcome | { kind: 'unknownCode' }> {
    pool ??= openPool();
    const at = result.consensusTimestamp;
    return pool.use((runInThread) =>
      db.snapshot(async (own): Promise<Outcome | { kind: 'unknownCode' }> => {
        const [block, newest, rerun] = await Promise.all([
          selectStateBlock(own, { around: at }),
          selectNewestStateBlock(own),
          toRerun(own, result),
        ]);
        if (block === null || block.consensusStart > at || rerun === null) return { kind: 'unknownCode' };
        const moment = pastAt(at - 1n, block);
        const { recipient, input, overrides, firstCreated } = rerun;
        const num = recipient.num === null ? 'null' : `"0.0.${recipient.num}"`;
        const head = `"address":"0x${recipient.address.toString(16).padStart(40, '0')}","contract_id":${num},`;
        const job: Job = {
          ...(await toJob(moment, basis)),
          kind: 'trace',
          trace: { ...shown, head },
          input,
          nextNum: firstCreated ?? numAfter(newest?.lastId ?? 0n),
          overrides,
        };
        return runInThread(job, createFactSource({ db: own, moment, ...kept }));
      }),
    );
  }
}

/** null = no such block. */
async function findMoment(
  db: Database,
  name: StateBlockName | null,
): Promise<{ moment: Moment; lastId: bigint } | null> {
  const [newest, named] = await Promise.all([
    selectNewestStateBlock(db),
    name === null ? null : selectStateBlock(db, name),
  ]);
  if (newest === null || (name !== null && named === null)) return null;
  const lastId = newest.lastId ?? 0n;
  const isNow = named === null || named.consensusEnd === newest.consensusEnd;
  return { moment: isNow ? presentAt(newest) : pastAt(named.consensusEnd, named), lastId };
}

/** What did not begin took nothing, and a run gives back what it did not use; all of it where it failed with all of it. */
function unusedGas(answer: CallAnswer, gas: number): number {
  if (answer.kind === 'estimated') return gas - answer.gas;
  if (answer.kind === 'stopped' || answer.kind === 'traced') return 0;
  if (answer.kind !== 'finished') return gas;
  const { status, gasUsed } = answer.run;
  return status !== 'SUCCESS' && gasUsed >= gas ? gas : gas - gasUsed;
}
