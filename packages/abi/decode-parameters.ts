// Values to show. Lenient, as contracts are: bits beyond a type do not count, and the last padding may be missing. The
// effort is bounded by a budget of values and of text; what goes beyond it is counted and left out.

import type { AbiParameter, AbiType, ContentType, ElementType } from './abi-type.ts';
import { toChecksumAddress } from './checksum-address.ts';
import type { DecodedValue } from './decoded-value.ts';
import { AbiError, type AbiForm, toInteger, walkData } from './walk-data.ts';

export type DecodeLimits = {
  /** Values of all kinds, lists included. */
  maxValues?: number;
  /** Characters of all values and types. */
  maxText?: number;
};

const wordBytes = 32;

/** null = the data is not of these types. */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  data: Buffer,
  limits?: DecodeLimits,
): DecodedValue[] | null {
  try {
    return walkData(parameters, data, shownForm(limits));
  } catch (error) {
    if (error instanceof AbiError) return null;
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

function shownForm({ maxValues = 2_000, maxText = 200_000 }: DecodeLimits = {}): AbiForm<DecodedValue> {
  let values = maxValues;
  let text = maxText;
  return {
    begin(name, type) {
      values -= 1;
      text -= type.text.length + name.length;
    },
    take: () => {},
    isSpent: () => values <= 0 || text <= 0,
    element(name, type, word) {
      const value = showElement(type, word);
      text -= value.length;
      return { name, type: type.text, value };
    },
    content(name, type, bytes) {
      const { value, omitted } = showContent(type, bytes, text);
      text -= value.length;
      return named(name, type, value, omitted);
    },
    list: named,
    tuple: named,
  };
}

function named(name: string, { text }: AbiType, value: DecodedValue['value'], omitted = 0): DecodedValue {
  return omitted > 0 ? { name, type: text, value, omitted } : { name, type: text, value };
}

/** `room`: characters. */
function showContent({ kind }: ContentType, bytes: Buffer, room: number): { value: string; omitted: number } {
  const charactersOfByte = kind === 'bytes' ? 2 : 1;
  const shown = bytes.subarray(0, Math.max(0, Math.floor(room / charactersOfByte)));
  const value = kind === 'bytes' ? `0x${shown.toString('hex')}` : shown.toString('utf8');
  return { value, omitted: bytes.length - shown.length };
}

function showElement(type: ElementType, word: Buffer): string {
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
  }
}
