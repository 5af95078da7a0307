// Traces of a transaction that happened, or of calls one after the other.
import type { Tracer } from '../../../packages/machine/frame/machine.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import type { World } from '../../../packages/machine/state/world.ts';
import { type OpenTrace, openTrace, type TraceOptions } from '../trace/open-trace.ts';
import type { Outcome, PastTransaction, StateOverride, TracedInput } from './job.ts';
import { type Run, toOutcome } from './run.ts';
import { type Runner, withSigners } from './runner.ts';

type Traced = Extract<Outcome, { kind: 'traced' }>;

/** `left`: null = it did not begin. */
type TracedRun = { outcome: Outcome; left: World | null };

/** First without a trace, until nothing is missing and contracts have the nonces that they had then. */
export async function traceRun(runner: Runner, options: TraceOptions): Promise<TracedRun> {
  const { gas, transaction } = runner.input;
  const ended = (run: Run): TracedRun => ({ outcome: toOutcome(run, runner.runs()), left: null });
  let first = await runner.run(gas);
  if (first.kind === 'finished') {
    const nonces = noncesBefore(first, transaction?.noncesAfter ?? []);
    runner.overrides = [...runner.overrides, ...nonces];
    if (nonces.length > 0) first = await runner.run(gas);
  }
  if (first.kind !== 'finished') return ended(first);
  const opened = openTrace(options, first, runner.isTimeUp);
  let left = null as World | null;
  const leave: Tracer['leave'] = (frame, machine) => {
    opened.tracer.leave?.(frame, machine);
    if (frame.parent === null) left = machine.world;
  };
  const withActions = 'form' in options && options.form === 'calls';
  const traced = await runner.run(gas, { ...opened.tracer, leave }, withActions);
  // Of a call that never began there is nothing to trace.
  if (traced.kind !== 'finished' || (left === null && transaction === undefined)) return ended(traced);
  return { outcome: toTraced(traced, opened), left };
}

/** Each on the state that the one before has left. One that does not begin or end ends all. */
export async function traceSteps(runner: Runner, steps: readonly TracedInput[]): Promise<Outcome> {
  const bodies: Uint8Array[][] = [];
  let gasConsumed = 0;
  for (const { traces, ...step } of steps) {
    runner.input = withSigners(step);
    const found: Traced[] = [];
    let world: World | null = null;
    for (const options of traces) {
      const { outcome, left } = await traceRun(runner, options);
      if (outcome.kind !== 'traced') return outcome;
      found.push(outcome);
      world = left;
    }
    bodies.push(found.map(({ body }) => body));
    gasConsumed += found.at(-1)?.run.gasConsumed ?? 0;
    if (world !== null) runner.take(world);
  }
  return { kind: 'tracedCalls', bodies, gasConsumed };
}

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
