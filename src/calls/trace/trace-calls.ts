// The calls of a run, and its logs with the call that emitted each: plain values, in the order in which they began.
import type { Action } from '../../../packages/machine/frame/action.ts';
import type { Log } from '../../../packages/machine/frame/log.ts';
import type { Machine } from '../../../packages/machine/frame/machine.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import { createGzipText } from './gzip-text.ts';
import type { OpcodeTrace } from './trace-opcodes.ts';
import { weibarPerTinybar } from './trace-prestate.ts';

/** More calls, or more bytes of their data, are not listed. */
export type CallsOptions = { form: 'calls'; maxCalls: number; maxBytes: number };

/** Quantities (weibar) and bytes as hex. The first has the gas of the whole transaction. */
type TracedCall = {
  depth: number;
  type: Action['operation'];
  from: string;
  to: string | null;
  gas: string;
  gasUsed: string;
  input: string;
  output: string;
  value: string;
  result: Action['result'];
};

/** What stayed. `call`: its place in the list; `position`: how many calls this one had made before. */
export type TracedLog = { call: number; position: number; address: string; topics: string[]; data: string };

export type TracedCalls = { calls: TracedCall[]; logs: TracedLog[]; exceeded: 'calls' | 'bytes' | null };

type Place = { call: number; position: number };

/** `run`: the same without a trace. */
export function traceCalls({ maxCalls, maxBytes }: CallsOptions, { gasConsumed }: Finished): OpcodeTrace {
  const open: Place[] = [];
  /** Of each log that there is until now. */
  const places: Place[] = [];
  /** Of each call: the account that made it. */
  const callers: bigint[] = [];
  let traced: TracedCalls = { calls: [], logs: [], exceeded: null };

  /** What the current call has emitted since the last look; what failed has taken its logs along. */
  const look = ({ logs }: Machine): void => {
    places.length = Math.min(places.length, logs.length);
    while (places.length < logs.length) places.push({ ...open.at(-1)! });
  };

  return {
    tracer: {
      enter({ parent, caller }, _type, machine) {
        if (parent !== null) {
          look(machine);
          open.at(-1)!.position += 1;
        }
        open.push({ call: callers.length, position: 0 });
        callers.push(parent === null ? caller : parent.account.address);
      },
      leave({ parent }, machine) {
        look(machine);
        open.pop();
        if (parent === null) traced = toTraced(machine);
      },
    },
    end() {
      const text = createGzipText();
      text.add(JSON.stringify(traced));
      return text.end();
    },
  };

  function toTraced({ actions, logs, gasLimit }: Machine): TracedCalls {
    const list = actions ?? [];
    const ofCalls = list.reduce((sum, { input, initCode, data }) => sum + (initCode ?? input).length + data.length, 0);
    const bytes = logs.reduce((sum, { data }) => sum + data.length, ofCalls);
    const exceeded = list.length > maxCalls ? 'calls' : bytes > maxBytes ? 'bytes' : null;
    if (exceeded) return { calls: [], logs: [], exceeded };
    const calls = list.map((action, at) => toCall(action, callers[at]!));
    if (calls[0]) Object.assign(calls[0], { gas: quantity(gasLimit), gasUsed: quantity(gasConsumed) });
    return { calls, logs: logs.map((log, at) => toLog(log, places[at]!)), exceeded };
  }
}

function toCall(
  { depth, operation: type, target, initCode, input, value, ...end }: Action,
  caller: bigint,
): TracedCall {
  return {
    ...{ depth, type, from: padded(caller, 40), to: target === null ? null : padded(target, 40) },
    ...{ gas: quantity(end.gas), gasUsed: quantity(end.gasUsed), value: quantity(value * weibarPerTinybar) },
    ...{ input: hex(initCode ?? input), output: hex(end.data), result: end.result },
  };
}

function toLog({ address, topics, data }: Log, place: Place): TracedLog {
  return { ...place, address: padded(address, 40), topics: topics.map((topic) => padded(topic, 64)), data: hex(data) };
}

const quantity = (value: bigint | number): string => `0x${value.toString(16)}`;
const padded = (value: bigint, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`;
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
