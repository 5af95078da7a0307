// Calls inside of a transaction as a tree, in the shape of geth's callTracer, and as the list of paths that OpenEthereum
// and Erigon answer from `trace_…`, and geth's flatCallTracer.
import { readRevertReason } from '../../../../packages/abi/revert-reason.ts';
import type { TracedCalls, TracedLog } from '../../../calls/trace/trace-calls.ts';
import { hex, quantity } from '../terms/hex.ts';

/** Quantities and bytes as hex. */
export type CallFrame = {
  type: string;
  from: string | null;
  /** null: a creation that got no address. */
  to: string | null;
  gas: string;
  gasUsed: string;
  input: string;
  output: string;
  value: string;
  /** What ended it. What it and the calls inside of it did is undone, also the value that it sent. */
  error?: string;
  revertReason?: string;
  calls?: CallFrame[];
  logs?: FrameLog[];
};

/** `index`: in the transaction; `position`: how many calls its call had made before. Quantities and bytes as hex. */
export type FrameLog = { address: string; topics: string[]; data: string; index: string; position: string };

/** `calls`: whether those inside of the outermost one; `logs`: whether those that stayed. */
export type CallsShown = { isTopOnly: boolean; withLog: boolean };

/** In the order in which they began, the outermost first. */
export function toRoot(
  calls: readonly CallFrame[],
  depths: readonly number[],
  { isTopOnly, logs }: { isTopOnly: boolean; logs: readonly { call: number; log: FrameLog }[] },
): CallFrame {
  for (const { call, log } of logs) {
    const frame = calls[call]!;
    frame.logs ??= [];
    frame.logs.push(isTopOnly ? { ...log, position: '0x0' } : log);
  }
  return { ...calls[0]!, calls: isTopOnly ? [] : toCallTree(calls.slice(1), depths.slice(1)) };
}

/** Of what was run here. */
export function toTracedRoot({ calls, logs }: TracedCalls, { isTopOnly, withLog }: CallsShown): CallFrame {
  const frames = calls.map(({ depth: _depth, result, output, ...call }) => ({
    ...call,
    ...toEnd(result, Buffer.from(output.slice(2), 'hex')),
  }));
  const placed = logs.map((log, index) => ({ call: log.call, log: placeLog(log, quantity(index), log) }));
  const depths = calls.map(({ depth }) => depth);
  return toRoot(frames, depths, { isTopOnly, logs: withLog ? placed : [] });
}

export function placeLog(
  { address, topics, data }: Pick<FrameLog, 'address' | 'topics' | 'data'>,
  index: string,
  { position }: Pick<TracedLog, 'position'>,
): FrameLog {
  return { address, topics, data, index, position: quantity(position) };
}

/** Of what halted there is the name of the halt in place of an output. */
export function toEnd(
  result: TracedCalls['calls'][number]['result'],
  data: Buffer,
): Pick<CallFrame, 'output' | 'error' | 'revertReason'> {
  if (result === 'error') return { output: '0x', error: data.toString() };
  const output = hex(data);
  if (result === 'output') return { output };
  const reason = readRevertReason(data);
  return { output, error: reverted, ...(reason !== '' && { revertReason: reason }) };
}

/**
 * Puts each call into that which made it.
 *
 * @param depths of each call, in the order in which they began; those of the outermost list may be any
 */
export function toCallTree(calls: readonly CallFrame[], depths: readonly number[]): CallFrame[] {
  const outermost: CallFrame[] = [];
  const open: { depth: number; call: CallFrame }[] = [];
  for (const [at, call] of calls.entries()) {
    const depth = depths[at]!;
    while (open.length > 0 && open.at(-1)!.depth >= depth) open.pop();
    const parent = open.at(-1)?.call;
    if (parent) {
      parent.calls ??= [];
      parent.calls.push(call);
    } else outermost.push(call);
    open.push({ depth, call });
  }
  return outermost;
}

export type TracePlace = {
  blockHash: string;
  blockNumber: number;
  transactionHash: string;
  transactionPosition: number;
};

/** A call with the way to it: places in the lists of calls, from the outermost on. */
export type PathTrace<Place = TracePlace> = Place & {
  type: 'call' | 'create';
  action: Record<string, string | null>;
  result?: Record<string, string | null> | null;
  error?: string;
  subtraces: number;
  traceAddress: number[];
};

/**
 * `parity`: a call that failed has no result, and its error has the name that OpenEthereum gives it. `geth`: the error
 * is that of the tree, and what was reverted with stays; without any result the member is left out.
 */
type PathStyle = { errors: 'parity' | 'geth'; results: 'parity' | 'geth' };
const parity: PathStyle = { errors: 'parity', results: 'parity' };

/** The tree as a list, each call before those inside of it. */
export function toPathTraces<Place extends object>(root: CallFrame, place: Place, style = parity): PathTrace<Place>[] {
  return listCalls(root).map(({ call, path }) => ({
    ...{ ...toPathTrace(call, style), ...place },
    ...{ subtraces: call.calls?.length ?? 0, traceAddress: path },
  }));
}

/** Each call before those inside of it, with the way to it; without those that are not meant, and what is inside of them. */
export function listCalls(
  root: CallFrame,
  isMeant: (call: CallFrame) => boolean = () => true,
): { call: CallFrame; path: number[] }[] {
  const listed: { call: CallFrame; path: number[] }[] = [];
  const waiting: { call: CallFrame; path: number[] }[] = [{ call: root, path: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (!isMeant(next.call)) continue;
    listed.push(next);
    const { calls = [] } = next.call;
    for (let at = calls.length - 1; at >= 0; at--) waiting.push({ call: calls[at]!, path: [...next.path, at] });
  }
  return listed;
}

function toPathTrace(
  call: CallFrame,
  { errors, results }: PathStyle,
): Pick<PathTrace, 'type' | 'action' | 'result' | 'error'> {
  const { type, from, to, gas, gasUsed, input, output, value, error } = call;
  const isCreation = type.startsWith('CREATE');
  const name = error === undefined ? undefined : (errorNames.get(error) ?? error);
  const failure = error === undefined ? null : { error: errors === 'parity' ? name! : error };
  const whole: Record<string, string | null> = isCreation
    ? { address: to, code: output, gasUsed }
    : { gasUsed, output };
  const result = failure ? toFailed(name === 'Reverted' ? whole : null, results) : { result: whole };
  if (isCreation) {
    const action = { creationMethod: type.toLowerCase(), from, gas, init: input, value };
    return { type: 'create', action, ...result, ...failure };
  }
  return { type: 'call', action: { callType: type.toLowerCase(), from, to, gas, input, value }, ...result, ...failure };
}

function toFailed(reverted: Record<string, string | null> | null, style: 'parity' | 'geth') {
  if (style === 'parity') return { result: null };
  if (!reverted) return {};
  const { address: _none, ...result } = reverted;
  return { result };
}

const reverted = 'execution reverted';

/** As OpenEthereum names them; others keep the name that the ledger gives them. */
const errorNames: ReadonlyMap<string, string> = new Map([
  [reverted, 'Reverted'],
  ['CONTRACT_REVERT_EXECUTED', 'Reverted'],
  ['INSUFFICIENT_GAS', 'Out of gas'],
]);
