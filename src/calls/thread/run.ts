import type { RunResult } from '../../../packages/machine/run/transaction.ts';

/** Of a call: how the machine ended, or why it did not begin. */
export type Run = Exclude<RunResult, { kind: 'missing' }> | { kind: 'noSender' | 'noContract' };
