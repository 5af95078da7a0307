// Memory of a frame: it grows by words, for gas.
import { halts } from '../base/halt.ts';
import { readWord } from '../base/word.ts';
import { prices } from '../rules/gas-prices.ts';
import type { Frame } from './frame.ts';
import { useGas, wordsOf } from './gas.ts';
import { type Machine, takeMemory } from './machine.ts';

/** Beyond this no limit of gas reaches: 2^32 bytes cost 3.5 × 10^13. */
const maxOffset = 0xffffffff;
const firstSize = 1024;

/** Makes room for `length` bytes from `offset` on and returns the offset as a number; an empty area needs none. */
export function reserve(frame: Frame, machine: Machine, offset: bigint, length: bigint): number {
  if (length === 0n) return 0;
  if (offset > maxOffset || length > maxOffset) throw halts.outOfGas;
  const start = Number(offset);
  const end = start + Number(length);
  if (end > frame.memoryLength) grow(frame, machine, end);
  return start;
}

/** Makes room for `length` bytes, a number. */
export function reserveBytes(frame: Frame, machine: Machine, offset: bigint, length: number): number {
  if (offset > maxOffset) throw halts.outOfGas;
  const start = Number(offset);
  if (start + length > frame.memoryLength) grow(frame, machine, start + length);
  return start;
}

/** A length that is a word: as a number where it can be one. */
export function lengthOf(word: bigint): number {
  if (word > maxOffset) throw halts.outOfGas;
  return Number(word);
}

function grow(frame: Frame, machine: Machine, end: number): void {
  const words = wordsOf(end);
  useGas(frame, memoryGas(words) - memoryGas(frame.memoryLength / 32));
  const length = words * 32;
  if (length > frame.memory.length) {
    const room = Math.max(firstSize, length, frame.memory.length * 2);
    takeMemory(machine, room - frame.memory.length);
    const memory = new Uint8Array(room);
    memory.set(frame.memory.subarray(0, frame.memoryLength));
    frame.memory = memory;
  }
  frame.memoryLength = length;
}

function memoryGas(words: number): number {
  return words * prices.memoryWord + Math.floor((words * words) / prices.memoryQuadratic);
}

/** The bytes themselves, not a copy. */
export function viewOf(frame: Frame, start: number, length: number): Uint8Array {
  return frame.memory.subarray(start, start + length);
}

/** Copies from `source`, from the offset on; what is behind its end is zeros. Room must be there. */
export function copyInto(frame: Frame, start: number, source: Uint8Array, offset: bigint, length: number): void {
  const { memory } = frame;
  if (offset >= source.length) {
    memory.fill(0, start, start + length);
    return;
  }
  const from = Number(offset);
  const part = source.subarray(from, from + length);
  memory.set(part, start);
  if (part.length < length) memory.fill(0, start + part.length, start + length);
}

export function loadWord({ memory }: Frame, start: number): bigint {
  // Most words are small: lengths, offsets, counters.
  let at = start;
  const small = start + 26;
  while (at < small && memory[at] === 0) at += 1;
  return at === small ? BigInt(sixBytes(memory, small)) : readWord(memory, at, start + 32 - at);
}

function sixBytes(memory: Uint8Array, at: number): number {
  const high = memory[at]! * 256 + memory[at + 1]!;
  const low = ((memory[at + 2]! << 24) | (memory[at + 3]! << 16) | (memory[at + 4]! << 8) | memory[at + 5]!) >>> 0;
  return high * 4294967296 + low;
}

export function storeWord({ memory }: Frame, start: number, word: bigint): void {
  let at = start + 32;
  let rest = word;
  while (rest > 0n) {
    // A number holds 53 bits; 48 of them are six bytes.
    let part = rest > 0xffffffffffffn ? Number(BigInt.asUintN(48, rest)) : Number(rest);
    const low = part % 4294967296;
    part = (part - low) / 4294967296;
    if (at - start < 6) {
      // The two highest bytes: 32 is five times six, and two.
      memory[start] = low >>> 8;
      memory[start + 1] = low;
      return;
    }
    memory[at - 1] = low;
    memory[at - 2] = low >>> 8;
    memory[at - 3] = low >>> 16;
    memory[at - 4] = low >>> 24;
    memory[at - 5] = part;
    memory[at - 6] = part >>> 8;
    at -= 6;
    rest = rest > 0xffffffffffffn ? rest >> 48n : 0n;
  }
  memory.fill(0, start, at);
}
