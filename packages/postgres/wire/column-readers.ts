// How a value is read from a row: in PostgreSQL's binary format if there is a reader for its type, else from text with
// `valueParsers`. Both give the same value.

import { parseJson, valueParsers } from './value-parsers.ts';
import type { JsonValue, TimestampRange } from './values.ts';

/** Reads `length` bytes at `start`; `view` is over the same bytes. */
export type ColumnReader = (bytes: Buffer, view: DataView, start: number, length: number) => unknown;

/** undefined = only the text can be read. */
export function binaryReader(typeOid: number): ColumnReader | undefined {
  return binaryReaders[typeOid] ?? (typeOid >= firstOwnOid ? readText : undefined);
}

export function textReader(typeOid: number): ColumnReader {
  const parse = valueParsers.getTypeParser(typeOid, 'text') as (text: string) => unknown;
  return (bytes, view, start, length) => parse(readText(bytes, view, start, length));
}

/** Types made in the database itself, which are all enums: their binary format is the label. */
const firstOwnOid = 16_384;

const readText = (bytes: Buffer, _view: DataView, start: number, length: number): string =>
  bytes.toString('utf8', start, start + length);

const binaryReaders: Readonly<Record<number, ColumnReader>> = {
  16: (bytes, _view, start) => bytes[start] === 1,
  17: (bytes, _view, start, length) => bytes.subarray(start, start + length),
  19: readText,
  20: (_bytes, view, start) => view.getBigInt64(start),
  21: (_bytes, view, start) => view.getInt16(start),
  23: (_bytes, view, start) => view.getInt32(start),
  25: readText,
  114: (bytes, view, start, length): JsonValue => parseJson(readText(bytes, view, start, length)),
  1001: (bytes, view, start) => readArray(view, start, (at, length) => bytes.subarray(at, at + length)),
  1016: (_bytes, view, start) => readArray(view, start, (at) => view.getBigInt64(at)),
  1043: readText,
  // A version byte, then text.
  3802: (bytes, view, start, length): JsonValue => parseJson(readText(bytes, view, start + 1, length - 1)),
  3926: readRange,
};

const emptyFlag = 0x01;
const lowerInclusiveFlag = 0x02;
const lowerInfiniteFlag = 0x08;
const upperInfiniteFlag = 0x10;

/** A flag byte, then each finite bound with its length. */
function readRange(bytes: Buffer, view: DataView, start: number): TimestampRange | null {
  const flags = bytes[start]!;
  if (flags & (emptyFlag | lowerInfiniteFlag) || !(flags & lowerInclusiveFlag)) return null;
  const from = view.getBigInt64(start + 5);
  return { from, to: flags & upperInfiniteFlag ? null : view.getBigInt64(start + 17) };
}

/** Dimensions, flags, element type; length and lower bound of the only dimension; then each element with its length. */
function readArray<T>(view: DataView, start: number, read: (start: number, length: number) => T): (T | null)[] {
  if (view.getInt32(start) === 0) return [];
  const values: (T | null)[] = [];
  let position = start + 20;
  for (let left = view.getInt32(start + 12); left > 0; left--) {
    const length = view.getInt32(position);
    position += 4;
    values.push(length < 0 ? null : read(position, length));
    if (length > 0) position += length;
  }
  return values;
}
