import { fromSigned, maxWord, toSigned, wrap } from '../base/word.ts';
import type { Frame } from '../frame/frame.ts';
import { useGas } from '../frame/gas.ts';
import { prices } from '../rules/gas-prices.ts';
import { gasOf, opcode } from './opcode.ts';

const wordRange = maxWord + 1n;

function add(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = wrap(stack[top]! + stack[top - 1]!);
}

function mul(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = wrap(stack[top]! * stack[top - 1]!);
}

function sub(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  stack[top - 1] = fromSigned(stack[top]! - stack[top - 1]!);
}

function div(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const divisor = stack[top - 1]!;
  stack[top - 1] = divisor === 0n ? 0n : stack[top]! / divisor;
}

function sdiv(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const divisor = toSigned(stack[top - 1]!);
  // The least number divided by −1 is too large, and wraps to itself.
  stack[top - 1] = divisor === 0n ? 0n : wrap(fromSigned(toSigned(stack[top]!) / divisor));
}

function mod(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const divisor = stack[top - 1]!;
  stack[top - 1] = divisor === 0n ? 0n : stack[top]! % divisor;
}

function smod(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const divisor = toSigned(stack[top - 1]!);
  stack[top - 1] = divisor === 0n ? 0n : fromSigned(toSigned(stack[top]!) % divisor);
}

function addmod(frame: Frame): void {
  const { stack } = frame;
  frame.size -= 2;
  const at = frame.size - 1;
  const divisor = stack[at]!;
  stack[at] = divisor === 0n ? 0n : (stack[at + 2]! + stack[at + 1]!) % divisor;
}

function mulmod(frame: Frame): void {
  const { stack } = frame;
  frame.size -= 2;
  const at = frame.size - 1;
  const divisor = stack[at]!;
  stack[at] = divisor === 0n ? 0n : (stack[at + 2]! * stack[at + 1]!) % divisor;
}

function exp(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const exponent = stack[top - 1]!;
  if (exponent > 0n) useGas(frame, prices.expByte * Math.ceil(exponent.toString(16).length / 2));
  stack[top - 1] = power(stack[top]!, exponent);
}

function power(base: bigint, exponent: bigint): bigint {
  if (base < 2n) return exponent === 0n ? 1n : base;
  if (base === 2n) return exponent > 255n ? 0n : 1n << exponent;
  let result = 1n;
  let square = base;
  for (let rest = exponent; ; square = wrap(square * square)) {
    if ((rest & 1n) === 1n) result = wrap(result * square);
    rest >>= 1n;
    if (rest === 0n || square === 0n) return rest === 0n ? result : 0n;
  }
}

function signextend(frame: Frame): void {
  const { stack } = frame;
  const top = --frame.size;
  const place = stack[top]!;
  if (place > 30n) return;
  const bits = 8 * (Number(place) + 1);
  const value = BigInt.asIntN(bits, stack[top - 1]!);
  stack[top - 1] = value < 0n ? value + wordRange : value;
}

export const arithmetic = [
  opcode(0x01, 'ADD', 2, 1, gasOf.veryLow, add),
  opcode(0x02, 'MUL', 2, 1, gasOf.low, mul),
  opcode(0x03, 'SUB', 2, 1, gasOf.veryLow, sub),
  opcode(0x04, 'DIV', 2, 1, gasOf.low, div),
  opcode(0x05, 'SDIV', 2, 1, gasOf.low, sdiv),
  opcode(0x06, 'MOD', 2, 1, gasOf.low, mod),
  opcode(0x07, 'SMOD', 2, 1, gasOf.low, smod),
  opcode(0x08, 'ADDMOD', 3, 1, gasOf.mid, addmod),
  opcode(0x09, 'MULMOD', 3, 1, gasOf.mid, mulmod),
  opcode(0x0a, 'EXP', 2, 1, gasOf.high, exp),
  opcode(0x0b, 'SIGNEXTEND', 2, 1, gasOf.low, signextend),
];
