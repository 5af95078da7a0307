// Comparisons and bits.
import { fromSigned, maxWord, toSigned } from '../base/word.ts';
import type { Frame } from '../frame/frame.ts';
import { gasOf, opcode } from './opcode.ts';

function lt(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = stack[top]! < stack[top - 1]! ? 1n : 0n;
}

function gt(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = stack[top]! > stack[top - 1]! ? 1n : 0n;
}

function slt(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = toSigned(stack[top]!) < toSigned(stack[top - 1]!) ? 1n : 0n;
}

function sgt(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = toSigned(stack[top]!) > toSigned(stack[top - 1]!) ? 1n : 0n;
}

function eq(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = stack[top]! === stack[top - 1]! ? 1n : 0n;
}

function iszero({ stack, size }: Frame): void {
  stack[size - 1] = stack[size - 1]! === 0n ? 1n : 0n;
}

function and(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = stack[top]! & stack[top - 1]!;
}

function or(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = stack[top]! | stack[top - 1]!;
}

function xor(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = stack[top]! ^ stack[top - 1]!;
}

function not({ stack, size }: Frame): void {
  stack[size - 1] = maxWord - stack[size - 1]!;
}

function byte(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const place = stack[top]!;
  stack[top - 1] = place > 31n ? 0n : (stack[top - 1]! >> (248n - place * 8n)) & 0xffn;
}

function shl(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const bits = stack[top]!;
  stack[top - 1] = bits > 255n ? 0n : (stack[top - 1]! << bits) & maxWord;
}

function shr(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const bits = stack[top]!;
  stack[top - 1] = bits > 255n ? 0n : stack[top - 1]! >> bits;
}

function sar(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const bits = stack[top]!;
  stack[top - 1] = fromSigned(toSigned(stack[top - 1]!) >> (bits > 255n ? 255n : bits));
}

export const bits = [
  opcode(0x10, 'LT', 2, 1, gasOf.veryLow, lt),
  opcode(0x11, 'GT', 2, 1, gasOf.veryLow, gt),
  opcode(0x12, 'SLT', 2, 1, gasOf.veryLow, slt),
  opcode(0x13, 'SGT', 2, 1, gasOf.veryLow, sgt),
  opcode(0x14, 'EQ', 2, 1, gasOf.veryLow, eq),
  opcode(0x15, 'ISZERO', 1, 1, gasOf.veryLow, iszero),
  opcode(0x16, 'AND', 2, 1, gasOf.veryLow, and),
  opcode(0x17, 'OR', 2, 1, gasOf.veryLow, or),
  opcode(0x18, 'XOR', 2, 1, gasOf.veryLow, xor),
  opcode(0x19, 'NOT', 1, 1, gasOf.veryLow, not),
  opcode(0x1a, 'BYTE', 2, 1, gasOf.veryLow, byte),
  opcode(0x1b, 'SHL', 2, 1, gasOf.veryLow, shl),
  opcode(0x1c, 'SHR', 2, 1, gasOf.veryLow, shr),
  opcode(0x1d, 'SAR', 2, 1, gasOf.veryLow, sar),
];
