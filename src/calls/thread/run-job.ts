// One job in a thread: runs the machine, and fetches what it misses until it misses nothing.
import type { Tracer } from '../../../packages/machine/frame/machine.ts';
import { rulesOf } from '../../../packages/machine/rules/versions.ts';
import { runTransaction } from '../../../packages/machine/run/run-transaction.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import { systemContracts } from '../../../packages/machine/system/system-contracts.ts';
import { type FactsAsked, type FetchedFacts, sizeOf, toAsked } from '../facts/fetched-facts.ts';
import { type OpenTrace, openTrace } from '../trace/open-trace.ts';
import type { StateCache } from './cached-state.ts';
import { estimateGas } from './estimate-gas.ts';
import { foresee } from './foresee.ts';
import type { Job, Outcome, PastTransaction, StateOverride } from './job.ts';
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

export async function runJob(job: Job, { cache, fetch, isBrief = false, onRan }: JobOptions): Promise<Outcome> {
  const deadline = performance.now() + job.timeMs;
  const isLate = (): boolean => performance.now() > deadline;
  const isTimeUp = isBrief ? () => true : isLate;
  const limits = isBrief ? { ...job.limits, memory: briefMemory } : job.limits;
  const state = cache.at(job.moment);
  const rules = rulesOf(job.version);
  let fetched = 0;
  let runs = 0;
  let ranMs = 0;
  let { overrides } = job;
  if (job.kind === 'estimate') {
    const outcome = await estimateGas(job.input.gas, (gas, tracer) => run(gas, tracer));
    return outcome.kind === 'estimated' ? { ...outcome, runs } : toOutcome(outcome, runs);
  }
  if (job.kind === 'trace') return trace();
  return toOutcome(await run(job.input.gas), runs);

  /** First without a trace, until nothing is missing and contracts have the nonces that they had then. */
  async function trace(): Promise<Outcome> {
    const { gas } = job.input;
    let first = await run(gas);
    if (first.kind === 'finished') {
      const nonces = noncesBefore(first, job.input.transaction?.noncesAfter ?? []);
      overrides = [...job.overrides, ...nonces];
      if (nonces.length > 0) first = await run(gas);
    }
    if (first.kind !== 'finished') return toOutcome(first, runs);
    const opened = openTrace(job.trace!, first, isTimeUp);
    const traced = await run(gas, opened.tracer);
    return traced.kind === 'finished' ? toTraced(traced, opened) : toOutcome(traced, runs);
  }

  async function run(gas: number, tracer?: Tracer): Promise<Run> {
    for (;;) {
      if (isBrief && ranMs > maxBriefMs) throw new HandOver();
      const result = timed(() => runOnce(gas, isBrief ? refuseLongWork(tracer) : tracer));
      if (result.kind !== 'missing') {
        if (isBrief && result.kind === 'stopped') throw new HandOver();
        runs += 1;
        return result;
      }
      const asked = toAsked([...result.facts, ...foresee(job.input, state, cache.hasCode)]);
      fetched += sizeOf(asked);
      if (isBrief && fetched > maxFetchedBriefly) throw new HandOver();
      if (fetched > maxFetched) return { kind: 'stopped', limit: 'reads' };
      state.take(await fetch(asked));
      if (isLate()) return { kind: 'stopped', limit: 'time' };
    }
  }

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

  function runOnce(gas: number, tracer?: Tracer) {
    const prepared = prepare({ ...job, overrides }, state);
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

/** A contract's nonce before is that after, with which it has run here, without what the run added to it. */
function noncesBefore({ changes }: Finished, after: PastTransaction['noncesAfter']): StateOverride[] {
  return after.flatMap(({ num, nonce }) => {
    const change = changes.find((one) => one.num === num && !one.isNew);
    return change?.nonce === undefined ? [] : { address: num, nonce: nonce - (change.nonce - nonce) };
  });
}

function toTraced(run: Finished, trace: OpenTrace): Outcome {
  const { status, output, gasConsumed, logs, created, changes } = run;
  const slots = changes.flatMap(({ num, slots }) => slots.map((slot) => ({ num, ...slot })));
  return { kind: 'traced', body: trace.end(), run: { status, output, gasConsumed, logs, created, slots } };
}

function toOutcome(run: Run, runs: number): Outcome {
  if (run.kind !== 'finished') return run as Outcome;
  const { status, output, gasUsed, isBelowIntrinsic, failedChildren } = run;
  return { kind: 'finished', run: { status, output, gasUsed, isBelowIntrinsic, failedChildren }, runs };
}
