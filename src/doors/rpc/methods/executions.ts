// What tracers ask: a transaction that the ledger has, or a call that only this server runs.
import { wasRun, wasUndone } from '../../../calls/rerun/compare-run.ts';
import type { RpcTraceOptions } from '../../../calls/trace/open-trace.ts';
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import type { ContractResultDetail } from '../../../ledger/contracts/create-contract-results.ts';
import type { CallPlace, ContractCall } from '../machine/machine.ts';
import type { RpcContext } from '../reading/context.ts';
import { type CallFrame, type CallsShown, placeLog, type TracePlace, toTracedRoot } from '../shapes/call-tree.ts';
import type { RpcLog } from '../shapes/log.ts';
import type { ResultRow } from '../shapes/transaction.ts';
import { hash32OfText } from '../terms/hex.ts';
import type { BlockTransaction } from './block-contents.ts';
import { readCalls, traceCallsWithLogs, traceOfLog } from './recorded-calls.ts';
import { callsForm, createReruns, createTextBudget, type Reruns, readTracedCalls, type TextBudget } from './reruns.ts';
import { createTraceBudget, type TraceBudget } from './trace-budget.ts';
import { findResult } from './transaction-methods.ts';

/** Everything throws RpcError. */
export type Execution = {
  /** null: it is in no block. */
  place: TracePlace | null;
  /** Whether code ran, as far as a trace of it goes. */
  hasRun: boolean;
  /** Whether what it changed was undone with its batch. */
  isUndone: boolean;
  calls(shown: CallsShown): Promise<CallFrame>;
  /** JSON, compressed. `mustAgree`: see Machine. */
  run(shown: RpcTraceOptions, how?: { mustAgree: boolean }): Promise<Uint8Array>;
  text: TextBudget;
};

/** Of the ledger. */
export type RecordedExecution = Execution & { place: TracePlace };

/** Of one answer. */
export type ExecutionBounds = { budget: TraceBudget; reruns: Reruns; text: TextBudget };

export function createBounds(context: RpcContext): ExecutionBounds {
  return { budget: createTraceBudget(), reruns: createReruns(context), text: createTextBudget() };
}

type RecordedRow = {
  row: ResultRow;
  place: TracePlace;
  hasLogs: boolean;
  /** The same transaction, whole. */
  detail(): Promise<ContractResultDetail | null>;
};

function recordedExecution(
  { ledger, turns }: RpcContext,
  { row, place, hasLogs, detail }: RecordedRow,
  { budget, reruns, text }: ExecutionBounds,
): RecordedExecution {
  const rerun = async (shown: RpcTraceOptions, how?: { mustAgree: boolean }): Promise<Uint8Array> =>
    reruns.run((await detail())!, shown, how);
  return {
    ...{ place, text, hasRun: wasRun(row), isUndone: wasUndone(row), run: rerun },
    async calls({ isTopOnly, withLog }) {
      const showsLogs = withLog && hasLogs;
      const read = () => readCalls(ledger, row, { isTopOnly: isTopOnly && !showsLogs, budget });
      // Of a block, a search or a batch there are many.
      const recorded = await turns.take(read);
      return traceCallsWithLogs(recorded, showsLogs ? await detail() : null, {
        isTopOnly,
        rerun: async () => readTracedCalls(await rerun(callsForm, { mustAgree: true }), text),
      });
    },
  };
}

/** null = there is none under that hash. */
export async function findRecorded(
  context: RpcContext,
  hash: Buffer,
  bounds: ExecutionBounds,
): Promise<RecordedExecution | null> {
  const row = await findResult(context.ledger, hash);
  if (!row) return null;
  const place = {
    blockHash: hash32OfText(row.blockHash),
    blockNumber: Number(row.blockNumber),
    transactionHash: `0x${hash.toString('hex')}`,
    transactionPosition: row.transactionIndex ?? 0,
  };
  return recordedExecution(context, { row, place, hasLogs: row.logs.length > 0, detail: async () => row }, bounds);
}

/** null = nothing ran. */
export function executionIn(
  context: RpcContext,
  block: ChainBlock,
  { row, hash, index, logs }: BlockTransaction,
  bounds: ExecutionBounds,
): RecordedExecution | null {
  if (!row) return null;
  const place = {
    blockHash: hash32OfText(block.hash),
    blockNumber: Number(block.number),
    transactionHash: hash,
    transactionPosition: Number(index),
  };
  let found: ReturnType<typeof findResult> | undefined;
  const detail = () => {
    found ??= findResult(context.ledger, Buffer.from(hash.slice(2), 'hex'));
    return found;
  };
  return recordedExecution(context, { row, place, hasLogs: logs.length > 0, detail }, bounds);
}

/** A transfer of tokens that only logs tell of: nothing ran. */
export function transferExecution({ ledger }: RpcContext, logs: readonly RpcLog[]): Execution {
  return {
    ...{ place: null, hasRun: false, isUndone: false, text: createTextBudget() },
    async calls({ withLog }) {
      const placed = logs.map((log) => placeLog(log, log.logIndex, { position: 0 }));
      return { ...(await traceOfLog(ledger, logs[0]!)), ...(withLog ? { logs: placed } : {}) };
    },
    run: () => Promise.reject(new Error('Nothing ran.')),
  };
}

export function calledExecution({ machine }: RpcContext, call: ContractCall, at: CallPlace): Execution {
  const text = createTextBudget();
  const run = async (shown: RpcTraceOptions): Promise<Uint8Array> =>
    (await machine.traceCalls([{ call, shown: [shown] }], at))[0]![0]!;
  let traced: ReturnType<typeof readTracedCalls> | undefined;
  return {
    ...{ place: null, hasRun: true, isUndone: false, text, run },
    async calls(shown) {
      traced ??= readTracedCalls(await run(callsForm), text);
      return toTracedRoot(traced, shown);
    },
  };
}
