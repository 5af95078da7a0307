// Arguments and results of contracts: as much of the ABI as the examples need.
import { keccak256 } from '../../packages/protocol/keccak256.ts';

export function selectorOf(signature: string): string {
  return keccak256(Buffer.from(signature)).toString('hex', 0, 4);
}

/** Types between the parentheses of a signature. */
export function typesOf(list: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let type = '';
  for (const letter of list) {
    if (letter === ',' && depth === 0) {
      types.push(type);
      type = '';
      continue;
    }
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    type += letter;
  }
  return type === '' ? types : [...types, type];
}

const word = 32;
const isDynamic = (type: string): boolean =>
  type === 'string' || type === 'bytes' || (type.startsWith('(') && typesOf(type.slice(1, -1)).some(isDynamic));

/** Hex without `0x`. */
export function encode(types: readonly string[], values: readonly unknown[]): string {
  let head = '';
  let tail = '';
  const headLength = types.length * word;
  for (const [at, type] of types.entries()) {
    const encoded = encodeOne(type, values[at]);
    if (isDynamic(type)) {
      head += toWord(BigInt(headLength + tail.length / 2));
      tail += encoded;
    } else head += encoded;
  }
  return head + tail;
}

function encodeOne(type: string, value: unknown): string {
  if (type === 'string' || type === 'bytes') {
    const bytes = type === 'string' ? Buffer.from(String(value)) : Buffer.from(String(value).slice(2), 'hex');
    const padded = Math.ceil(bytes.length / word) * word * 2;
    return toWord(BigInt(bytes.length)) + bytes.toString('hex').padEnd(padded, '0');
  }
  if (type === 'bool') return toWord(value ? 1n : 0n);
  return toWord(BigInt(value as string));
}

function toWord(number: bigint): string {
  return BigInt.asUintN(256, number)
    .toString(16)
    .padStart(word * 2, '0');
}

/** Numbers as decimal texts, bytes and addresses as hex with `0x`. */
export function decode(types: readonly string[], data: Buffer): unknown[] {
  let at = 0;
  return types.map((type) => {
    if (isDynamic(type)) {
      const offset = Number(readWord(data, at));
      at += word;
      return decodeOne(type, data.subarray(offset));
    }
    const value = decodeOne(type, data.subarray(at));
    at += sizeOf(type);
    return value;
  });
}

function sizeOf(type: string): number {
  return type.startsWith('(') ? typesOf(type.slice(1, -1)).reduce((sum, part) => sum + sizeOf(part), 0) : word;
}

function decodeOne(type: string, data: Buffer): unknown {
  if (type.startsWith('(')) return decode(typesOf(type.slice(1, -1)), data);
  const number = readWord(data, 0);
  if (type === 'string') return data.toString('utf8', word, word + Number(number));
  if (type === 'bytes') return `0x${data.toString('hex', word, word + Number(number))}`;
  if (type === 'bool') return number === 1n;
  if (type === 'address') return `0x${number.toString(16).padStart(40, '0')}`;
  if (type === 'bytes32') return `0x${number.toString(16).padStart(64, '0')}`;
  return String(type.startsWith('int') ? BigInt.asIntN(256, number) : number);
}

function readWord(data: Buffer, at: number): bigint {
  if (data.length < at + word) throw new RangeError(`No word at ${at} of ${data.length} bytes`);
  return BigInt(`0x${data.toString('hex', at, at + word)}`);
}
