// Comparisons and bits.
import { fromSigned, maxWord, toSigned } from '../base/word.ts';
import { binary } from './binary.ts';
import { gasOf, type Handler, opcode } from './opcode.ts';

const { veryLow } = gasOf;
const truth = (is: boolean) => (is ? 1n : 0n);

const iszero: Handler = ({ stack, size }) => {
  stack[size - 1] = stack[size - 1]! === 0n ? 1n : 0n;
};

const not: Handler = ({ stack, size }) => {
  stack[size - 1] = maxWord - stack[size - 1]!;
};

export const bits = [
  binary(0x10, 'LT', veryLow, (a, b) => truth(a < b)),
  binary(0x11, 'GT', veryLow, (a, b) => truth(a > b)),
  binary(0x12, 'SLT', veryLow, (a, b) => truth(toSigned(a) < toSigned(b))),
  binary(0x13, 'SGT', veryLow, (a, b) => truth(toSigned(a) > toSigned(b))),
  binary(0x14, 'EQ', veryLow, (a, b) => truth(a === b)),
  opcode(0x15, 'ISZERO', 1, 1, veryLow, iszero),
  binary(0x16, 'AND', veryLow, (a, b) => a & b),
  binary(0x17, 'OR', veryLow, (a, b) => a | b),
  binary(0x18, 'XOR', veryLow, (a, b) => a ^ b),
  opcode(0x19, 'NOT', 1, 1, veryLow, not),
  binary(0x1a, 'BYTE', veryLow, (place, word) => (place > 31n ? 0n : (word >> (248n - place * 8n)) & 0xffn)),
  binary(0x1b, 'SHL', veryLow, (shift, word) => (shift > 255n ? 0n : (word << shift) & maxWord)),
  binary(0x1c, 'SHR', veryLow, (shift, word) => (shift > 255n ? 0n : word >> shift)),
  binary(0x1d, 'SAR', veryLow, (shift, word) => fromSigned(toSigned(word) >> (shift > 255n ? 255n : shift))),
];
