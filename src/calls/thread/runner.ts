// Runs the machine for one job, and fetches what it misses until it misses nothing.
import type { Tracer } from '../../../packages/machine/frame/machine.ts';
import { rulesOf } from '../../../packages/machine/rules/versions.ts';
import { recoverAuthority } from '../../../packages/machine/run/authorize.ts';
import { runTransaction } from '../../../packages/machine/run/run-transaction.ts';
import { type CarriedState, createCarriedState } from '../../../packages/machine/state/carried-state.ts';
import type { StateReader } from '../../../packages/machine/state/state-reader.ts';
import type { World } from '../../../packages/machine/state/world.ts';
import { systemContracts } from '../../../packages/machine/system/system-contracts.ts';
import { type FactsAsked, type FetchedFacts, sizeOf, toAsked } from '../facts/fetched-facts.ts';
import type { StateCache } from './cached-state.ts';
import { foresee } from './foresee.ts';
import type { CallInput, Job, StateOverride } from './job.ts';
import { prepare } from './prepare.ts';
import type { Run } from './run.ts';

export type JobOptions = {
  cache: StateCache;
  fetch(asked: FactsAsked): Promise<FetchedFacts>;
  /**
   * The thread has other work: what is not done by the first look at the limits, after some 4,096 steps, is left to
   * others, and HandOver is thrown. So is what has more than a few facts to fetch.
   */
  isBrief?: boolean;
  /** The time of the processor that a run took, ms: once for each. */
  onRan?(ms: number): void;
};

export class HandOver extends Error {}

/** Facts that one job may fetch: more than it may read, since some are guessed. */
const maxFetched = 20_000;
const maxFetchedBriefly = 200;
/** Of all runs of one job together, ms: each ends within a few, and an estimate takes up to twenty. */
const maxBriefMs = 20;
/** Hashing as much takes two milliseconds. */
const briefMemory = 256 * 1024;

/** `input` and `overrides`: those of the job, until others are set. */
export type Runner = {
  input: CallInput;
  overrides: readonly StateOverride[];
  run(gas: number, tracer?: Tracer, withActions?: boolean): Promise<Run>;
  /** Puts what a run has left below those that follow; only of a job with steps. */
  take(world: World): void;
  isLate(): boolean;
  /** Of the machine. */
  isTimeUp(): boolean;
  /** That came to an end. */
  runs(): number;
};

export function createRunner(job: Job, { cache, fetch, isBrief = false, onRan }: JobOptions): Runner {
  const deadline = performance.now() + job.timeMs;
  const isLate = (): boolean => performance.now() > deadline;
  const isTimeUp = isBrief ? () => true : isLate;
  const limits = isBrief ? { ...job.limits, memory: briefMemory } : job.limits;
  const state = cache.at(job.moment);
  const rules = rulesOf(job.version);
  let fetched = 0;
  let runs = 0;
  let ranMs = 0;
  let carried: CarriedState | null = null;

  const runner: Runner = {
    input: withSigners(job.input),
    overrides: job.overrides,
    async run(gas, tracer, withActions = false) {
      for (;;) {
        if (isBrief && ranMs > maxBriefMs) throw new HandOver();
        const result = timed(() => runOnce(gas, isBrief ? refuseLongWork(tracer) : tracer, withActions));
        if (result.kind !== 'missing') {
          if (isBrief && result.kind === 'stopped') throw new HandOver();
          runs += 1;
          return result;
        }
        const asked = toAsked([...result.facts, ...foresee(runner.input, state, cache.hasCode)]);
        fetched += sizeOf(asked);
        if (isBrief && fetched > maxFetchedBriefly) throw new HandOver();
        if (fetched > maxFetched) return { kind: 'stopped', limit: 'reads' };
        state.take(await fetch(asked));
        if (isLate()) return { kind: 'stopped', limit: 'time' };
      }
    },
    take: (world) => carried!.take(world),
    isLate,
    isTimeUp,
    runs: () => runs,
  };
  return runner;

  function timed<T>(work: () => T): T {
    const beganMs = performance.now();
    try {
      return work();
    } finally {
      const ms = performance.now() - beganMs;
      ranMs += ms;
      onRan?.(ms);
    }
  }

  /** The state below is the same for all steps. */
  function carry(below: StateReader, nextNum: bigint) {
    carried ??= createCarriedState(below, nextNum);
    return { state: carried, nextNum: carried.nextNum };
  }

  function runOnce(gas: number, tracer: Tracer | undefined, withActions: boolean) {
    const { input, overrides } = runner;
    const prepared = prepare({ ...job, input, overrides: [...overrides] }, state, ...(job.steps ? [carry] : []));
    if (prepared.kind !== 'ready') return prepared;
    const { transaction, nextNum, leastBalance } = prepared;
    return runTransaction(
      { ...transaction, gasLimit: gas },
      {
        rules,
        state: prepared.state,
        block: job.block,
        nextNum,
        leastBalance,
        limits,
        isTimeUp,
        systemContracts,
        withActions,
        ...(tracer ? { tracer } : {}),
      },
    );
  }
}

/** Precompiles take much longer for their gas than opcodes do, but for the hashes and the copy. */
function refuseLongWork(tracer: Tracer | undefined): Tracer {
  return {
    ...tracer,
    enter(frame, type, machine) {
      if (type === 'PRECOMPILE' && !shortPrecompiles.has(frame.account.address)) throw new HandOver();
      tracer?.enter?.(frame, type, machine);
    },
  };
}

const shortPrecompiles: ReadonlySet<bigint> = new Set([2n, 3n, 4n]);

/** Finds out who signed the authorizations, once for all runs. */
export function withSigners({ signed = [], ...input }: CallInput): CallInput {
  if (signed.length === 0) return input;
  const authorizations = signed.map(({ signature, ...one }) => ({
    ...one,
    authority: recoverAuthority(one, signature),
  }));
  return { ...input, authorizations };
}
