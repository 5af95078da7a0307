// PUSH, POP, DUP, SWAP: those of 1 to 16 or 32 are made of one function each.
import { constantAt } from '../base/code.ts';
import type { Frame } from '../frame/frame.ts';
import { gasOf, type Handler, type Opcode, opcode } from './opcode.ts';

/** Constants of one byte, made once. */
const small = Array.from({ length: 256 }, (_, value) => BigInt(value));

function pop(frame: Frame): void {
  frame.size -= 1;
}

function push0(frame: Frame): void {
  frame.stack[frame.size++] = 0n;
}

function push1(frame: Frame): void {
  const { bytes } = frame.code;
  const at = frame.pc;
  frame.pc = at + 1;
  frame.stack[frame.size++] = at < bytes.length ? small[bytes[at]!]! : 0n;
}

function push(length: number): Handler {
  return (frame) => {
    const { code, pc } = frame;
    frame.stack[frame.size++] = constantAt(code, pc - 1, length);
    frame.pc = pc + length;
  };
}

function dup(place: number): Handler {
  return (frame) => {
    const { stack, size } = frame;
    stack[size] = stack[size - place]!;
    frame.size = size + 1;
  };
}

function swap(place: number): Handler {
  return ({ stack, size }) => {
    const top = stack[size - 1]!;
    stack[size - 1] = stack[size - 1 - place]!;
    stack[size - 1 - place] = top;
  };
}

function series(count: number, make: (place: number) => Opcode): Opcode[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

export const stackOpcodes = [
  opcode(0x50, 'POP', 1, 0, gasOf.base, pop),
  opcode(0x5f, 'PUSH0', 0, 1, gasOf.base, push0, 'shanghai'),
  opcode(0x60, 'PUSH1', 0, 1, gasOf.veryLow, push1),
  ...series(31, (n) => opcode(0x60 + n, `PUSH${n + 1}`, 0, 1, gasOf.veryLow, push(n + 1))),
  ...series(16, (n) => opcode(0x7f + n, `DUP${n}`, n, n + 1, gasOf.veryLow, dup(n))),
  ...series(16, (n) => opcode(0x8f + n, `SWAP${n}`, n + 1, n + 1, gasOf.veryLow, swap(n))),
];
