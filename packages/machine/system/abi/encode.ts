// Writes results.
import { fromSigned, writeWord } from '../../base/word.ts';
import { type AbiType, type AbiValue, wordsOf } from './types.ts';

/** Values that do not fit the types are a mistake of this program: throws. */
export function encodeAbi(types: AbiType & { kind: 'tuple' }, values: readonly AbiValue[]): Uint8Array {
  return writeAll(types.of, values);
}

function writeAll(types: readonly AbiType[], values: readonly AbiValue[]): Uint8Array {
  if (types.length !== values.length) throw new TypeError(`${values.length} values for ${types.length} types`);
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = 32 * wordsOf(types);
  for (const [index, type] of types.entries()) {
    const bytes = writeValue(type, values[index]!);
    if (type.isDynamic) {
      heads.push(writeWord(BigInt(offset)));
      tails.push(bytes);
      offset += bytes.length;
    } else heads.push(bytes);
  }
  return Buffer.concat([...heads, ...tails]);
}

function writeValue(type: AbiType, value: AbiValue): Uint8Array {
  switch (type.kind) {
    case 'number': {
      const number = value as bigint;
      if (number < type.min || number > type.max) throw new RangeError(`${number} is outside of its type`);
      return writeWord(fromSigned(number));
    }
    case 'bool':
      return writeWord(value === true ? 1n : 0n);
    case 'word':
      return value as Uint8Array;
    case 'bytes':
      return writeBytes(value as Uint8Array);
    case 'string':
      return writeBytes(Buffer.from(value as string, 'utf8'));
    case 'list': {
      const items = value as readonly AbiValue[];
      const content = writeAll(new Array(items.length).fill(type.of), items);
      return Buffer.concat([writeWord(BigInt(items.length)), content]);
    }
    case 'tuple':
      return writeAll(type.of, value as readonly AbiValue[]);
  }
}

function writeBytes(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(32 + ((bytes.length + 31) & ~31));
  padded.set(writeWord(BigInt(bytes.length)));
  padded.set(bytes, 32);
  return padded;
}
