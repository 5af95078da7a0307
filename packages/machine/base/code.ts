// Code and what is known of it: jump destinations, constants of PUSH, hash, whom it delegates to.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { addressLength, readWord } from './word.ts';

export type Code = {
  readonly bytes: Uint8Array;
  /** By place: 0 nothing, 1 a jump destination, from 2 on a constant's number + 2. undefined: not looked at yet. */
  marks: Uint16Array | undefined;
  /** Of the PUSH operations that ran. */
  readonly constants: bigint[];
  hash: bigint | undefined;
  /** The address after 0xef0100 (EIP-7702); null for ordinary code. */
  readonly delegate: bigint | null;
};

const jumpDestination = 0x5b;
const push1 = 0x60;
const push32 = 0x7f;
const delegationLength = 23;
const maxConstants = 0xffff - 2;

const known = new WeakMap<Uint8Array, Code>();

/**
 * The same for the same bytes object, which must not change: what was found out about code stays as long as its bytes
 * do.
 */
export function codeOf(bytes: Uint8Array): Code {
  let code = known.get(bytes);
  if (code === undefined) {
    code = { bytes, marks: undefined, constants: [], hash: undefined, delegate: delegateOf(bytes) };
    known.set(bytes, code);
  }
  return code;
}

export const noCode = codeOf(new Uint8Array(0));

function delegateOf(bytes: Uint8Array): bigint | null {
  const isDelegation = bytes.length === delegationLength && bytes[0] === 0xef && bytes[1] === 0x01 && bytes[2] === 0x00;
  return isDelegation ? readWord(bytes, 3, addressLength) : null;
}

export function delegationCode(address: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(delegationLength);
  bytes.set([0xef, 0x01, 0x00]);
  bytes.set(address, 3);
  return bytes;
}

export function marksOf(code: Code): Uint16Array {
  code.marks ??= findDestinations(code.bytes);
  return code.marks;
}

function findDestinations(bytes: Uint8Array): Uint16Array {
  const marks = new Uint16Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    const op = bytes[at]!;
    if (op === jumpDestination) marks[at] = 1;
    else if (op >= push1 && op <= push32) at += op - push1 + 1;
  }
  return marks;
}

/** The constant of the PUSH at `at`, of `length` bytes; read once. */
export function constantAt(code: Code, at: number, length: number): bigint {
  const marks = marksOf(code);
  const mark = marks[at]!;
  if (mark > 1) return code.constants[mark - 2]!;
  const constant = readWord(code.bytes, at + 1, length);
  if (code.constants.length < maxConstants) {
    code.constants.push(constant);
    marks[at] = code.constants.length + 1;
  }
  return constant;
}

export function hashOf(code: Code): bigint {
  code.hash ??= readWord(keccak_256(code.bytes), 0, 32);
  return code.hash;
}
