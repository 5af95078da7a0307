// Values from ABI-encoded data. Data and types may be an attacker's: offsets that lead back, lengths that promise more than
// there is, one piece read a thousand times. The effort is bounded by a budget of values and of text; what goes beyond it is
// counted and left out.
//
// Not the decoder of ethers: it copies the rest of the data for each dynamic item (0.18 s for 128 KB of `bytes[]`, four times
// that for 512 KB) and cannot stop before the end. Tests compare both.

import { type AbiParameter, type AbiType, wordsOf } from './abi-type.ts';
import { toChecksumAddress } from './checksum-address.ts';
import type { DecodedValue } from './decoded-value.ts';

export type DecodeLimits = {
  /** Values of all kinds, lists included. */
  maxValues?: number;
  /** Characters of all values and types. */
  maxText?: number;
};

type Budget = { values: number; text: number };

const wordBytes = 32;

/** null = the data is not of these types. */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  data: Buffer,
  { maxValues = 2_000, maxText = 200_000 }: DecodeLimits = {},
): DecodedValue[] | null {
  try {
    return readMembers(parameters, data, 0, { values: maxValues, text: maxText });
  } catch (error) {
    if (error === outOfData) return null;
    throw error;
  }
}

/** `word`: 32 bytes. */
export function decodeWord(parameter: AbiParameter, word: Buffer): DecodedValue | null {
  return decodeParameters([parameter], word)?.[0] ?? null;
}

/** Bytes of data with these values and nothing else. */
export function encodedSize(parameters: readonly AbiParameter[], values: readonly DecodedValue[]): number {
  return parameters.reduce((sum, { type }, place) => sum + sizeOf(type, values[place]!), 0);
}

/** Of its head, and of what lies elsewhere. */
function sizeOf(type: AbiType, { value, omitted = 0 }: DecodedValue): number {
  if (!type.isDynamic) return type.headWords * wordBytes;
  const offset = wordBytes;
  if (type.kind === 'tuple') return offset + encodedSize(type.members, value as DecodedValue[]);
  if (type.kind === 'list') {
    const items = value as DecodedValue[];
    const length = type.length === null ? wordBytes : 0;
    const item = (one: DecodedValue) => sizeOf(type.item, one);
    return offset + length + items.reduce((sum, one) => sum + item(one), 0) + omitted * type.item.headWords * wordBytes;
  }
  const bytes = type.kind === 'bytes' ? value.length / 2 - 1 : Buffer.byteLength(value as string);
  return offset + wordBytes + Math.ceil((bytes + omitted) / wordBytes) * wordBytes;
}

/** Thrown within this file alone. One for all: each new one would collect a stack. */
const outOfData = new RangeError('the data ends before its values');

/** `base`: where offsets count from. */
function readMembers(members: readonly AbiParameter[], data: Buffer, base: number, budget: Budget): DecodedValue[] {
  let head = base;
  if (base + wordsOf(members) * wordBytes > data.length) throw outOfData;
  return members.map(({ name, type }) => {
    const value = readAt(type, name, data, base, head, budget);
    head += type.headWords * wordBytes;
    return value;
  });
}

function readAt(type: AbiType, name: string, data: Buffer, base: number, head: number, budget: Budget): DecodedValue {
  budget.values -= 1;
  budget.text -= type.text.length + name.length;
  const at = type.isDynamic ? base + readSize(data, head) : head;
  return { name, type: type.text, ...readValue(type, data, at, budget) };
}

type Read = Pick<DecodedValue, 'value' | 'omitted'>;

function readValue(type: AbiType, data: Buffer, at: number, budget: Budget): Read {
  switch (type.kind) {
    case 'tuple':
      return { value: readMembers(type.members, data, at, budget) };
    case 'list':
      return readList(type, data, at, budget);
    case 'bytes':
    case 'string':
      return readText(type.kind, data, at, budget);
    default: {
      const value = readElement(type, readWord(data, at));
      budget.text -= value.length;
      return { value };
    }
  }
}

function readList(type: AbiType & { kind: 'list' }, data: Buffer, at: number, budget: Budget): Read {
  const { item } = type;
  const length = type.length ?? readSize(data, at);
  const base = type.length === null ? at + wordBytes : at;
  const size = item.headWords * wordBytes;
  if (base + length * size > data.length) throw outOfData;
  const value: DecodedValue[] = [];
  while (value.length < length && budget.values > 0 && budget.text > 0) {
    value.push(readAt(item, '', data, base, base + value.length * size, budget));
  }
  const omitted = length - value.length;
  return omitted > 0 ? { value, omitted } : { value };
}

function readText(kind: 'bytes' | 'string', data: Buffer, at: number, budget: Budget): Read {
  const length = readSize(data, at);
  const start = at + wordBytes;
  // Some old compilers left out the zeros after the last value.
  if (start + length > data.length) throw outOfData;
  const bytes = data.subarray(start, start + length);
  const charactersOfByte = kind === 'bytes' ? 2 : 1;
  const shown = bytes.subarray(0, Math.max(0, Math.floor(budget.text / charactersOfByte)));
  const value = kind === 'bytes' ? `0x${shown.toString('hex')}` : shown.toString('utf8');
  budget.text -= value.length;
  const omitted = length - shown.length;
  return omitted > 0 ? { value, omitted } : { value };
}

/** As contracts read it: bits beyond the type do not count. */
function readElement(type: AbiType, word: Buffer): string {
  switch (type.kind) {
    case 'uint':
      return BigInt.asUintN(type.bits, toInteger(word)).toString();
    case 'int':
      return BigInt.asIntN(type.bits, toInteger(word)).toString();
    case 'bool':
      return toInteger(word) === 0n ? 'false' : 'true';
    case 'address':
      return toChecksumAddress(`0x${word.toString('hex', 12)}`);
    case 'fixedBytes':
      return `0x${word.toString('hex', 0, type.size)}`;
    default:
      throw new TypeError(`${type.text} is not one word`);
  }
}

function readWord(data: Buffer, at: number): Buffer {
  if (at + wordBytes > data.length) throw outOfData;
  return data.subarray(at, at + wordBytes);
}

/** An offset or a length, which can lead beyond the data but not beyond exact integers. */
function readSize(data: Buffer, at: number): number {
  const word = toInteger(readWord(data, at));
  if (word > 0xffff_ffffn) throw outOfData;
  return Number(word);
}

function toInteger(word: Buffer): bigint {
  return BigInt(`0x${word.toString('hex')}`);
}
