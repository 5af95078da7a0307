// `trace_call…` and `trace_replay…` of OpenEthereum and Erigon: the calls of an execution, and what it changed.
import type { ContractCall } from '../machine/machine.ts';
import { blockOfCall, blockOfContents } from '../reading/block-kinds.ts';
import type { RpcContext } from '../reading/context.ts';
import { contractCall } from '../reading/contract-call.ts';
import { findBlock } from '../reading/find-block.ts';
import { type Kind, listOf } from '../reading/kind.ts';
import { type BlockReference, transactionHash } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { type TraceType, traceTypes } from '../reading/trace-options.ts';
import { type CallFrame, type PathTrace, toPathTraces, toTracedRoot } from '../shapes/call-tree.ts';
import { type AccountDiff, type Changes, toStateDiff } from '../shapes/state-diff.ts';
import { RpcError, Untraceable } from '../terms/rpc-error.ts';
import { readTransactions } from './block-contents.ts';
import { toStateBlock } from './call-methods.ts';
import { createBounds, type Execution, executionIn, findRecorded } from './executions.ts';
import { callsForm, createTextBudget, readTrace, readTracedCalls } from './reruns.ts';
import { allCalls, changesForm, readChanges } from './tracers.ts';
import { isTransfer } from './transaction-methods.ts';

type Replayed = {
  output: string;
  stateDiff: Record<string, AccountDiff> | null;
  trace: PathTrace<object>[];
  vmTrace: null;
};

function toReplayed(root: CallFrame, changes: Changes | null, types: readonly TraceType[]): Replayed {
  return {
    output: root.output,
    stateDiff: changes && toStateDiff(changes),
    trace: types.includes('trace') ? toPathTraces(root, {}) : [],
    vmTrace: null,
  };
}

async function replay(execution: Execution, types: readonly TraceType[]): Promise<Replayed> {
  const root = await execution.calls({ ...allCalls, isTopOnly: !types.includes('trace') });
  return toReplayed(root, types.includes('stateDiff') ? await readChanges(execution) : null, types);
}

/** Of a transfer of tokens that only logs tell of. */
function toEmptyReplay(types: readonly TraceType[]): Replayed {
  return { output: '0x', stateDiff: types.includes('stateDiff') ? {} : null, trace: [], vmTrace: null };
}

async function replayTransaction(context: RpcContext, hash: Buffer, types: TraceType[]): Promise<Replayed | null> {
  const execution = await findRecorded(context, hash, createBounds(context));
  if (execution) return replay(execution, types);
  return (await isTransfer(context.ledger, hash)) ? toEmptyReplay(types) : null;
}

/** null = there is no such block. */
async function replayBlock(context: RpcContext, reference: BlockReference, types: TraceType[]) {
  const block = await findBlock(context.ledger, reference);
  if (!block) return null;
  const bounds = createBounds(context);
  const transactions = await readTransactions(context.ledger, block, { isWhole: true });
  if (types.includes('stateDiff')) bounds.reruns.expect(transactions.filter(({ row }) => row).length);
  const replayed: (Replayed & { transactionHash: string })[] = [];
  for (const one of transactions) {
    const execution = executionIn(context, block, one, bounds);
    // Explorers count its place in the list as that in the block.
    if (!execution) {
      replayed.push({ ...toEmptyReplay(types), transactionHash: one.hash });
      continue;
    }
    try {
      replayed.push({ ...(await replay(execution, types)), transactionHash: one.hash });
    } catch (error) {
      if (!(error instanceof Untraceable)) throw error;
      throw new RpcError(error.code, `${one.hash}: ${error.message}`, error.data);
    }
  }
  return replayed;
}

type Asked = { call: ContractCall; types: TraceType[] };

/** Each call on the state that the one before leaves. */
async function traceCalls({ machine }: RpcContext, asked: readonly Asked[], reference: BlockReference) {
  const steps = asked.map(({ call, types }) => ({
    call,
    shown: [callsForm, ...(types.includes('stateDiff') ? [changesForm] : [])],
  }));
  const found = await machine.traceCalls(steps, { block: toStateBlock(reference), overrides: [] });
  const budget = createTextBudget();
  return found.map(([calls, changes], at): Replayed => {
    const root = toTracedRoot(readTracedCalls(calls!, budget), allCalls);
    return toReplayed(root, changes ? readTrace<Changes>(changes, budget) : null, asked[at]!.types);
  });
}

const maxCalls = 100;
const asked: Kind<Asked> = {
  error: 'Expected [call, trace types]',
  read(value) {
    if (!Array.isArray(value) || value.length !== 2) return undefined;
    const [call, types] = [contractCall.read(value[0]), traceTypes.read(value[1])];
    return call && types && { call, types };
  },
};
const manyAsked = listOf(asked, `Expected an array of up to ${maxCalls} [call, trace types]`, maxCalls);

export const adHocTraceMethods: Readonly<Record<string, Method>> = {
  trace_call: about(
    ['call', 'trace types', 'block: tag, number, hash or object; without it the newest'],
    'the calls, and what they would change, of what `eth_call` would run. See Traces',
    method([contractCall, traceTypes, blockOfCall], async (context, call, types, reference) => {
      const [found] = await traceCalls(context, [{ call, types }], reference);
      return found;
    }),
  ),
  trace_callMany: about(
    ['list of up to 100 [call, trace types]', 'block: tag, number, hash or object; without it the newest'],
    'the same of calls one after the other, each on the state that the one before leaves. See Traces',
    method([manyAsked, blockOfCall], traceCalls),
  ),
  trace_replayBlockTransactions: about(
    ['block: tag, number, hash or object', 'trace types'],
    'the same of each transaction of the block, or null. See Traces',
    method([blockOfContents, traceTypes], replayBlock),
  ),
  trace_replayTransaction: about(
    ['hash of a transaction', 'trace types'],
    'the calls of the transaction, and what they changed; or null. See Traces',
    method([transactionHash, traceTypes], replayTransaction),
  ),
};
