// Splits the top level of a protobuf message into its fields without decoding them. Provides what generated decoders
// drop: the raw bytes of sub-messages, which hashes are made of, and the numbers of unknown fields. Strict: a field
// must end within the message.
import { StreamFileError } from './stream-file-error.ts';

/** Wire types of the protobuf encoding. */
export const wireVarint = 0;
const wireFixed64 = 1;
export const wireBytes = 2;
const wireFixed32 = 5;

/**
 * Called for each field in wire order; its value is buffer[start, end), without the length prefix of length-delimited
 * fields. `readVarint64` reads a varint there.
 */
export type WireFieldVisitor = (number: number, wireType: number, start: number, end: number) => void;

export function visitWireFields(buffer: Uint8Array, visit: WireFieldVisitor): void {
  const cursor = createWireCursor(buffer);
  while (nextWireField(cursor)) visit(cursor.number, cursor.wireType, cursor.start, cursor.end);
}

/** The same without a closure for each message, where every transaction has one: the current field of a message. */
export type WireCursor = {
  readonly buffer: Uint8Array;
  /** Where the message ends. */
  readonly length: number;
  /** Where the next field begins. */
  offset: number;
  number: number;
  wireType: number;
  start: number;
  end: number;
};

/** Before the first field. */
export function createWireCursor(buffer: Uint8Array, start = 0, length = buffer.length): WireCursor {
  return { buffer, length, offset: start, number: 0, wireType: 0, start: 0, end: 0 };
}

/** Moves to the next field; false at the end of the message. Throws StreamFileError. */
export function nextWireField(cursor: WireCursor): boolean {
  const { length } = cursor;
  const at = cursor.offset;
  if (at >= length) return false;
  const tag = readVarint(cursor);
  const number = Math.floor(tag / 8);
  const wireType = tag % 8;
  if (number < 1 || number > 0x1fff_ffff) throw malformed('a field number', `${number} at byte ${at}`);
  let start = cursor.offset;
  if (wireType === wireBytes) {
    const size = readVarint(cursor);
    start = cursor.offset;
    cursor.offset += size;
  } else if (wireType === wireVarint) readVarint(cursor);
  else if (wireType === wireFixed64) cursor.offset += 8;
  else if (wireType === wireFixed32) cursor.offset += 4;
  else throw malformed('wire type 0, 1, 2 or 5', `wire type ${wireType} at byte ${at}`);
  if (cursor.offset > length) throw truncated(length);
  cursor.number = number;
  cursor.wireType = wireType;
  cursor.start = start;
  cursor.end = cursor.offset;
  return true;
}

function readVarint(cursor: WireCursor): number {
  const { buffer, length } = cursor;
  let value = 0;
  let scale = 1;
  for (let digits = 0; digits < 10; digits++) {
    if (cursor.offset >= length) throw truncated(cursor.offset);
    const byte = buffer[cursor.offset++]!;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 128;
  }
  throw malformed('a varint of at most 10 bytes', `more at byte ${cursor.offset}`);
}

/** The varint that begins at `start`, all 64 bits, as a signed integer. */
export function readVarint64(buffer: Uint8Array, start: number): bigint {
  let value = 0n;
  for (let offset = start, shift = 0n; offset < buffer.length && shift < 70n; offset++, shift += 7n) {
    const byte = buffer[offset]!;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asIntN(64, value);
  }
  throw truncated(buffer.length);
}

export const noBytes: Buffer = Buffer.alloc(0);

/** The last varint field of this number; null without one. Throws StreamFileError. */
export function findWireVarint(message: Buffer, wanted: number): bigint | null {
  const cursor = createWireCursor(message);
  let found: bigint | null = null;
  while (nextWireField(cursor)) {
    if (cursor.number === wanted && cursor.wireType === wireVarint) found = readVarint64(message, cursor.start);
  }
  return found;
}

/** The last field of this number that is length-delimited; null without one. Throws StreamFileError. */
export function findWireBytes(message: Buffer, wanted: number): Buffer | null {
  const cursor = createWireCursor(message);
  let found: Buffer | null = null;
  while (nextWireField(cursor)) {
    if (cursor.number === wanted && cursor.wireType === wireBytes) found = message.subarray(cursor.start, cursor.end);
  }
  return found;
}

function malformed(expected: string, found: string): StreamFileError {
  return new StreamFileError('malformed', 'protobuf message', expected, found);
}

function truncated(offset: number): StreamFileError {
  return new StreamFileError('truncated', 'protobuf message', 'the rest of a field', `the end at byte ${offset}`);
}
