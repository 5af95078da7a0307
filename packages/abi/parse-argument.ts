// One argument as a person types it, checked against its type. Integers are exact; lists and tuples are written as in
// JSON, but words need no quotation marks.
import type { AbiType } from './abi-type.ts';
import type { AbiValue } from './abi-value.ts';
import { parseHexAddress } from './checksum-address.ts';
import { type ArgumentTree, parseArgumentTree } from './parse-argument-tree.ts';

/** How an address may be typed. */
export type AddressForms = {
  /** As what is wanted, for the person who typed something else. */
  described: string;
  /** 0x and 40 lower-case hex digits; null = `text` is no address. */
  parse(text: string): string | null;
};

/** With 0x in front. */
export const hexAddresses: AddressForms = {
  described: '0x and 40 hex digits',
  parse: (text) => (/^0x/i.test(text) ? parseHexAddress(text.replace(/^0X/, '0x')) : null),
};

/** What is wrong with an argument, as a sentence for the person who typed it. */
export class ArgumentProblem extends Error {}

const maxTextLength = 200_000;

/** Throws an ArgumentProblem. */
export function parseArgument(type: AbiType, text: string, addresses = hexAddresses): AbiValue {
  if (text.length > maxTextLength) throw new ArgumentProblem(`longer than ${maxTextLength} characters`);
  // A string is what was typed, quotation marks included.
  if (type.kind === 'string') return readElement(type, text, addresses);
  if (type.kind !== 'list' && type.kind !== 'tuple') return readElement(type, text.trim(), addresses);
  const tree = parseArgumentTree(text);
  if ('problem' in tree) throw new ArgumentProblem(tree.problem);
  return readTree(type, tree, addresses);
}

function readTree(type: AbiType, tree: ArgumentTree, addresses: AddressForms): AbiValue {
  if (type.kind === 'list') return readList(type, tree, addresses);
  if (type.kind === 'tuple') return readTuple(type, tree, addresses);
  if (tree.kind !== 'text') throw new ArgumentProblem(`where ${type.text} is wanted, a list stands`);
  return readElement(type, tree.text, addresses);
}

function readList(type: AbiType & { kind: 'list' }, tree: ArgumentTree, addresses: AddressForms) {
  if (tree.kind !== 'list') throw new ArgumentProblem(`${type.text} is a list: [first, second]`);
  const { items } = tree;
  if (type.length !== null && items.length !== type.length) {
    throw new ArgumentProblem(`${type.text} has ${type.length} items, not ${items.length}`);
  }
  return items.map((item) => readTree(type.item, item, addresses));
}

function readTuple({ members, text }: AbiType & { kind: 'tuple' }, tree: ArgumentTree, addresses: AddressForms) {
  if (tree.kind === 'text') throw new ArgumentProblem(`${text} is a tuple: (first, second)`);
  const given = tree.kind === 'list' ? tree.items.length : tree.members.size;
  if (given !== members.length) throw new ArgumentProblem(`${text} has ${members.length} members, not ${given}`);
  return members.map(({ name, type }, index) => {
    const member = tree.kind === 'list' ? tree.items[index] : tree.members.get(name);
    if (member) return readTree(type, member, addresses);
    throw new ArgumentProblem(`the member ${name || `#${index + 1}`} of ${text} is missing`);
  });
}

function readElement(type: AbiType, text: string, addresses: AddressForms): AbiValue {
  switch (type.kind) {
    case 'string':
      if (!text.isWellFormed()) throw new ArgumentProblem('half of a surrogate pair is no text');
      return text;
    case 'bool':
      return readBool(text);
    case 'address':
      return readAddress(text, addresses);
    case 'uint':
    case 'int':
      return readInteger(type, text);
    case 'bytes':
      return readBytes(text, null);
    case 'fixedBytes':
      return readBytes(text, type.size);
    default:
      throw new TypeError(`${type.text} is not one value`);
  }
}

function readBool(text: string): boolean {
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0)$/i.test(text)) return false;
  throw new ArgumentProblem(`${show(text)} is neither true nor false`);
}

function readAddress(text: string, addresses: AddressForms): bigint {
  const address = addresses.parse(text);
  if (address !== null) return BigInt(address);
  throw new ArgumentProblem(
    `${show(text)} is no address: ${addresses.described}, with a valid checksum if its letters are mixed`,
  );
}

/** Decimal, `0x` and hex digits, or `15e17`. */
function readInteger({ min, max, text: name }: AbiType & { kind: 'uint' | 'int' }, text: string): bigint {
  const [, sign, digits, exponent] = /^([+-]?)(0x[0-9a-f]{1,64}|\d{1,78}(?=$|e))(?:e(\d{1,2}))?$/i.exec(text) ?? [];
  if (digits === undefined) throw new ArgumentProblem(`${show(text)} is no integer`);
  const magnitude = BigInt(digits) * 10n ** BigInt(exponent ?? 0);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < min || value > max) throw new ArgumentProblem(`${name} goes from ${min} to ${max}`);
  return value;
}

/** `size`: null = any. */
function readBytes(text: string, size: number | null): Buffer {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) {
    throw new ArgumentProblem(`${show(text)} is no hex: 0x and two digits for each byte`);
  }
  const length = text.length / 2 - 1;
  if (size !== null && length !== size) throw new ArgumentProblem(`${size} bytes are wanted, not ${length}`);
  return Buffer.from(text.slice(2), 'hex');
}

function show(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
