// Reads arguments. Strict, as the ledger is: numbers within their type, bool 0 or 1, padding 0. Bytes behind the last argument are
// let be. No word is read twice, so that offsets that lead to the same place cannot make a small input large.
import { readWord, toSigned } from '../../base/word.ts';
import type { AbiType, AbiValue } from './types.ts';

/** Why input is not what the type says. */
export class AbiError extends Error {}

type Input = { readonly data: Uint8Array; wordsLeft: number };

/** Of the arguments from `start` on. Throws AbiError. */
export function decodeAbi(types: AbiType & { kind: 'tuple' }, data: Uint8Array, start = 0): readonly AbiValue[] {
  const args = data.subarray(start);
  return readTuple(types, { data: args, wordsLeft: args.length >>> 5 }, 0);
}

function readTuple({ of }: AbiType & { kind: 'tuple' }, input: Input, base: number): readonly AbiValue[] {
  return readAll(of, input, base);
}

/** Values beside each other; offsets count from the first. */
function readAll(types: readonly AbiType[], input: Input, base: number): readonly AbiValue[] {
  let place = base;
  return types.map((type) => {
    const at = type.isDynamic ? base + readLength(input, place) : place;
    place += type.words * 32;
    return readValue(type, input, at);
  });
}

function readValue(type: AbiType, input: Input, at: number): AbiValue {
  switch (type.kind) {
    case 'number': {
      const word = readPlace(input, at);
      const value = type.min < 0n ? toSigned(word) : word;
      if (value < type.min || value > type.max) throw new AbiError('A number is outside of its type');
      return value;
    }
    case 'bool': {
      const word = readPlace(input, at);
      if (word > 1n) throw new AbiError('A bool is neither 0 nor 1');
      return word === 1n;
    }
    case 'word':
      readPlace(input, at);
      return input.data.slice(at, at + 32);
    case 'bytes':
      return readBytes(input, at);
    case 'string':
      return readText(readBytes(input, at));
    case 'list': {
      const length = readLength(input, at);
      if (length * type.of.words > input.wordsLeft) throw new AbiError('A list is longer than the input');
      return readAll(new Array(length).fill(type.of), input, at + 32);
    }
    case 'tuple':
      return readTuple(type, input, at);
  }
}

function readPlace(input: Input, at: number): bigint {
  takeWords(input, at, 1);
  return readWord(input.data, at, 32);
}

/** A length or an offset. */
function readLength(input: Input, at: number): number {
  const word = readPlace(input, at);
  if (word > BigInt(input.data.length)) throw new AbiError('A length or an offset is beyond the input');
  return Number(word);
}

function readBytes(input: Input, at: number): Uint8Array {
  const length = readLength(input, at);
  const words = (length + 31) >>> 5;
  takeWords(input, at + 32, words);
  const end = at + 32 + length;
  for (let place = end; place < at + 32 + words * 32; place++) {
    if (input.data[place] !== 0) throw new AbiError('Padding is not 0');
  }
  return input.data.slice(at + 32, end);
}

/** As Java decodes: bytes that are no UTF-8 become replacement characters. */
function readText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function takeWords(input: Input, at: number, words: number): void {
  if (at + words * 32 > input.data.length) throw new AbiError('The input is too short');
  input.wordsLeft -= words;
  if (input.wordsLeft < 0) throw new AbiError('Parts of the input overlap');
}
