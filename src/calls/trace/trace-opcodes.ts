// Every opcode of a transaction as JSON text, in the order in which they ran. What an entry says is the state after its
// opcode, as the mirror node has it.
import { gzipSync } from 'node:zlib';
import { Stop } from '../../../packages/machine/base/halt.ts';
import type { ActionType } from '../../../packages/machine/frame/action.ts';
import type { Frame } from '../../../packages/machine/frame/frame.ts';
import type { Machine, Tracer } from '../../../packages/machine/frame/machine.ts';
import { opcodeName } from '../../../packages/machine/opcodes/table.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import { createGzipText } from './gzip-text.ts';

export type TraceOptions = {
  stack: boolean;
  memory: boolean;
  storage: boolean;
  /** Members before all others, as text: `"address":"0x…",`. */
  head: string;
};

export type OpcodeTrace = {
  tracer: Tracer;
  /** The whole answer, compressed. */
  end(): Buffer;
};

type Slots = Map<string, string>;
/** What takes no opcodes: a call of a precompile or system contract. */
type Plain = { gas: number; op: string };

const wordDigits = 64;
/** Between two looks at the clock, characters: a few milliseconds. */
const lookEvery = 4_000_000;

/** `run`: the same without a trace. */
export function traceOpcodes(
  options: TraceOptions,
  { status, gasConsumed, output }: Finished,
  isTimeUp: () => boolean,
): OpcodeTrace {
  const text = createGzipText();
  let entries = 0;
  let lookAt = lookEvery;
  let gasBefore = 0;
  let pcBefore = 0;
  const plain: (Plain | null)[] = [];
  /** By operation that was begun last: names the calls of what has no opcodes. */
  let operation = '';

  const write = (entry: string): void => {
    text.add(entries === 0 ? entry : `,${entry}`);
    entries += 1;
    if (text.length() < lookAt) return;
    lookAt = text.length() + lookEvery;
    if (isTimeUp()) throw new Stop('time');
  };

  const tracer: Tracer = {
    before(frame, opcode) {
      gasBefore = frame.gas;
      pcBefore = frame.pc;
      operation = opcodeName(opcode);
    },
    after(frame, opcode, machine) {
      const gas = Math.max(frame.gas, 0);
      const pc = frame.state === 'running' ? frame.pc : pcBefore;
      const stack = options.stack ? formatStack(frame) : '[]';
      const memory = options.memory ? formatMemory(frame) : '[]';
      const storage = options.storage ? formatStorage(machine) : '{}';
      write(
        `{"depth":${frame.depth},"gas":${gas},"gas_cost":${gasBefore - gas},"memory":${memory},"op":"${opcodeName(opcode)}","pc":${pc},"reason":${formatReason(frame)},"stack":${stack},"storage":${storage}}`,
      );
    },
    enter({ gas }: Frame, type: ActionType) {
      plain.push(type === 'PRECOMPILE' || type === 'SYSTEM' ? { gas, op: operation } : null);
    },
    leave(frame: Frame) {
      const call = plain.pop();
      // The outermost has no caller whose opcode it could be.
      if (!call || frame.parent === null) return;
      const gas = Math.max(frame.gas, 0);
      write(
        `{"depth":${frame.depth},"gas":${gas},"gas_cost":${call.gas - gas},"memory":[],"op":"${call.op}","pc":0,"reason":${formatReason(frame)},"stack":[],"storage":{}}`,
      );
    },
  };
  text.add(`{${options.head}"failed":${status !== 'SUCCESS'},"gas":${gasConsumed},"opcodes":[`);
  return {
    tracer,
    end() {
      text.add(`],"return_value":"0x${Buffer.from(output).toString('hex')}"}`);
      return text.end();
    },
  };
}

/** Of a transaction that never ran. */
export function emptyTrace(head: string, isSuccess: boolean): Buffer {
  return gzipSync(`{${head}"failed":${!isSuccess},"gas":0,"opcodes":[],"return_value":"0x"}`);
}

function formatStack({ stack, size }: Frame): string {
  let text = '[';
  for (let at = 0; at < size; at++) {
    const digits = stack[at]!.toString(16);
    text += `${at === 0 ? '' : ','}"0x${digits.length % 2 === 1 ? '0' : ''}${digits}"`;
  }
  return `${text}]`;
}

function formatMemory({ memory, memoryLength }: Frame): string {
  const digits = Buffer.from(memory.buffer, memory.byteOffset, memoryLength).toString('hex');
  let text = '[';
  for (let at = 0; at < digits.length; at += wordDigits) {
    text += `${at === 0 ? '' : ','}"0x${digits.slice(at, at + wordDigits)}"`;
  }
  return `${text}]`;
}

/** All slots that the transaction has changed so far, of any contract, by slot. */
function formatStorage({ world }: Machine): string {
  const slots: Slots = new Map();
  for (const account of world.accounts) {
    for (const { slot, original, value } of account.slots.values()) {
      if (value !== original) slots.set(toWord(slot), toWord(value));
    }
  }
  const sorted = [...slots].sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([slot, value]) => `"0x${slot}":"0x${value}"`).join()}}`;
}

function toWord(word: bigint): string {
  return word.toString(16).padStart(wordDigits, '0');
}

function formatReason({ state, output }: Frame): string {
  return state === 'reverted' ? `"0x${Buffer.from(output).toString('hex')}"` : 'null';
}
