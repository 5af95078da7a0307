// Values as ABI-encoded data.
import type { AbiParameter, AbiType } from './abi-type.ts';
import type { AbiValue } from './abi-value.ts';

const wordBytes = 32;

/** Values that do not fit the types are a mistake of the caller: throws a RangeError. */
export function encodeValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Buffer {
  return writeMembers(
    parameters.map(({ type }) => type),
    values,
  );
}

/** Values beside each other: what is of any length follows, at the offset that stands in its place. */
function writeMembers(types: readonly AbiType[], values: readonly AbiValue[]): Buffer {
  if (types.length !== values.length) throw new RangeError(`${values.length} values for ${types.length} types`);
  const heads: Buffer[] = [];
  const tails: Buffer[] = [];
  let offset = types.reduce((sum, { headWords }) => sum + headWords, 0) * wordBytes;
  for (const [index, type] of types.entries()) {
    const bytes = writeValue(type, values[index]!);
    if (type.isDynamic) {
      heads.push(toWord(BigInt(offset)));
      tails.push(bytes);
      offset += bytes.length;
    } else heads.push(bytes);
  }
  return Buffer.concat([...heads, ...tails]);
}

function writeValue(type: AbiType, value: AbiValue): Buffer {
  switch (type.kind) {
    case 'tuple':
      return encodeValues(type.members, value as readonly AbiValue[]);
    case 'list':
      return writeList(type, value as readonly AbiValue[]);
    case 'string':
      return writeContent(Buffer.from(value as string));
    case 'bytes':
      return writeContent(value as Uint8Array);
    case 'fixedBytes':
      return writeFixed(type.size, value as Uint8Array);
    default: {
      const number = BigInt(value as bigint | boolean);
      if (number < type.min || number > type.max) throw new RangeError(`${number} is outside of ${type.text}`);
      return toWord(BigInt.asUintN(256, number));
    }
  }
}

function writeList({ text, item, length }: AbiType & { kind: 'list' }, items: readonly AbiValue[]): Buffer {
  if (length !== null && length !== items.length) throw new RangeError(`${items.length} items for ${text}`);
  const content = writeMembers(new Array<AbiType>(items.length).fill(item), items);
  return length === null ? Buffer.concat([toWord(BigInt(items.length)), content]) : content;
}

function writeContent(bytes: Uint8Array): Buffer {
  const padded = Buffer.alloc(wordBytes * (1 + Math.ceil(bytes.length / wordBytes)));
  padded.set(toWord(BigInt(bytes.length)));
  padded.set(bytes, wordBytes);
  return padded;
}

function writeFixed(size: number, bytes: Uint8Array): Buffer {
  if (bytes.length !== size) throw new RangeError(`${bytes.length} bytes for bytes${size}`);
  const padded = Buffer.alloc(wordBytes);
  padded.set(bytes);
  return padded;
}

/** Without a sign. */
function toWord(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * wordBytes, '0'), 'hex');
}
