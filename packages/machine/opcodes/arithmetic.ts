import { fromSigned, toSigned, wrap } from '../base/word.ts';
import type { Frame } from '../frame/frame.ts';
import { useGas } from '../frame/gas.ts';
import type { Machine } from '../frame/machine.ts';
import { prices } from '../rules/gas-prices.ts';
import { binary } from './binary.ts';
import { gasOf, opcode } from './opcode.ts';

const { veryLow, low, mid, high } = gasOf;

export const arithmetic = [
  binary(0x01, 'ADD', veryLow, (a, b) => wrap(a + b)),
  binary(0x02, 'MUL', low, (a, b) => wrap(a * b)),
  binary(0x03, 'SUB', veryLow, (a, b) => fromSigned(a - b)),
  binary(0x04, 'DIV', low, (a, b) => (b === 0n ? 0n : a / b)),
  // The least number divided by −1 is too large, and wraps to itself.
  binary(0x05, 'SDIV', low, (a, b) => (b === 0n ? 0n : wrap(fromSigned(toSigned(a) / toSigned(b))))),
  binary(0x06, 'MOD', low, (a, b) => (b === 0n ? 0n : a % b)),
  binary(0x07, 'SMOD', low, (a, b) => (b === 0n ? 0n : fromSigned(toSigned(a) % toSigned(b)))),
  opcode(0x08, 'ADDMOD', 3, 1, mid, addmod),
  opcode(0x09, 'MULMOD', 3, 1, mid, mulmod),
  opcode(0x0a, 'EXP', 2, 1, high, exp),
  binary(0x0b, 'SIGNEXTEND', low, (place, word) =>
    place > 30n ? word : fromSigned(BigInt.asIntN(8 * (Number(place) + 1), word)),
  ),
];

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

function exp(frame: Frame, machine: Machine): void {
  const { stack } = frame;
  const top = --frame.size;
  const exponent = stack[top - 1]!;
  if (exponent > 0n) {
    const bytes = Math.ceil(exponent.toString(16).length / 2);
    useGas(frame, prices.expByte * bytes);
    // A byte takes as long as some 64 opcodes: the limits are looked at in time.
    machine.countdown -= bytes << 6;
  }
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
