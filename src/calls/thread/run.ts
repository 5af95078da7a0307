import type { RunResult } from '../../../packages/machine/run/transaction.ts';
import type { Outcome } from './job.ts';

/** Of a call: how the machine ended, or why it did not begin. */
export type Run = Exclude<RunResult, { kind: 'missing' }> | { kind: 'noSender' | 'noContract' };

export function toOutcome(run: Run, runs: number): Outcome {
  if (run.kind !== 'finished') return run as Outcome;
  const { status, halt, output, gasUsed, isBelowIntrinsic, failedChildren } = run;
  return { kind: 'finished', run: { status, halt, output, gasUsed, isBelowIntrinsic, failedChildren }, runs };
}
