// What a frame leaves to the one that called it.
import { type Halt, halts } from '../base/halt.ts';
import { type Frame, noBytes } from '../frame/frame.ts';
import type { Machine } from '../frame/machine.ts';
import { limits, prices } from '../rules/gas-prices.ts';
import { endAction } from './actions.ts';

/** After a frame stopped, reverted or halted: the parent goes on. */
export function endFrame(frame: Frame, machine: Machine): void {
  if (frame.isCreation && frame.state === 'stopped') depositCode(frame, machine);
  if (frame.state !== 'stopped') undo(frame, machine);
  if (frame.state === 'halted') {
    frame.gas = 0;
    frame.output = noBytes;
  }
  endAction(machine, frame.action, frame);
  machine.tracer?.leave?.(frame, machine);
  machine.memory -= frame.memory.length + (frame.isCreation ? frame.code.bytes.length : 0);
  const { parent } = frame;
  machine.frame = parent;
  if (parent !== null) resume(parent, frame);
}

export function haltFrame(frame: Frame, halt: Halt): void {
  frame.state = 'halted';
  frame.halt = halt;
}

function undo(frame: Frame, machine: Machine): void {
  machine.world.journal.revertTo(frame.mark);
  machine.refund = frame.refundBefore;
  const { logs } = machine;
  for (let at = frame.logsBefore; at < logs.length; at++) machine.memory -= logs[at]!.data.length;
  logs.length = frame.logsBefore;
}

function resume(parent: Frame, child: Frame): void {
  if (child.state === 'halted' && child.halt!.endsAll) {
    haltFrame(parent, child.halt!);
    return;
  }
  parent.state = 'running';
  parent.gas += child.gas;
  const succeeded = child.state === 'stopped';
  parent.returnData = child.isCreation && succeeded ? noBytes : child.output;
  const result = succeeded ? (child.isCreation ? child.account.address : 1n) : 0n;
  parent.stack[parent.size++] = result;
  if (!child.isCreation) returnInto(parent, child);
}

function returnInto(parent: Frame, { output, outputStart, outputLength }: Frame): void {
  if (outputLength === 0 || output.length === 0) return;
  parent.memory.set(output.length > outputLength ? output.subarray(0, outputLength) : output, outputStart);
}

/** What init code returned becomes the code of the contract. */
function depositCode(frame: Frame, { world }: Machine): void {
  const { output } = frame;
  const gas = output.length * prices.codeByte;
  if (output.length > limits.codeLength) haltFrame(frame, halts.codeTooLarge);
  else if (output[0] === 0xef) haltFrame(frame, halts.invalidCode);
  else if (gas > frame.gas) haltFrame(frame, halts.outOfGas);
  else {
    frame.gas -= gas;
    frame.output = output.slice();
    world.setCode(frame.account, frame.output);
  }
}
