// Memory, hash, and what is copied into memory.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { halts } from '../base/halt.ts';
import { readWord } from '../base/word.ts';
import type { Frame } from '../frame/frame.ts';
import { useGas, wordsOf } from '../frame/gas.ts';
import type { Machine } from '../frame/machine.ts';
import { copyInto, lengthOf, loadWord, reserve, reserveBytes, storeWord, viewOf } from '../frame/memory.ts';
import { prices } from '../rules/gas-prices.ts';
import { gasOf, opcode } from './opcode.ts';

function mload(frame: Frame, machine: Machine): void {
  const { stack, size } = frame;
  const start = reserveBytes(frame, machine, stack[size - 1]!, 32);
  stack[size - 1] = loadWord(frame, start);
}

function mstore(frame: Frame, machine: Machine): void {
  const { stack } = frame;
  frame.size -= 2;
  const at = frame.size;
  const start = reserveBytes(frame, machine, stack[at + 1]!, 32);
  storeWord(frame, start, stack[at]!);
}

function mstore8(frame: Frame, machine: Machine): void {
  const { stack } = frame;
  frame.size -= 2;
  const at = frame.size;
  const start = reserveBytes(frame, machine, stack[at + 1]!, 1);
  frame.memory[start] = Number(stack[at]! & 0xffn);
}

function mcopy(frame: Frame, machine: Machine): void {
  const { stack } = frame;
  frame.size -= 3;
  const at = frame.size;
  const length = stack[at]!;
  const [from, to] = [stack[at + 1]!, stack[at + 2]!];
  if (length === 0n) return;
  const count = lengthOf(length);
  useGas(frame, prices.copyWord * wordsOf(count));
  machine.countdown -= wordsOf(count) >>> 3;
  // The further end first: memory grows once.
  reserveBytes(frame, machine, from > to ? from : to, count);
  frame.memory.copyWithin(Number(to), Number(from), Number(from) + count);
}

function keccak(frame: Frame, machine: Machine): void {
  const { stack } = frame;
  const top = --frame.size;
  const length = lengthOf(stack[top - 1]!);
  useGas(frame, prices.keccakWord * wordsOf(length));
  // A word takes as long as some eight opcodes: the limits are looked at in time.
  machine.countdown -= wordsOf(length) << 3;
  const start = length === 0 ? 0 : reserveBytes(frame, machine, stack[top]!, length);
  stack[top - 1] = readWord(keccak_256(viewOf(frame, start, length)), 0, 32);
}

/** CALLDATACOPY and its like: to, from, length. */
function copy(frame: Frame, machine: Machine, source: Uint8Array): void {
  const { stack } = frame;
  frame.size -= 3;
  const at = frame.size;
  const length = lengthOf(stack[at]!);
  useGas(frame, prices.copyWord * wordsOf(length));
  machine.countdown -= wordsOf(length) >>> 3;
  const start = reserve(frame, machine, stack[at + 2]!, stack[at]!);
  if (length > 0) copyInto(frame, start, source, stack[at + 1]!, length);
}

function calldatacopy(frame: Frame, machine: Machine): void {
  copy(frame, machine, frame.data);
}

function codecopy(frame: Frame, machine: Machine): void {
  copy(frame, machine, frame.code.bytes);
}

function returndatacopy(frame: Frame, machine: Machine): void {
  const { stack, size, returnData } = frame;
  if (stack[size - 2]! + stack[size - 3]! > returnData.length) throw halts.returnDataBounds;
  copy(frame, machine, returnData);
}

function calldataload({ stack, size, data }: Frame): void {
  const offset = stack[size - 1]!;
  stack[size - 1] = offset >= data.length ? 0n : readWord(data, Number(offset), 32);
}

function calldatasize(frame: Frame): void {
  frame.stack[frame.size++] = BigInt(frame.data.length);
}

function codesize(frame: Frame): void {
  frame.stack[frame.size++] = BigInt(frame.code.bytes.length);
}

function returndatasize(frame: Frame): void {
  frame.stack[frame.size++] = BigInt(frame.returnData.length);
}

export const memory = [
  opcode(0x20, 'KECCAK256', 2, 1, 30, keccak),
  opcode(0x35, 'CALLDATALOAD', 1, 1, gasOf.veryLow, calldataload),
  opcode(0x36, 'CALLDATASIZE', 0, 1, gasOf.base, calldatasize),
  opcode(0x37, 'CALLDATACOPY', 3, 0, gasOf.veryLow, calldatacopy),
  opcode(0x38, 'CODESIZE', 0, 1, gasOf.base, codesize),
  opcode(0x39, 'CODECOPY', 3, 0, gasOf.veryLow, codecopy),
  opcode(0x3d, 'RETURNDATASIZE', 0, 1, gasOf.base, returndatasize),
  opcode(0x3e, 'RETURNDATACOPY', 3, 0, gasOf.veryLow, returndatacopy),
  opcode(0x51, 'MLOAD', 1, 1, gasOf.veryLow, mload),
  opcode(0x52, 'MSTORE', 2, 0, gasOf.veryLow, mstore),
  opcode(0x53, 'MSTORE8', 2, 0, gasOf.veryLow, mstore8),
  opcode(0x5e, 'MCOPY', 3, 0, gasOf.veryLow, mcopy, 'cancun'),
];
