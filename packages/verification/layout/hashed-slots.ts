// Variables of slots that are hashes: values of mappings whose keys are known, items of lists, and long texts. A mapping
// does not say its keys: those are tried that calls and events of the contract have.
// https://docs.soliditylang.org/en/v0.8.28/internals/layout_in_storage.html
import { toChecksumAddress } from '../../abi/checksum-address.ts';
import { keccak256 } from '../../protocol/keccak256.ts';
import { addValue, type StorageVariable, type Walk, walkStorage } from './storage-variables.ts';

/** By the number of a slot; empty = it is not known what lies there. */
export type ReadSlot = (slot: bigint) => readonly StorageVariable[];

/** Of all mappings together; each takes some 10 µs. */
const maxHashes = 4_000;
/** A mapping in a mapping in a mapping. */
const maxDepth = 3;
/** Numbers that are tried as keys anyway. */
const smallKeys = 32;
/** Slots of one list or text that are named. */
const maxSlots = 1n << 32n;

type Area = { name: string; item: string | null; start: bigint };

/** `layout`: parsed JSON, of any kind. `keys`: words of 32 bytes, likeliest first. */
export function createSlotReader(layout: unknown, keys: readonly Buffer[]): ReadSlot {
  const walk = walkStorage(layout);
  if (walk === null) return () => [];
  const areas = expand(walk, keys);
  return (slot) => walk.found.get(slot) ?? readArea(walk, areas, slot);
}

/** Adds the values of mappings; what it adds may be a mapping again. */
function expand(walk: Walk, keys: readonly Buffer[]): Area[] {
  const areas: Area[] = [];
  let hashesLeft = maxHashes;
  for (let depth = 0; depth < maxDepth && walk.hashed.length > 0; depth += 1) {
    for (const { name, type, slot } of walk.hashed.splice(0)) {
      const { encoding, key, value, base } = describe(walk, type);
      if (encoding === 'mapping' && typeof key === 'string' && typeof value === 'string') {
        for (const word of fittingKeys(key, keys)) {
          if (hashesLeft-- <= 0) return areas;
          const place = hash(Buffer.concat([word, toWord(slot)]));
          addValue(walk, `${name}[${showKey(key, word)}]`, value, place);
        }
      } else if (encoding === 'dynamic_array' && typeof base === 'string') {
        areas.push({ name, item: base, start: hash(toWord(slot)) });
      } else if (encoding === 'bytes') areas.push({ name, item: null, start: hash(toWord(slot)) });
    }
  }
  return areas;
}

function readArea(walk: Walk, areas: readonly Area[], slot: bigint): readonly StorageVariable[] {
  const area = areas.find(({ start }) => slot >= start && slot - start < maxSlots);
  if (area === undefined) return [];
  const { name, item, start } = area;
  const at = slot - start;
  if (item === null) {
    const text = `${name}, bytes from ${at * 32n}`;
    return [{ name: text, type: 'bytes', kind: 'bytes', offset: 0, size: 32 }];
  }
  const size = Number(describe(walk, item).numberOfBytes);
  if (!Number.isInteger(size) || size <= 0) return [];
  const own: Walk = { types: walk.types, found: new Map(), hashed: [], left: 100 };
  if (size > 16) {
    const slots = BigInt(Math.ceil(size / 32));
    addValue(own, `${name}[${at / slots}]`, item, slot - (at % slots));
    return own.found.get(slot) ?? [];
  }
  const inSlot = Math.floor(32 / size);
  const first = at * BigInt(inSlot);
  for (let place = 0; place < inSlot; place += 1) addValue(own, `${name}[${first + BigInt(place)}]`, item, slot);
  // Each was laid at the end of the slot: they lie side by side.
  return (own.found.get(slot) ?? []).map((variable, place) => ({ ...variable, offset: place * size }));
}

function describe(walk: Walk, type: string): Record<string, unknown> {
  return Object.hasOwn(walk.types, type) ? (walk.types[type] as Record<string, unknown>) : {};
}

function fittingKeys(type: string, keys: readonly Buffer[]): readonly Buffer[] {
  const bits = keyBits(type);
  const fixed = Number(/^t_bytes(\d+)$/.exec(type)?.[1] ?? 0);
  if (fixed > 0) return keys.filter((key) => key.subarray(fixed).every((byte) => byte === 0));
  if (bits === 0) return [];
  const isNumber = !isAddressType(type);
  const small = isNumber
    ? Array.from({ length: Math.min(smallKeys, 2 ** Math.min(bits, 8)) }, (_, n) => toWord(BigInt(n)))
    : [];
  const fitting = keys.filter((key) => toNumber(key) >> BigInt(bits) === 0n && (isNumber || toNumber(key) > 0n));
  return [...new Map([...fitting, ...small].map((key) => [key.toString('hex'), key])).values()];
}

/** 0 = keys of this type are not tried. */
function keyBits(type: string): number {
  if (isAddressType(type)) return 160;
  if (type === 't_bool') return 1;
  if (type.startsWith('t_enum(')) return 8;
  // Negative keys are not tried.
  return Number(/^t_u?int(\d+)$/.exec(type)?.[1] ?? 0);
}

function isAddressType(type: string): boolean {
  return type === 't_address' || type === 't_address_payable' || type.startsWith('t_contract(');
}

function showKey(type: string, word: Buffer): string {
  if (isAddressType(type)) return toChecksumAddress(`0x${word.toString('hex', 12)}`);
  if (type.startsWith('t_bytes')) return `0x${word.toString('hex').replace(/(?:00)+$/, '')}`;
  return type === 't_bool' ? String(toNumber(word) === 1n) : toNumber(word).toString();
}

function hash(bytes: Buffer): bigint {
  return toNumber(keccak256(bytes));
}

function toWord(value: bigint): Buffer {
  return Buffer.from(BigInt.asUintN(256, value).toString(16).padStart(64, '0'), 'hex');
}

function toNumber(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex') || '0'}`);
}
