// The tracers by name, as geth has them.

import { LongResult } from '../reading/method.ts';
import type { PartTracer, TracerConfig, TracerOptions } from '../reading/trace-options.ts';
import { toPathTraces } from '../shapes/call-tree.ts';
import { countSelectors, withoutPrecompiles } from '../shapes/call-views.ts';
import type { Changes } from '../shapes/state-diff.ts';
import type { Execution } from './executions.ts';
import { readTrace } from './reruns.ts';

/** An answer of its own may be longer than a text; a part of one is a value. `usual`: where no tracer is named. */
export async function trace(
  execution: Execution,
  { tracer, config, parts }: TracerOptions,
  { usual, isPart }: { usual: 'callTracer' | 'opcodeLogger'; isPart: boolean },
): Promise<unknown> {
  const name = tracer ?? usual;
  if (name === 'muxTracer') {
    const found: [string, unknown][] = [];
    for (const [part, ofPart] of parts) found.push([part, await partTracers[part](execution, ofPart)]);
    return Object.fromEntries(found);
  }
  if (name === 'opcodeLogger' ? !execution.hasRun : isPart || name !== 'prestateTracer' || isEmpty(execution, config)) {
    return name === 'opcodeLogger' ? noOpcodes : partTracers[name](execution, config);
  }
  const shown = name === 'opcodeLogger' ? toStructLogs(config) : toPrestate(config);
  return new LongResult((head, tail) => execution.run({ ...shown, head, tail }, howOf(config)));
}

const partTracers: Readonly<Record<PartTracer, (execution: Execution, config: TracerConfig) => unknown>> = {
  '4byteTracer': async (execution) => countSelectors(await execution.calls(allCalls)),
  callTracer: (execution, { onlyTopCall: isTopOnly = false, withLog = false }) =>
    execution.calls({ isTopOnly, withLog }),
  async flatCallTracer(execution, { convertParityErrors = false, includePrecompiles = false }) {
    const { place, hasRun } = execution;
    // A transfer that only logs tell of has no call.
    if (!hasRun && place === null) return [];
    const root = await execution.calls(allCalls);
    const style = { errors: convertParityErrors ? 'parity' : 'geth', results: 'geth' } as const;
    return toPathTraces(includePrecompiles ? root : withoutPrecompiles(root), place ?? noPlace, style);
  },
  noopTracer: () => ({}),
  prestateTracer: readStates,
};

export const allCalls = { isTopOnly: false, withLog: false };
/** Of a call that is in no block. */
const noPlace = { blockHash: null, blockNumber: null, transactionHash: null, transactionPosition: null };

async function readStates(execution: Execution, config: TracerConfig): Promise<unknown> {
  if (isEmpty(execution, config)) return config.diffMode ? { post: {}, pre: {} } : {};
  const body = await execution.run({ ...toPrestate(config), head: '', tail: '' }, howOf(config));
  return readTrace(body, execution.text);
}

/** Of what did not run there are no states, and of what was undone no changes. */
function isEmpty({ hasRun, isUndone }: Execution, { diffMode }: TracerConfig): boolean {
  return !hasRun || (isUndone && diffMode === true);
}

/** Throws RpcError. */
export function readChanges(execution: Execution): Promise<Changes> {
  return readStates(execution, { diffMode: true }) as Promise<Changes>;
}

export const changesForm = { ...toPrestate({ diffMode: true }), head: '', tail: '' };

/** Of a transaction that the network refused, or that is none of a contract. */
const noOpcodes = { gas: 0, failed: false, returnValue: '', structLogs: [] };

function toStructLogs({ enableMemory, disableStack, disableStorage }: TracerConfig) {
  const shown = { memory: enableMemory === true, stack: disableStack !== true, storage: disableStorage !== true };
  return { form: 'structLogs' as const, ...shown };
}

function toPrestate({ onlyTopCall, diffMode, disableCode, disableStorage }: TracerConfig) {
  const shown = { isTopOnly: onlyTopCall === true, isDiff: diffMode === true };
  return { form: 'prestate' as const, ...shown, code: disableCode !== true, storage: disableStorage !== true };
}

/** What was changed is said only where the run ends as the ledger says. */
function howOf({ diffMode }: TracerConfig) {
  return { mustAgree: diffMode === true };
}
