// One job in a thread: runs the machine, and fetches what it misses until it misses nothing.
import { rulesOf } from '../../evm/rules/versions.ts';
import { runTransaction } from '../../evm/run/run-transaction.ts';
import type { Finished } from '../../evm/run/transaction.ts';
import { systemContracts } from '../../evm/system/system-contracts.ts';
import { type FactsAsked, type FetchedFacts, sizeOf, toAsked } from '../facts/fetched-facts.ts';
import { type OpcodeTrace, traceOpcodes } from '../trace/trace-opcodes.ts';
import type { StateCache } from './cached-state.ts';
import { estimateGas } from './estimate-gas.ts';
import type { Job, Outcome, PastTransaction, StateOverride } from './job.ts';
import { prepare } from './prepare.ts';
import type { Run } from './run.ts';

export type JobOptions = {
  cache: StateCache;
  fetch(asked: FactsAsked): Promise<FetchedFacts>;
};

/** Facts that one job may fetch: more than it may read, since some are guessed. */
const maxFetched = 20_000;
/** Of the creation of an account that a value is sent to. */
const lazyCreationGas = 610_000;

export async function runJob(job: Job, { cache, fetch }: JobOptions): Promise<Outcome> {
  const deadline = performance.now() + job.timeMs;
  const isTimeUp = (): boolean => performance.now() > deadline;
  const state = cache.at(job.moment);
  const rules = rulesOf(job.version);
  let fetched = 0;
  let runs = 0;
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
    const opcodes = traceOpcodes(job.trace!, first, isTimeUp);
    const traced = await run(gas, opcodes.tracer);
    return traced.kind === 'finished' ? toTraced(traced, opcodes) : toOutcome(traced, runs);
  }

  async function run(gas: number, tracer?: Parameters<typeof runTransaction>[1]['tracer']): Promise<Run> {
    for (;;) {
      const result = runOnce(gas, tracer);
      if (result.kind !== 'missing') {
        runs += 1;
        return result;
      }
      const asked = toAsked(result.facts);
      fetched += sizeOf(asked);
      if (fetched > maxFetched) return { kind: 'stopped', limit: 'reads' };
      state.take(await fetch(asked));
      if (isTimeUp()) return { kind: 'stopped', limit: 'time' };
    }
  }

  function runOnce(gas: number, tracer?: Parameters<typeof runTransaction>[1]['tracer']) {
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
        lazyCreationGas,
        limits: job.limits,
        isTimeUp,
        systemContracts,
        ...(tracer ? { tracer } : {}),
      },
    );
  }
}

/** A contract's nonce before is that after, with which it has run here, without what the run added to it. */
function noncesBefore({ changes }: Finished, after: PastTransaction['noncesAfter']): StateOverride[] {
  return after.flatMap(({ num, nonce }) => {
    const change = changes.find((one) => one.num === num && !one.isNew);
    return change?.nonce === undefined ? [] : { address: num, nonce: nonce - (change.nonce - nonce) };
  });
}

function toTraced(run: Finished, opcodes: OpcodeTrace): Outcome {
  const { status, output, gasConsumed, logs, created, changes } = run;
  const slots = changes.flatMap(({ num, slots }) => slots.map((slot) => ({ num, ...slot })));
  return { kind: 'traced', body: opcodes.end(), run: { status, output, gasConsumed, logs, created, slots } };
}

function toOutcome(run: Run, runs: number): Outcome {
  if (run.kind !== 'finished') return run as Outcome;
  const { status, output, gasUsed, isBelowIntrinsic, failedChildren } = run;
  return { kind: 'finished', run: { status, output, gasUsed, isBelowIntrinsic, failedChildren }, runs };
}
