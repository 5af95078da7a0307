// A growing buffer for PostgreSQL's binary formats (all big-endian), and writers that put each column type into it as
// length and value. int8 and int4 are two's complement: a larger value (a uint32 of HAPI, a sum of two extremes) keeps
// its lowest bits, as in the other mirror's arithmetic. An int2 that does not fit is refused.

import type { JsonValue, TimestampRange } from '../../postgres/wire/values.ts';
import { type ColumnType, type EnumLabel, enumTypes } from '../../schema/table.ts';

export type BinaryOutput = { bytes: Buffer; view: DataView; position: number };

export function createBinaryOutput(sizeBytes: number): BinaryOutput {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  return { bytes, view: new DataView(bytes.buffer), position: 0 };
}

/** Makes room for `sizeBytes` more. */
export function reserve(out: BinaryOutput, sizeBytes: number): void {
  const needed = out.position + sizeBytes;
  if (needed <= out.bytes.length) return;
  const larger = createBinaryOutput(Math.max(needed, out.bytes.length * 2));
  out.bytes.copy(larger.bytes, 0, 0, out.position);
  out.bytes = larger.bytes;
  out.view = larger.view;
}

export function writeInt32(out: BinaryOutput, value: number): void {
  reserve(out, 4);
  out.view.setInt32(out.position, value);
  out.position += 4;
}

/** Writes length and value of one field; the value is neither null nor undefined. */
export type ValueWriter = (out: BinaryOutput, value: unknown) => void;

export const valueWriters: Readonly<Record<ColumnType, ValueWriter>> = {
  int8: (out, value) => writeInt8(out, value as bigint),
  int4: (out, value) => writeInt4(out, value as number),
  int2: (out, value) => writeInt2(out, value as number),
  bool: (out, value) => {
    reserve(out, 5);
    out.view.setInt32(out.position, 1);
    out.bytes[out.position + 4] = value ? 1 : 0;
    out.position += 5;
  },
  bytea: (out, value) => writeBytes(out, value as Uint8Array),
  text: (out, value) => writeText(out, value as string),
  jsonb: (out, value) => writeJsonb(out, value as JsonValue),
  'int8[]': (out, value) => writeArray(out, value as bigint[], 20, valueWriters.int8),
  'int4[]': (out, value) => writeArray(out, value as number[], 23, valueWriters.int4),
  'int2[]': (out, value) => writeArray(out, value as number[], 21, valueWriters.int2),
  'bytea[]': (out, value) => writeArray(out, value as Uint8Array[], 17, valueWriters.bytea),
  int8range: (out, value) => writeRange(out, value as TimestampRange),
  ...(Object.fromEntries(Object.keys(enumTypes).map((type) => [type, writeLabel])) as Record<
    keyof EnumLabel,
    ValueWriter
  >),
};

function writeLabel(out: BinaryOutput, value: unknown): void {
  writeText(out, value as string);
}

/** One-dimensional array; `elementType` is the type's OID. */
export function writeArray(
  out: BinaryOutput,
  values: readonly unknown[],
  elementType: number,
  write: ValueWriter,
): void {
  const start = beginLength(out);
  const dimensions = values.length === 0 ? 0 : 1;
  writeInt32(out, dimensions);
  const flags = out.position;
  writeInt32(out, 0);
  writeInt32(out, elementType);
  if (dimensions === 1) {
    writeInt32(out, values.length);
    writeInt32(out, 1);
  }
  for (const value of values) {
    if (value === null || value === undefined) {
      writeInt32(out, -1);
      out.view.setInt32(flags, 1);
    } else write(out, value);
  }
  endLength(out, start);
}

/** PostgreSQL's texts cannot hold NUL; it becomes U+FFFD, as in columns of type text. */
export function toJson(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value === 'string') return JSON.stringify(value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`)
    .join(',')}}`;
}

function writeInt8(out: BinaryOutput, value: bigint): void {
  reserve(out, 12);
  out.view.setInt32(out.position, 8);
  out.view.setBigInt64(out.position + 4, value);
  out.position += 12;
}

function writeInt4(out: BinaryOutput, value: number): void {
  reserve(out, 8);
  out.view.setInt32(out.position, 4);
  out.view.setInt32(out.position + 4, value);
  out.position += 8;
}

function writeInt2(out: BinaryOutput, value: number): void {
  if ((value << 16) >> 16 !== value) throw new RangeError(`${value} does not fit int2`);
  reserve(out, 6);
  out.view.setInt32(out.position, 2);
  out.view.setInt16(out.position + 4, value);
  out.position += 6;
}

function writeBytes(out: BinaryOutput, value: Uint8Array): void {
  reserve(out, 4 + value.length);
  out.view.setInt32(out.position, value.length);
  out.bytes.set(value, out.position + 4);
  out.position += 4 + value.length;
}

function writeText(out: BinaryOutput, value: string): void {
  reserve(out, 4 + value.length * 3);
  const sizeBytes = out.bytes.write(value, out.position + 4, 'utf8');
  out.view.setInt32(out.position, sizeBytes);
  out.position += 4 + sizeBytes;
}

/** A version byte, then text. */
function writeJsonb(out: BinaryOutput, value: JsonValue): void {
  const start = beginLength(out);
  const text = toJson(value);
  reserve(out, 1 + text.length * 3);
  out.bytes[out.position] = 1;
  out.position += 1 + out.bytes.write(text, out.position + 1, 'utf8');
  endLength(out, start);
}

const lowerInclusive = 0x02;
const upperInfinite = 0x10;

function writeRange(out: BinaryOutput, { from, to }: TimestampRange): void {
  const start = beginLength(out);
  reserve(out, 1);
  out.bytes[out.position++] = to === null ? lowerInclusive | upperInfinite : lowerInclusive;
  writeInt8(out, from);
  if (to !== null) writeInt8(out, to);
  endLength(out, start);
}

function beginLength(out: BinaryOutput): number {
  reserve(out, 4);
  out.position += 4;
  return out.position;
}

function endLength(out: BinaryOutput, start: number): void {
  out.view.setInt32(start - 4, out.position - start);
}
