// Types of the contract ABI: text ⇄ structure. Everything that can be of any size in a hostile ABI is bounded here.
// https://docs.soliditylang.org/en/v0.8.28/abi-spec.html#types

export type AbiParameter = {
  /** An identifier, or empty. */
  name: string;
  type: AbiType;
};

export type AbiType = {
  /** As in signatures: `(address,uint256[])[2]`. */
  text: string;
  /** Words that it takes in place; what is of any length takes one, the offset. */
  headWords: number;
  /** Whether it lies elsewhere, at an offset. */
  isDynamic: boolean;
} & AbiShape;

/** `min`, `max`: of the number that is in the word. */
type NumberShape = { min: bigint; max: bigint } & (
  | { kind: 'uint' | 'int'; bits: number }
  | { kind: 'address' | 'bool' }
);

type AbiShape =
  | NumberShape
  | { kind: 'bytes' | 'string' }
  | { kind: 'fixedBytes'; size: number }
  /** `length`: null = any. */
  | { kind: 'list'; item: AbiType; length: number | null }
  | { kind: 'tuple'; members: AbiParameter[] };

/** What one word says. */
export type ElementType = AbiType & { kind: NumberShape['kind'] | 'fixedBytes' };
/** What has a length in front. */
export type ContentType = AbiType & { kind: 'bytes' | 'string' };

/** Of the longest signature part; longer ones have hundreds of parameters. */
const maxTextLength = 2_000;
const maxDimensions = 8;
/** Nothing larger fits in the data of a transaction. */
const maxHeadWords = 65_536;

/** `components`: of a tuple. null = no type of the ABI, or one that no data can hold. */
export function toAbiType(text: string, components: AbiParameter[] | null): AbiType | null {
  if (text.length > maxTextLength) return null;
  const [, base, suffix] = /^([a-z]+[0-9]*)((?:\[[0-9]*\])*)$/.exec(text) ?? [];
  if (base === undefined || suffix === undefined) return null;
  let type = base === 'tuple' ? toTuple(components) : toElement(base);
  const lengths = [...suffix.matchAll(/\[([0-9]*)\]/g)].map(([, digits]) => digits!);
  if (lengths.length > maxDimensions) return null;
  for (const digits of lengths) type = type && toList(type, digits);
  return type && type.text.length <= maxTextLength ? type : null;
}

function toTuple(members: AbiParameter[] | null): AbiType | null {
  // Without members it takes no room, and a short text could promise any number of them.
  if (members === null || members.length === 0) return null;
  const isDynamic = members.some(({ type }) => type.isDynamic);
  const headWords = isDynamic ? 1 : wordsOf(members);
  if (headWords > maxHeadWords) return null;
  return { kind: 'tuple', members, text: `(${textOf(members)})`, headWords, isDynamic };
}

function toList(item: AbiType, digits: string): AbiType | null {
  const length = digits === '' ? null : Number(digits);
  if (length !== null && (length < 1 || length > maxHeadWords)) return null;
  const isDynamic = length === null || item.isDynamic;
  const headWords = isDynamic ? 1 : length * item.headWords;
  if (headWords > maxHeadWords) return null;
  return { kind: 'list', item, length, text: `${item.text}[${length ?? ''}]`, headWords, isDynamic };
}

function toElement(base: string): AbiType | null {
  const inPlace = { headWords: 1, isDynamic: false };
  if (base === 'address') return { kind: base, text: base, min: 0n, max: 2n ** 160n - 1n, ...inPlace };
  if (base === 'bool') return { kind: base, text: base, min: 0n, max: 1n, ...inPlace };
  if (base === 'bytes' || base === 'string') return { kind: base, text: base, headWords: 1, isDynamic: true };
  // An address and a selector.
  if (base === 'function') return { kind: 'fixedBytes', size: 24, text: base, ...inPlace };
  const [, kind, digits] = /^(uint|int|bytes)([1-9][0-9]{0,2}|)$/.exec(base) ?? [];
  if (kind === undefined) return null;
  const size = digits === '' ? 256 : Number(digits);
  if (kind === 'bytes') return size > 32 ? null : { kind: 'fixedBytes', size, text: base, ...inPlace };
  if (size > 256 || size % 8 !== 0) return null;
  const text = `${kind}${size}`;
  const range = 2n ** BigInt(size);
  if (kind === 'uint') return { kind, bits: size, text, min: 0n, max: range - 1n, ...inPlace };
  return { kind: 'int', bits: size, text, min: -range / 2n, max: range / 2n - 1n, ...inPlace };
}

/** Between the parentheses of a signature. */
export function textOf(parameters: readonly AbiParameter[]): string {
  return parameters.map(({ type }) => type.text).join(',');
}

export function wordsOf(parameters: readonly AbiParameter[]): number {
  return parameters.reduce((sum, { type }) => sum + type.headWords, 0);
}

/** `isIndexed`: of an event, whether it is a topic. */
type NamedParameter = AbiParameter & { isIndexed?: true };

/**
 * From text as in signatures: `(address,(bool,bytes)[])`, `()`; with names, too: `(address indexed from,uint256 value)`.
 * Throws a RangeError if it is none.
 */
export function parseParameters(text: string): readonly NamedParameter[] {
  const { parameters, end } = readParameters(text, 0);
  if (end !== text.length) throw noParameters(text);
  return parameters;
}

/** `start`: of the opening bracket; `end`: behind the closing one. */
function readParameters(text: string, start: number): { parameters: NamedParameter[]; end: number } {
  const parameters: NamedParameter[] = [];
  if (text.startsWith('()', start)) return { parameters, end: start + 2 };
  if (text[start] !== '(') throw noParameters(text);
  let at = start;
  do {
    const { end, ...parameter } = readParameter(text, at + 1);
    parameters.push(parameter);
    at = end;
  } while (text[at] === ',');
  if (text[at] !== ')') throw noParameters(text);
  return { parameters, end: at + 1 };
}

/** `end`: behind what belongs to the type. */
function readParameter(text: string, start: number): NamedParameter & { end: number } {
  const tuple = text[start] === '(' ? readParameters(text, start) : null;
  const rest = /([^,() ]*)( indexed)?(?: (\w+))?/y;
  rest.lastIndex = tuple?.end ?? start;
  const [, base, indexed, name = ''] = rest.exec(text)!;
  const type = toAbiType(tuple ? `tuple${base}` : base!, tuple?.parameters ?? null);
  if (type === null) throw noParameters(text);
  return { name, type, ...(indexed && { isIndexed: true }), end: rest.lastIndex };
}

function noParameters(text: string): RangeError {
  return new RangeError(`${text} is no list of types of the ABI`);
}
