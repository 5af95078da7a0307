// One argument as a person types it, checked against its type. Integers are exact; lists and tuples are written as in JSON, but
// words need no quotation marks.
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import { parseContractAddress } from '../terms/contract-address.ts';
import type { AbiType } from './abi-type.ts';
import { type ArgumentTree, parseArgumentTree } from './parse-argument-tree.ts';

export type EthersValue = bigint | boolean | string | EthersValue[];

/** What is wrong with an argument, as a sentence for the person who typed it. */
export class ArgumentProblem extends Error {}

const maxTextLength = 200_000;

/** Throws an ArgumentProblem. */
export function parseArgument(type: AbiType, text: string, system?: SystemRealm): EthersValue {
  if (text.length > maxTextLength) throw new ArgumentProblem(`longer than ${maxTextLength} characters`);
  // A string is what was typed, quotation marks included.
  if (type.kind === 'string') return readElement(type, text, system);
  if (type.kind !== 'list' && type.kind !== 'tuple') return readElement(type, text.trim(), system);
  const tree = parseArgumentTree(text);
  if ('problem' in tree) throw new ArgumentProblem(tree.problem);
  return readTree(type, tree, system);
}

function readTree(type: AbiType, tree: ArgumentTree, system: SystemRealm | undefined): EthersValue {
  if (type.kind === 'list') return readList(type, tree, system);
  if (type.kind === 'tuple') return readTuple(type, tree, system);
  if (tree.kind !== 'text') throw new ArgumentProblem(`where ${type.text} is wanted, a list stands`);
  return readElement(type, tree.text, system);
}

function readList(type: AbiType & { kind: 'list' }, tree: ArgumentTree, system: SystemRealm | undefined) {
  if (tree.kind !== 'list') throw new ArgumentProblem(`${type.text} is a list: [first, second]`);
  const { items } = tree;
  if (type.length !== null && items.length !== type.length) {
    throw new ArgumentProblem(`${type.text} has ${type.length} items, not ${items.length}`);
  }
  return items.map((item) => readTree(type.item, item, system));
}

function readTuple({ members, text }: AbiType & { kind: 'tuple' }, tree: ArgumentTree, system?: SystemRealm) {
  if (tree.kind === 'text') throw new ArgumentProblem(`${text} is a tuple: (first, second)`);
  const given = tree.kind === 'list' ? tree.items.length : tree.members.size;
  if (given !== members.length) throw new ArgumentProblem(`${text} has ${members.length} members, not ${given}`);
  return members.map(({ name, type }, index) => {
    const member = tree.kind === 'list' ? tree.items[index] : tree.members.get(name);
    if (member) return readTree(type, member, system);
    throw new ArgumentProblem(`the member ${name || `#${index + 1}`} of ${text} is missing`);
  });
}

function readElement(type: AbiType, text: string, system: SystemRealm | undefined): EthersValue {
  switch (type.kind) {
    case 'string':
      if (!text.isWellFormed()) throw new ArgumentProblem('half of a surrogate pair is no text');
      return text;
    case 'bool':
      return readBool(text);
    case 'address':
      return readAddress(text, system);
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

function readAddress(text: string, system: SystemRealm | undefined): string {
  const address = /^0x/i.test(text) || system ? parseContractAddress(text.replace(/^0X/, '0x'), system) : null;
  if (address !== null) return address;
  const forms = system ? '0x and 40 hex digits, or an id such as 0.0.1001' : '0x and 40 hex digits';
  throw new ArgumentProblem(`${show(text)} is no address: ${forms}, with a valid checksum if its letters are mixed`);
}

/** Decimal, `0x` and hex digits, or `15e17`. */
function readInteger({ kind, bits, text: name }: AbiType & { kind: 'uint' | 'int' }, text: string): bigint {
  const [, sign, digits, exponent] = /^([+-]?)(0x[0-9a-f]{1,64}|\d{1,78}(?=$|e))(?:e(\d{1,2}))?$/i.exec(text) ?? [];
  if (digits === undefined) throw new ArgumentProblem(`${show(text)} is no integer`);
  const magnitude = BigInt(digits) * 10n ** BigInt(exponent ?? 0);
  const value = sign === '-' ? -magnitude : magnitude;
  const [least, most] =
    kind === 'uint' ? [0n, 2n ** BigInt(bits) - 1n] : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  if (value < least || value > most) throw new ArgumentProblem(`${name} goes from ${least} to ${most}`);
  return value;
}

/** `size`: null = any. */
function readBytes(text: string, size: number | null): string {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) {
    throw new ArgumentProblem(`${show(text)} is no hex: 0x and two digits for each byte`);
  }
  const length = text.length / 2 - 1;
  if (size !== null && length !== size) throw new ArgumentProblem(`${size} bytes are wanted, not ${length}`);
  return `0x${text.slice(2).toLowerCase()}`;
}

function show(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
