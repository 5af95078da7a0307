import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { bytesField, encodeVarint } from '../protocol/wire-writer.ts';
import { readCanonicalMessage } from './canonical-message.ts';
import { ProofRefusal } from './proof-refusal.ts';

const shape = { 1: 'varint', 2: 'bytes', 20: 'list' } as const;
const read = (bytes: Uint8Array) => readCanonicalMessage(bytes, 'message', shape, 30);
const varintField = (number: number, value: bigint) => [encodeVarint(BigInt(number * 8)), encodeVarint(value)];
const fields = fc.record({
  one: fc.option(fc.bigInt(0n, (1n << 64n) - 1n)),
  two: fc.option(fc.uint8Array({ maxLength: 200 })),
  list: fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 20 }),
});

const write = ({ one, two, list }: { one: bigint | null; two: Uint8Array | null; list: Uint8Array[] }) =>
  Buffer.concat(
    [
      one === null ? [] : varintField(1, one),
      two ? bytesField(2, two) : [],
      ...list.map((item) => bytesField(20, item)),
    ].flat(),
  );

test('fields are read as they were written', () => {
  fc.assert(
    fc.property(fields, (values) => {
      const message = read(write(values));
      expect(message.varint(1)).toBe(values.one);
      expect(message.bytes(2)).toEqual(values.two && Buffer.from(values.two));
      expect(message.list(20)).toEqual(values.list.map((item) => Buffer.from(item)));
    }),
  );
});

test('what is read has no second form: bytes that are read are those that its values write', () => {
  fc.assert(
    fc.property(fields, fc.nat(), (values, at) => {
      const bytes = write(values);
      if (bytes.length > 0) bytes[(at >> 3) % bytes.length]! ^= 1 << (at & 7);
      try {
        const message = read(bytes);
        const again = write({ one: message.varint(1), two: message.bytes(2), list: message.list(20) });
        expect(again.equals(bytes)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ProofRefusal);
      }
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['a varint that could be shorter', [8, 0x80, 0], 'shortest varint'],
  ['a varint of more than 64 bits', [8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2], 'shortest varint'],
  ['a varint without an end', [8, 0x80], 'its end'],
  ['fields out of order', [0x12, 0, 8, 1], 'in order'],
  ['a field twice', [8, 1, 8, 1], 'in order'],
  ['another wire type', [0x0a, 0], 'wire type 2'],
  ['an unknown field', [0x18, 1], 'field 3'],
  ['a length beyond the end', [0x12, 3, 1], 'a length of 3'],
  ['a length of 64 bits', [0x12, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1], 'a length of 18446744073709551615'],
  ['too many fields', new Array(31).fill([0xa2, 1, 0]).flat(), 'at most 30 fields'],
])('%s is refused', (_name, bytes, message) => {
  expect(() => read(Uint8Array.from(bytes))).toThrow(message);
});
