// What one answer may run again: together it counts as one trace of a second, and its transactions, its time and its
// text are bounded.
import { gunzipSync } from 'node:zlib';
import type { RpcTraceOptions } from '../../../calls/trace/open-trace.ts';
import type { TracedCalls } from '../../../calls/trace/trace-calls.ts';
import type { ContractResultDetail } from '../../../ledger/contracts/create-contract-results.ts';
import type { RpcContext } from '../reading/context.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { maxBytes, maxCalls } from './trace-budget.ts';

/** Everything throws RpcError. */
export type Reruns = {
  /** Before the first: whether as many may be run. */
  expect(count: number): void;
  /** JSON, compressed. See Machine. */
  run(result: ContractResultDetail, shown: RpcTraceOptions, how?: { mustAgree: boolean }): Promise<Uint8Array>;
};

const maxReruns = 100;
const maxMs = 10_000;

export function createReruns({ machine }: Pick<RpcContext, 'machine'>): Reruns {
  let until: number | null = null;
  return {
    expect(count) {
      if (count > maxReruns) throw rpcError.tooManyReruns(maxReruns);
    },
    async run(result, shown, how) {
      if (until === null) {
        machine.enterTrace();
        until = performance.now() + maxMs;
      }
      if (performance.now() > until) throw rpcError.busy();
      return machine.trace(result, shown, how);
    },
  };
}

/** What traces of an answer take as text together. */
export type TextBudget = { left: number };
const maxText = 64 * 2 ** 20;

export function createTextBudget(): TextBudget {
  return { left: maxText };
}

/** Throws RpcError for a trace that is too long. */
export function readTrace<T>(body: Uint8Array, budget: TextBudget): T {
  let text: Buffer;
  try {
    text = gunzipSync(body, { maxOutputLength: Math.max(1, budget.left) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw rpcError.longTraceText(maxText);
  }
  budget.left -= text.length;
  return JSON.parse(text.toString()) as T;
}

export const callsForm = { form: 'calls', maxCalls, maxBytes } as const;

/** Throws RpcError for more calls than an answer may hold. */
export function readTracedCalls(body: Uint8Array, budget: TextBudget): TracedCalls {
  const traced = readTrace<TracedCalls>(body, budget);
  if (traced.exceeded === 'calls') throw rpcError.tooManyActions(maxCalls);
  if (traced.exceeded === 'bytes') throw rpcError.longTraces(maxBytes);
  return traced;
}
