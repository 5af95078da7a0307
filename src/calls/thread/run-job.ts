// One job in a thread.
import { estimateGas } from './estimate-gas.ts';
import type { Job, Outcome } from './job.ts';
import { toOutcome } from './run.ts';
import { createRunner, type JobOptions, type Runner } from './runner.ts';
import { traceRun, traceSteps } from './trace-run.ts';
import { isSameAccess, trackAccess } from './track-access.ts';

export async function runJob(job: Job, options: JobOptions): Promise<Outcome> {
  const runner = createRunner(job, options);
  switch (job.kind) {
    case 'call':
      return toOutcome(await runner.run(job.input.gas), runner.runs());
    case 'estimate': {
      const outcome = await estimateGas(job.input.gas, (gas, tracer) => runner.run(gas, tracer));
      const runs = runner.runs();
      return outcome.kind === 'estimated' ? { ...outcome, runs } : toOutcome(outcome, runs);
    }
    case 'accessList':
      return listAccess(runner);
    case 'trace':
      return (await traceRun(runner, job.trace!)).outcome;
    case 'traceCalls':
      return traceSteps(runner, job.steps!);
  }
}

/** With a list gas is left for more, and other ways may be taken: until a run needs what it was given. */
async function listAccess(runner: Runner): Promise<Outcome> {
  for (;;) {
    const { input } = runner;
    const { accessList = [], authorizations = [] } = input;
    const tracked = trackAccess(accessList, authorizations);
    const outcome = toOutcome(await runner.run(input.gas, tracked.tracer), runner.runs());
    const found = tracked.found();
    if (outcome.kind !== 'finished' || found === null) return outcome;
    if (isSameAccess(found, accessList)) return { ...outcome, accessList: found };
    if (runner.isLate()) return { kind: 'stopped', limit: 'time' };
    runner.input = { ...input, accessList: found };
  }
}
