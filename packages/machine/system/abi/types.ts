// Types of the contract ABI, read from their text: `address`, `int64`, `bytes[]`, `(uint256,string)[]` …
export type AbiType =
  | {
      readonly kind: 'number';
      readonly min: bigint;
      readonly max: bigint;
      readonly isDynamic: false;
      readonly words: 1;
    }
  | { readonly kind: 'bool'; readonly isDynamic: false; readonly words: 1 }
  | { readonly kind: 'word'; readonly isDynamic: false; readonly words: 1 }
  | { readonly kind: 'bytes' | 'string'; readonly isDynamic: true; readonly words: 1 }
  | { readonly kind: 'list'; readonly of: AbiType; readonly isDynamic: true; readonly words: 1 }
  /** `words`: of its place in what it is part of. */
  | { readonly kind: 'tuple'; readonly of: readonly AbiType[]; readonly isDynamic: boolean; readonly words: number };

/** Numbers and addresses are bigint, bytes32 and bytes are bytes, lists and tuples arrays. */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly AbiValue[];

/** Throws RangeError. */
function abiType(text: string): AbiType {
  const { type, end } = readType(text, 0);
  if (end !== text.length) throw new RangeError(`${text} is no type of the ABI`);
  return type;
}

/** Of the parameters between the brackets, which may be none. */
export function abiTuple(text: string): AbiType & { kind: 'tuple' } {
  return text === '()' ? tupleOf([]) : (abiType(text) as AbiType & { kind: 'tuple' });
}

function readType(text: string, start: number): { type: AbiType; end: number } {
  let { type, end } = text[start] === '(' ? readTuple(text, start) : readName(text, start);
  while (text.startsWith('[]', end)) {
    type = { kind: 'list', of: type, isDynamic: true, words: 1 };
    end += 2;
  }
  return { type, end };
}

function readTuple(text: string, start: number): { type: AbiType; end: number } {
  const of: AbiType[] = [];
  let at = start;
  do {
    const { type, end } = readType(text, at + 1);
    of.push(type);
    at = end;
  } while (text[at] === ',');
  if (text[at] !== ')') throw new RangeError(`${text} is no type of the ABI`);
  return { type: tupleOf(of), end: at + 1 };
}

function tupleOf(of: readonly AbiType[]): AbiType & { kind: 'tuple' } {
  const isDynamic = of.some((type) => type.isDynamic);
  return { kind: 'tuple', of, isDynamic, words: isDynamic ? 1 : wordsOf(of) };
}

/** Of values beside each other; what is dynamic has an offset there. */
export function wordsOf(types: readonly AbiType[]): number {
  let sum = 0;
  for (const { words } of types) sum += words;
  return sum;
}

function readName(text: string, start: number): { type: AbiType; end: number } {
  const name = /^[a-z]+\d*/.exec(text.slice(start))?.[0] ?? '';
  return { type: namedType(name), end: start + name.length };
}

function namedType(name: string): AbiType {
  const number = /^(u?)int(\d+)$/.exec(name);
  if (number) {
    const bits = BigInt(number[2]!);
    return number[1]
      ? numberBetween(0n, (1n << bits) - 1n)
      : numberBetween(-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n);
  }
  switch (name) {
    case 'address':
      return numberBetween(0n, (1n << 160n) - 1n);
    case 'bool':
      return { kind: 'bool', isDynamic: false, words: 1 };
    case 'bytes32':
      return { kind: 'word', isDynamic: false, words: 1 };
    case 'bytes':
    case 'string':
      return { kind: name, isDynamic: true, words: 1 };
    default:
      throw new RangeError(`${name} is no type of the ABI that system contracts use`);
  }
}

function numberBetween(min: bigint, max: bigint): AbiType {
  return { kind: 'number', min, max, isDynamic: false, words: 1 };
}
