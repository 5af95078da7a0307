// Jumps and ends.
import { marksOf } from '../base/code.ts';
import { halts } from '../base/halt.ts';
import type { Frame } from '../frame/frame.ts';
import { noBytes } from '../frame/frame.ts';
import type { Machine } from '../frame/machine.ts';
import { lengthOf, reserveBytes, viewOf } from '../frame/memory.ts';
import { gasOf, opcode } from './opcode.ts';

function stop(frame: Frame): void {
  frame.state = 'stopped';
}

function jumpTo(frame: Frame, target: bigint): void {
  const { code } = frame;
  const marks = code.marks ?? marksOf(code);
  const place = Number(target);
  if (place >= marks.length || marks[place] !== 1) throw halts.badJump;
  frame.pc = place;
}

function jump(frame: Frame): void {
  jumpTo(frame, frame.stack[--frame.size]!);
}

function jumpi(frame: Frame): void {
  const { stack } = frame;
  frame.size -= 2;
  const at = frame.size;
  if (stack[at]! !== 0n) jumpTo(frame, stack[at + 1]!);
}

function jumpdest(): void {}

function pc(frame: Frame): void {
  frame.stack[frame.size++] = BigInt(frame.pc - 1);
}

function gas(frame: Frame): void {
  frame.stack[frame.size++] = BigInt(frame.gas);
}

function msize(frame: Frame): void {
  frame.stack[frame.size++] = BigInt(frame.memoryLength);
}

function leave(frame: Frame, machine: Machine): void {
  const { stack } = frame;
  frame.size -= 2;
  const at = frame.size;
  const length = lengthOf(stack[at]!);
  frame.output = length === 0 ? noBytes : viewOf(frame, reserveBytes(frame, machine, stack[at + 1]!, length), length);
}

function returnOutput(frame: Frame, machine: Machine): void {
  leave(frame, machine);
  frame.state = 'stopped';
}

function revert(frame: Frame, machine: Machine): void {
  leave(frame, machine);
  frame.state = 'reverted';
}

function invalid(): void {
  throw halts.invalidOperation;
}

export const flow = [
  opcode(0x00, 'STOP', 0, 0, 0, stop),
  opcode(0x56, 'JUMP', 1, 0, gasOf.mid, jump),
  opcode(0x57, 'JUMPI', 2, 0, gasOf.high, jumpi),
  opcode(0x58, 'PC', 0, 1, gasOf.base, pc),
  opcode(0x59, 'MSIZE', 0, 1, gasOf.base, msize),
  opcode(0x5a, 'GAS', 0, 1, gasOf.base, gas),
  opcode(0x5b, 'JUMPDEST', 0, 0, 1, jumpdest),
  opcode(0xf3, 'RETURN', 2, 0, 0, returnOutput),
  opcode(0xfd, 'REVERT', 2, 0, 0, revert),
  opcode(0xfe, 'INVALID', 0, 0, 0, invalid),
];
