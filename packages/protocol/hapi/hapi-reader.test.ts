import fc from 'fast-check';
import protobuf from 'protobufjs/minimal.js';
import { expect, it } from 'vitest';
import { createHapiReader } from './hapi-reader.ts';

/** What is read and where the reader stands then, or that it cannot be read. */
function outcome(reader: protobuf.Reader, type: 'int64' | 'uint64' | 'sint64'): string {
  try {
    const value = reader[type]();
    return `${value.constructor.name} ${value} ${value.unsigned} to ${reader.pos}`;
  } catch (error) {
    return (error as Error).message;
  }
}

const varint = fc
  .bigInt(0n, 2n ** 64n - 1n)
  .map((value) => Buffer.from(protobuf.Writer.create().uint64(long(value)).finish()));
/** With bytes behind it and without; also what is no varint. */
const bytes = fc
  .tuple(
    fc.oneof(varint, fc.uint8Array({ minLength: 1, maxLength: 11, min: 0x78 }), fc.constant(Buffer.alloc(11, 0x80))),
    fc.uint8Array({ maxLength: 12 }),
  )
  .map((parts) => Buffer.concat(parts));

function long(value: bigint): protobuf.Long {
  return new protobuf.util.Long(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)), true);
}

it.each(['int64', 'uint64', 'sint64'] as const)('%s as the library reads it', (type) => {
  fc.assert(
    fc.property(bytes, (buffer) => {
      expect(outcome(createHapiReader(buffer), type)).toBe(outcome(protobuf.Reader.create(buffer), type));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  0n,
  1n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 35n,
  2n ** 56n,
  2n ** 63n - 1n,
  2n ** 64n - 1n,
])('of %s', (value) => {
  const written = Buffer.concat([protobuf.Writer.create().uint64(long(value)).finish(), Buffer.alloc(10)]);
  expect(createHapiReader(written).uint64().toString()).toBe(`${value}`);
});
