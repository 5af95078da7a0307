// The opcodes of a transaction as Ethereum clients list them (debug_traceTransaction without a tracer): each entry is
// the state before its opcode.
import { Stop } from '../../../packages/machine/base/halt.ts';
import type { Frame } from '../../../packages/machine/frame/frame.ts';
import { opcodeName } from '../../../packages/machine/opcodes/table.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import { createGzipText } from './gzip-text.ts';
import type { OpcodeTrace } from './trace-opcodes.ts';

export type StructLogOptions = {
  form: 'structLogs';
  stack: boolean;
  memory: boolean;
  storage: boolean;
  /** Text around the result. */
  head: string;
  tail: string;
};

const wordDigits = 64;
/** Between two looks at the clock, characters: a few milliseconds. */
const lookEvery = 4_000_000;
/** Characters. A client that parses more runs out of memory itself. */
const maxLength = 256 * 2 ** 20;
const [sload, sstore] = [0x54, 0x55];

/** `run`: the same without a trace. */
export function traceStructLogs(
  { stack, memory, storage, head, tail }: StructLogOptions,
  { status, gasConsumed, output }: Finished,
  isTimeUp: () => boolean,
): OpcodeTrace {
  const text = createGzipText();
  let isFirst = true;
  let lookAt = lookEvery;
  let before = '';
  let gasBefore = 0;

  const write = (entry: string): void => {
    text.add(isFirst ? entry : `,${entry}`);
    isFirst = false;
    if (text.length() < lookAt) return;
    lookAt = text.length() + lookEvery;
    if (text.length() > maxLength) throw new Stop('memory');
    if (isTimeUp()) throw new Stop('time');
  };

  text.add(
    `${head}{"gas":${gasConsumed},"failed":${status !== 'SUCCESS'},"returnValue":"${Buffer.from(output).toString('hex')}","structLogs":[`,
  );
  return {
    tracer: {
      before(frame, opcode) {
        const { pc, gas, depth } = frame;
        gasBefore = gas;
        const shown = `"stack":${stack ? formatStack(frame) : null},"memory":${memory ? formatMemory(frame) : null}`;
        before = `{"pc":${pc},"op":"${opcodeName(opcode)}","gas":${gas},"depth":${depth + 1},${shown}`;
      },
      after(frame, opcode) {
        const slots = storage ? formatSlots(frame, opcode) : null;
        const reason = frame.state === 'reverted' ? `"${Buffer.from(frame.output).toString('hex')}"` : null;
        write(`${before},"gasCost":${gasBefore - frame.gas},"storage":${slots},"reason":${reason}}`);
      },
    },
    end() {
      text.add(`]}${tail}`);
      return text.end();
    },
  };
}

function formatStack({ stack, size }: Frame): string {
  let text = '[';
  for (let at = 0; at < size; at++) text += `${at === 0 ? '' : ','}"${toWord(stack[at]!)}"`;
  return `${text}]`;
}

function formatMemory({ memory, memoryLength }: Frame): string {
  const digits = Buffer.from(memory.buffer, memory.byteOffset, memoryLength).toString('hex');
  let text = '[';
  for (let at = 0; at < digits.length; at += wordDigits) {
    text += `${at === 0 ? '' : ','}"${digits.slice(at, at + wordDigits)}"`;
  }
  return `${text}]`;
}

/** Where a slot is read or written: all of this contract's that were until then, as they are after it. */
function formatSlots({ account }: Frame, opcode: number): string {
  if (opcode !== sload && opcode !== sstore) return '{}';
  const slots = [...account.slots.values()].map(({ slot, value }) => `"${toWord(slot)}":"${toWord(value)}"`);
  return `{${slots.join()}}`;
}

function toWord(word: bigint): string {
  return word.toString(16).padStart(wordDigits, '0');
}
