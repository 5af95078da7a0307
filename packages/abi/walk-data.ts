// The way through ABI-encoded data: heads, offsets, lengths. It is the same for every reader; what becomes of the
// values, and how strictly they are taken, is the reader's form. Data and types may be an attacker's: offsets that lead
// back, lengths that promise more than there is, one piece read a thousand times. Nothing beyond the data is read, and
// the form ends what costs too much.
//
// Not the decoder of ethers: it copies the rest of the data for each dynamic item (0.18 s for 128 KB of `bytes[]`, four
// times that for 512 KB) and cannot stop before the end. Tests compare both.
import { type AbiParameter, type AbiType, type ContentType, type ElementType, wordsOf } from './abi-type.ts';

/** Why data is not of the types that it is read with. */
export class AbiError extends Error {}

/** What values become. A name is that of the parameter or member; items of lists have none. */
export type AbiForm<T> = {
  /** Before each value. */
  begin(name: string, type: AbiType): void;
  /** Before words are read; may throw an AbiError. */
  take(words: number): void;
  /** Whether items of lists are left out from here on. */
  isSpent(): boolean;
  /** `word`: 32 bytes. May throw an AbiError. */
  element(name: string, type: ElementType, word: Buffer): T;
  /** `padding`: up to the end of the last word; shorter where the data ends before. May throw an AbiError. */
  content(name: string, type: ContentType, bytes: Buffer, padding: Buffer): T;
  list(name: string, type: AbiType, items: T[], omitted: number): T;
  tuple(name: string, type: AbiType, members: T[]): T;
};

const wordBytes = 32;

// One for all: each new one would collect a stack.
const outOfData = new AbiError('The data ends before its values');

/** The values of these parameters, which `data` begins with. Throws AbiError. */
export function walkData<T>(parameters: readonly AbiParameter[], data: Uint8Array, form: AbiForm<T>): T[] {
  return readMembers(parameters, { data: Buffer.from(data.buffer, data.byteOffset, data.length), form }, 0);
}

type Walk<T> = { readonly data: Buffer; readonly form: AbiForm<T> };

/** Values beside each other. `base`: where they begin, and offsets count from. */
function readMembers<T>(members: readonly AbiParameter[], walk: Walk<T>, base: number): T[] {
  if (base + wordsOf(members) * wordBytes > walk.data.length) throw outOfData;
  let head = base;
  return members.map(({ name, type }) => {
    const value = readAt(name, type, walk, base, head);
    head += type.headWords * wordBytes;
    return value;
  });
}

function readAt<T>(name: string, type: AbiType, walk: Walk<T>, base: number, head: number): T {
  walk.form.begin(name, type);
  return readValue(name, type, walk, type.isDynamic ? base + readSize(walk, head) : head);
}

function readValue<T>(name: string, type: AbiType, walk: Walk<T>, at: number): T {
  switch (type.kind) {
    case 'tuple':
      return walk.form.tuple(name, type, readMembers(type.members, walk, at));
    case 'list':
      return readList(name, type, walk, at);
    case 'bytes':
    case 'string':
      return readContent(name, type, walk, at);
    default:
      return walk.form.element(name, type, readWord(walk, at));
  }
}

function readList<T>(name: string, type: AbiType & { kind: 'list' }, walk: Walk<T>, at: number): T {
  const { item } = type;
  const length = type.length ?? readSize(walk, at);
  const base = type.length === null ? at + wordBytes : at;
  const size = item.headWords * wordBytes;
  if (base + length * size > walk.data.length) throw outOfData;
  const items: T[] = [];
  while (items.length < length && !walk.form.isSpent()) {
    items.push(readAt('', item, walk, base, base + items.length * size));
  }
  return walk.form.list(name, type, items, length - items.length);
}

function readContent<T>(name: string, type: ContentType, walk: Walk<T>, at: number): T {
  const { data, form } = walk;
  const length = readSize(walk, at);
  const start = at + wordBytes;
  const end = start + length;
  if (end > data.length) throw outOfData;
  const words = Math.ceil(length / wordBytes);
  form.take(words);
  return form.content(name, type, data.subarray(start, end), data.subarray(end, start + words * wordBytes));
}

function readWord<T>({ data, form }: Walk<T>, at: number): Buffer {
  if (at + wordBytes > data.length) throw outOfData;
  form.take(1);
  return data.subarray(at, at + wordBytes);
}

/** An offset or a length: neither is larger than the data. */
function readSize<T>(walk: Walk<T>, at: number): number {
  const size = toInteger(readWord(walk, at));
  if (size > BigInt(walk.data.length)) throw outOfData;
  return Number(size);
}

/** Without a sign. */
export function toInteger(word: Buffer): bigint {
  return BigInt(`0x${word.toString('hex')}`);
}
