// `debug_trace…` of geth: the calls inside of a transaction as the network recorded them; opcodes, states before and
// after it, and traces of calls by running them here.

import type { ContractCall } from '../machine/machine.ts';
import { blockOfCall } from '../reading/block-kinds.ts';
import type { RpcContext } from '../reading/context.ts';
import { contractCall } from '../reading/contract-call.ts';
import { findBlock, textOfBlock } from '../reading/find-block.ts';
import { optional } from '../reading/kind.ts';
import { type BlockReference, blockHash, blockNumber, transactionHash } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { callTracerOptions, type TracerOptions, tracerOptions } from '../reading/trace-options.ts';
import { rpcError, Untraceable } from '../terms/rpc-error.ts';
import { type BlockTransaction, readTransactions } from './block-contents.ts';
import { toStateBlock } from './call-methods.ts';
import {
  calledExecution,
  createBounds,
  type Execution,
  executionIn,
  findRecorded,
  transferExecution,
} from './executions.ts';
import { trace } from './tracers.ts';
import { findLogs } from './transaction-methods.ts';

const noOptions: TracerOptions = { config: {}, parts: [] };

async function traceTransaction(context: RpcContext, hash: Buffer, options = noOptions): Promise<unknown> {
  const execution = (await findRecorded(context, hash, createBounds(context))) ?? (await findTransfer(context, hash));
  if (execution) return trace(execution, options, { usual: 'opcodeLogger', isPart: false });
  throw rpcError.notFound(`Failed to retrieve transaction information for 0x${hash.toString('hex')}`);
}

async function findTransfer(context: RpcContext, hash: Buffer): Promise<Execution | null> {
  const { logs } = await findLogs(context.ledger, hash);
  return logs.length > 0 ? transferExecution(context, logs) : null;
}

async function traceBlock(context: RpcContext, reference: BlockReference, options = noOptions): Promise<unknown> {
  if (options.tracer === 'opcodeLogger') throw rpcError.unsupportedMethod();
  const block = await findBlock(context.ledger, reference);
  if (!block) throw rpcError.notFound(`Block ${textOfBlock(reference)} not found`);
  const transactions = await readTransactions(context.ledger, block, { isWhole: true });
  const bounds = createBounds(context);
  bounds.reruns.expect(countReruns(transactions, options));
  const traces: { txHash: string; result?: unknown; error?: string }[] = [];
  for (const one of transactions) {
    const execution = executionIn(context, block, one, bounds) ?? transferExecution(context, one.logs);
    try {
      const result = await trace(execution, options, { usual: 'callTracer', isPart: true });
      traces.push({ txHash: one.hash, result });
    } catch (error) {
      if (!(error instanceof Untraceable)) throw error;
      traces.push({ txHash: one.hash, error: error.message });
    }
  }
  return traces;
}

/** At most. */
function countReruns(
  transactions: readonly BlockTransaction[],
  { tracer = 'callTracer', config, parts }: TracerOptions,
) {
  const asked = [[tracer, config] as const, ...parts];
  const executions = transactions.filter(({ row }) => row);
  const counts = asked.map(([name, { withLog }]) => {
    if (name === 'prestateTracer') return executions.length;
    return name === 'callTracer' && withLog ? executions.filter(({ logs }) => logs.length > 0).length : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

type CallOptions = NonNullable<ReturnType<typeof callTracerOptions.read>>;

async function traceCall(
  context: RpcContext,
  call: ContractCall,
  reference: BlockReference,
  options: CallOptions = noOptions,
): Promise<unknown> {
  const { stateOverrides: overrides = [], blockOverrides, ...traced } = options;
  // As costly as an opcode trace of a transaction.
  if ((traced.tracer ?? 'opcodeLogger') === 'opcodeLogger') context.machine.enterTrace();
  const at = { block: toStateBlock(reference), overrides, ...(blockOverrides ? { blockOverrides } : {}) };
  return trace(calledExecution(context, call, at), traced, { usual: 'opcodeLogger', isPart: false });
}

export const traceMethods: Readonly<Record<string, Method>> = {
  debug_traceCall: about(
    ['call', 'block: tag, number, hash or object', 'tracer and its options, overrides of state and block, optional'],
    'a trace of what `eth_call` would run; without a tracer opcodes. See Traces',
    method([contractCall, blockOfCall, optional(callTracerOptions)], traceCall),
  ),
  debug_traceTransaction: about(
    ['hash of a transaction', 'tracer and its options, optional'],
    'the trace; without a tracer opcodes. See Traces',
    method([transactionHash, optional(tracerOptions)], traceTransaction),
  ),
  debug_traceBlockByNumber: about(
    ['number or tag', 'tracer and its options, optional'],
    'a trace of each transaction; without a tracer calls. See Traces',
    method([blockNumber, optional(tracerOptions)], traceBlock),
  ),
  debug_traceBlockByHash: about(
    ['hash of a block', 'tracer and its options, optional'],
    'a trace of each transaction; without a tracer calls. See Traces',
    method([blockHash, optional(tracerOptions)], traceBlock),
  ),
};
