import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proto } from './hapi/hapi.ts';
import { StreamFileError } from './stream-file-error.ts';
import { readVarint64, visitWireFields } from './wire-fields.ts';
import { bytesField, encodeVarint, intField, joinedBytesField, type WireField } from './wire-writer.ts';

function fieldsOf(bytes: Uint8Array): [number: number, wireType: number, hex: string][] {
  const fields: [number, number, string][] = [];
  visitWireFields(bytes, (number, wireType, start, end) => {
    fields.push([number, wireType, Buffer.from(bytes.subarray(start, end)).toString('hex')]);
  });
  return fields;
}

describe('splitting a message', () => {
  it('shows every field in wire order, known or not', () => {
    const bytes = Buffer.from('0801' + '1202abcd' + 'a01f05' + '190102030405060708' + '2501020304', 'hex');
    expect(fieldsOf(bytes)).toEqual([
      [1, 0, '01'],
      [2, 2, 'abcd'],
      [500, 0, '05'],
      [3, 1, '0102030405060708'],
      [4, 5, '01020304'],
    ]);
  });

  it.each(['08', '0a05ab', '0affffffffffffffffff01', '09010203', '0b', '0001', '08ffffffffffffffffffffff01'])(
    'refuses %s',
    (hex) => expect(() => fieldsOf(Buffer.from(hex, 'hex'))).toThrow(StreamFileError),
  );

  it('never reads beyond the end, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          visitWireFields(bytes, (_number, _wireType, start, end) => {
            expect(start).toBeLessThanOrEqual(end);
            expect(end).toBeLessThanOrEqual(bytes.length);
          });
        } catch (error) {
          expect(error).toBeInstanceOf(StreamFileError);
        }
      }),
    );
  });

  it('reads what is written', () => {
    const field = fc.tuple(fc.integer({ min: 1, max: 0x1fff_ffff }), fc.uint8Array());
    fc.assert(
      fc.property(fc.array(field), (fields) => {
        const written = Buffer.concat(fields.flatMap(([number, bytes]): WireField => bytesField(number, bytes)));
        const expected = fields.map(([number, bytes]) => [number, 2, Buffer.from(bytes).toString('hex')]);
        expect(fieldsOf(written)).toEqual(expected);
      }),
    );
  });
});

describe('varints', () => {
  it('come back as signed 64-bit integers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(readVarint64(encodeVarint(BigInt.asUintN(64, value)), 0)).toBe(value);
      }),
    );
  });

  it('are what protobufjs reads', () => {
    const bytes = Buffer.concat([intField(2, 987_654), intField(1, -3)].flat());
    const { seconds, nanos } = proto.Timestamp.decode(bytes);
    expect([Number(seconds), nanos]).toEqual([-3, 987_654]);
  });
});

it('a field in one Buffer has the same bytes', () => {
  const sizes = fc.oneof(fc.nat(300), fc.constantFrom(16_383, 16_384, 2_097_152));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 0x1fff_ffff }), sizes, (number, size) => {
      const bytes = Buffer.alloc(size, 7);
      expect(joinedBytesField(number, bytes).equals(Buffer.concat(bytesField(number, bytes)))).toBe(true);
    }),
  );
});
