// The loop over opcodes, without an `await`: frames are kept in a list of their own, so that 1,024 calls deep take no
// stack of the process.

import { Halt, halts } from '../base/halt.ts';
import { endFrame, haltFrame } from '../calls/end-frame.ts';
import type { Frame } from '../frame/frame.ts';
import { lookAtLimits, type Machine } from '../frame/machine.ts';

/** Until no frame is left. Throws Stop. */
export function runFrames(machine: Machine): void {
  const run = machine.tracer?.before || machine.tracer?.after ? traceFrame : runFrame;
  while (machine.frame !== null) {
    const { frame } = machine;
    if (frame.state === 'running') {
      try {
        run(frame, machine);
      } catch (error) {
        if (!(error instanceof Halt)) throw error;
        haltFrame(frame, error);
      }
    }
    // While it waits for a call, that is the machine's frame.
    if (frame.state !== 'suspended') endFrame(frame, machine);
  }
}

/**
 * A handler for PUSH1, DUP1, SWAP1 and JUMPDEST here instead of in the table would gain 5 % of a loop of arithmetic.
 */
function runFrame(frame: Frame, machine: Machine): void {
  const { handlers, gas, takes, room } = machine.opcodes;
  const { bytes } = frame.code;
  const { length } = bytes;
  while (frame.state === 'running') {
    const { pc, size } = frame;
    const op = pc < length ? bytes[pc]! : 0;
    frame.pc = pc + 1;
    if (size < takes[op]!) throw halts.stackUnderflow;
    if (size > room[op]!) throw halts.stackOverflow;
    frame.gas -= gas[op]!;
    if (frame.gas < 0) throw halts.outOfGas;
    if (--machine.countdown < 0) lookAtLimits(machine);
    handlers[op]!(frame, machine);
  }
}

/** The same, and tells the tracer. */
function traceFrame(frame: Frame, machine: Machine): void {
  const { handlers, gas, takes, room } = machine.opcodes;
  const { tracer } = machine;
  const { bytes } = frame.code;
  while (frame.state === 'running') {
    const { pc, size } = frame;
    const op = pc < bytes.length ? bytes[pc]! : 0;
    tracer!.before?.(frame, op, machine);
    try {
      frame.pc = pc + 1;
      if (size < takes[op]!) throw halts.stackUnderflow;
      if (size > room[op]!) throw halts.stackOverflow;
      frame.gas -= gas[op]!;
      if (frame.gas < 0) throw halts.outOfGas;
      if (--machine.countdown < 0) lookAtLimits(machine);
      handlers[op]!(frame, machine);
    } finally {
      tracer!.after?.(frame, op, machine);
    }
  }
}
