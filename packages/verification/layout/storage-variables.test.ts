// Variables in slots: as the compiler lays them out, and whatever somebody wrote instead.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStorageVariable, type StorageVariable, walkStorage } from './storage-variables.ts';

const toStorageVariables = (layout: unknown) => walkStorage(layout)?.found ?? new Map<bigint, StorageVariable[]>();

const types = {
  t_uint8: { encoding: 'inplace', label: 'uint8', numberOfBytes: '1' },
  t_int16: { encoding: 'inplace', label: 'int16', numberOfBytes: '2' },
  t_bytes4: { encoding: 'inplace', label: 'bytes4', numberOfBytes: '4' },
  't_enum(Phase)3': { encoding: 'inplace', label: 'enum Phase', numberOfBytes: '1' },
  't_contract(Coin)9': { encoding: 'inplace', label: 'contract Coin', numberOfBytes: '20' },
  t_string_storage: { encoding: 'bytes', label: 'string', numberOfBytes: '32' },
  't_array(t_uint8)dyn_storage': { encoding: 'dynamic_array', label: 'uint8[]', numberOfBytes: '32' },
  't_mapping(t_address,t_uint8)': { encoding: 'mapping', label: 'mapping(address => uint8)', numberOfBytes: '32' },
  't_struct(Pair)5_storage': {
    encoding: 'inplace',
    label: 'struct Pair',
    numberOfBytes: '64',
    members: [
      { label: 'first', slot: '0', offset: 1, type: 't_uint8' },
      { label: 'second', slot: '1', offset: 0, type: 't_int16' },
    ],
  },
};

it('members of structs lie behind the struct', () => {
  const found = toStorageVariables({
    types,
    storage: [
      { label: 'a', slot: '0', offset: 0, type: 't_uint8' },
      { label: 'pair', slot: '5', offset: 0, type: 't_struct(Pair)5_storage' },
      { label: 'b', slot: '0', offset: 1, type: 't_bytes4' },
    ],
  });
  expect(found.get(0n)?.map(({ name, offset }) => [name, offset])).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
  expect(found.get(5n)?.map(({ name }) => name)).toEqual(['pair.first']);
  expect(found.get(6n)?.map(({ name, kind }) => [name, kind])).toEqual([['pair.second', 'int']]);
});

describe('values', () => {
  const word = (hex: string): Buffer => Buffer.from(hex.padStart(64, '0'), 'hex');
  const at = (type: keyof typeof types, offset: number): StorageVariable =>
    toStorageVariables({ types, storage: [{ label: 'x', slot: '7', offset, type }] }).get(7n)![0]!;
  const inSlot = (text: string): string =>
    `${Buffer.from(text).toString('hex').padEnd(62, '0')}${(text.length * 2).toString(16).padStart(2, '0')}`;

  it.each<[keyof typeof types, number, string, object | null]>([
    ['t_uint8', 0, 'ff', { kind: 'number', text: '255' }],
    ['t_uint8', 1, 'aa00', { kind: 'number', text: '170' }],
    ['t_int16', 0, 'fffe', { kind: 'number', text: '-2' }],
    ['t_bytes4', 28, 'deadbeef'.padEnd(64, '0'), { kind: 'bytes', text: '0xdeadbeef' }],
    ['t_enum(Phase)3', 0, '02', { kind: 'number', text: '2' }],
    ['t_contract(Coin)9', 0, '03e9', { kind: 'address', text: `0x${'3e9'.padStart(40, '0')}` }],
    ['t_string_storage', 0, inSlot('Hello'), { kind: 'text', text: 'Hello' }],
    ['t_string_storage', 0, (40 * 2 + 1).toString(16), { kind: 'length', text: '40' }],
    ['t_array(t_uint8)dyn_storage', 0, '0c', { kind: 'length', text: '12' }],
    ['t_mapping(t_address,t_uint8)', 0, '', null],
  ])('%s at %d of %s', (type, offset, hex, value) => {
    expect(readStorageVariable(at(type, offset), word(hex))).toEqual(value);
  });
});

it('any JSON is a layout of bounded size, and any word has its values', () => {
  const anyVariable = fc.record(
    {
      label: fc.oneof(fc.string(), fc.jsonValue()),
      slot: fc.oneof(fc.constantFrom('0', '1', '-1', '1e9', '9'.repeat(90)), fc.jsonValue()),
      offset: fc.oneof(fc.integer({ min: -2, max: 40 }), fc.double(), fc.jsonValue()),
      type: fc.constantFrom(...Object.keys(types), '__proto__', 'constructor', 't_none'),
    },
    { requiredKeys: [] },
  );
  const anyType = fc.record({
    encoding: fc.constantFrom('inplace', 'bytes', 'x'),
    label: fc.jsonValue(),
    numberOfBytes: fc.oneof(fc.constantFrom('0', '-1', '32', '33', 'x'), fc.jsonValue()),
    members: fc.oneof(fc.array(anyVariable, { maxLength: 3 }), fc.jsonValue()),
  });
  const layout = fc.oneof(
    fc.jsonValue(),
    fc.record({
      storage: fc.array(fc.oneof(anyVariable, fc.jsonValue()), { maxLength: 8 }),
      types: fc.record(Object.fromEntries(Object.keys(types).map((name) => [name, anyType]))),
    }),
  );
  fc.assert(
    fc.property(layout, fc.uint8Array({ minLength: 32, maxLength: 32 }), (given, bytes) => {
      const all = [...toStorageVariables(given).values()].flat();
      expect(all.length).toBeLessThanOrEqual(2_000);
      for (const variable of all) expect(readStorageVariable(variable, Buffer.from(bytes))).not.toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
